/**
 * The key pair with which a workspace's audit roots are signed. The public half can be given to anyone; nothing can be
 * derived from it.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { deriveKey } from './master-key.ts'

/** The bytes before the 32 of an Ed25519 private key in PKCS #8 (RFC 8410, section 7). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The private key: Ed25519, with a seed derived from the master key for this purpose and workspace only. */
export function auditSigningKey(master: KeyObject, workspaceId: string): KeyObject {
  const seed = deriveKey(master, 'audit-signature', workspaceId).export()
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })
}

/** The public key, to be printed as PEM or passed to a verification. */
export function auditPublicKey(master: KeyObject, workspaceId: string): KeyObject {
  return createPublicKey(auditSigningKey(master, workspaceId))
}

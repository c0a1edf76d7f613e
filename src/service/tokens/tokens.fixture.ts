/** A separate store for each test of tokens, and services that use it. Importing it sets up and cleans up. */
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { auditOf } from '../../store/contract/samples.contract.ts'
import { openStore } from '../../store/sqlite/sqlite.ts'
import type { Store } from '../../store/store.ts'
import { createTokenService, type Authentication, type TokenService, type TokenServiceOptions } from './tokens.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-tokens-'))
after(() => rmSync(root, { recursive: true, force: true }))

export const masterKey = createSecretKey(randomBytes(32))
export let dataDir: string
export let store: Store
export let opened: AsyncDisposable[]

beforeEach(async () => {
  dataDir = mkdtempSync(join(root, 'case-'))
  store = await openStore({ dataDir })
  await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({ action: 'workspace_created' }))
  opened = [store]
})
afterEach(async () => {
  for (const part of opened.toReversed()) await part[Symbol.asyncDispose]()
})

/** Starts a token service that ends with the test. */
export async function start(options: Partial<TokenServiceOptions> = {}): Promise<TokenService> {
  const service = await createTokenService({ store, masterKey, heartbeatMs: 5, ...options })
  opened.push(service)
  return service
}

export const codeOf = async (answer: Authentication | Promise<Authentication>): Promise<string> => {
  const settled = await answer
  return settled.ok ? 'ok' : settled.code
}

/** Waits until an answer changes by itself. */
export const until = (holds: () => Promise<boolean>): Promise<true> =>
  eventually('another answer', async () => (await holds()) || undefined)

export const request = { workspaceId: 'acme', label: 'test' }

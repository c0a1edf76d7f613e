/**
 * The master key of an installation, and the keys derived from it. Keys are passed as `KeyObject`, which reveals
 * nothing when it is printed, logged or serialised as JSON.
 */
import { createSecretKey, hkdfSync, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import { link, open, readFile, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileHint } from './file-hint.ts'
import { giveFolderToOwnerOf, giveToOwnerOf } from './folder-owner.ts'
import { makeFolder } from './make-folder.ts'
import { syncFolder } from './sync-folder.ts'
import { parseKeyBytes } from './values.ts'

const masterKeyBytes = 32

/**
 * The purpose of a derived key. The name is part of the derivation: changing one makes everything that was created with
 * the key unreadable.
 */
type KeyPurpose =
  | 'token-hash'
  | 'placeholder'
  | 'allow-list'
  | 'audit-signature'
  | 'cookie'
  | 'fingerprint'
  | 'password'
  | 'session-hash'
  | 'csrf'
  | 'link-hash'

/** A fault of the master key. The message names the setting or the file, and never shows a character of a key. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError'
}

/** @param name what the reader has to correct: the variable or the file */
function parseKey(text: string, name: string): KeyObject {
  const parsed = parseKeyBytes(text.trim())
  if (!parsed.ok) throw new MasterKeyError(`${name} ${parsed.rule}.`)
  const bytes = parsed.value
  if (bytes.every((byte) => byte === bytes[0])) {
    throw new MasterKeyError(
      `${name} is the same byte 32 times; make a random key, for example with "openssl rand -hex 32".`
    )
  }
  return createSecretKey(bytes)
}

/** The file in which an installation without a configured key keeps the key that it generated. */
export const masterKeyFile = (dataDir: string): string => join(resolve(dataDir), 'keys', 'master')

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown error'

async function readKeyFile(path: string): Promise<KeyObject | undefined> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new MasterKeyError(`The key file ${path} can be read by others; run "chmod 600" on it.`)
    }
    return parseKey(await readFile(path, 'utf8'), `The key file ${path}`)
  } catch (error) {
    if (error instanceof MasterKeyError) throw error
    if (codeOf(error) === 'ENOENT') return undefined
    throw new MasterKeyError(`The key file ${path} cannot be read (${codeOf(error)}).${fileHint(codeOf(error))}`)
  }
}

/**
 * Creates a key under a temporary name, then links it into place: linking fails if the name is taken, so of two
 * processes one wins, and nobody ever reads half a key.
 */
async function createKeyFile(path: string): Promise<void> {
  const directory = join(path, '..')
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  if (await makeFolder(directory)) await giveFolderToOwnerOf(dirname(directory), directory)
  const file = await open(draft, 'wx', 0o600)
  try {
    await giveToOwnerOf(directory, file)
    await file.writeFile(`${randomBytes(masterKeyBytes).toString('hex')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  await syncFolder(directory)
}

interface KeyPlace {
  /** The value of `SERVICE_MASTER_KEY`, if set. */
  readonly configured?: string | undefined
  readonly dataDir: string
}

/**
 * The master key: the configured one, or the one in the data directory.
 * @returns undefined if there is none
 * @throws MasterKeyError that names the setting or the file, and the rule
 */
export async function findMasterKey({ configured, dataDir }: KeyPlace): Promise<KeyObject | undefined> {
  if (configured !== undefined) return parseKey(configured, 'SERVICE_MASTER_KEY')
  return await readKeyFile(masterKeyFile(dataDir))
}

/**
 * The master key: as {@link findMasterKey} finds it, or a new one that is stored in the data directory.
 * @throws MasterKeyError that names the setting or the file, and the rule
 */
export async function loadMasterKey(place: KeyPlace): Promise<KeyObject> {
  const existing = await findMasterKey(place)
  if (existing) return existing
  const path = masterKeyFile(place.dataDir)
  try {
    await createKeyFile(path)
  } catch (error) {
    throw new MasterKeyError(`The key file ${path} cannot be created (${codeOf(error)}).${fileHint(codeOf(error))}`)
  }
  const made = await readKeyFile(path)
  if (!made) throw new MasterKeyError(`The key file ${path} was removed while it was being created.`)
  return made
}

/**
 * Derives a key of 32 bytes for one purpose and, if given, one workspace: HKDF-SHA-256 (RFC 5869) without salt, since
 * the master key is uniform, with `sluice/1/<purpose>/<workspace>` as info. Purposes contain no slash, so different
 * derivations always have different info.
 */
export function deriveKey(master: KeyObject, purpose: KeyPurpose, workspaceId?: string): KeyObject {
  if (workspaceId === '') throw new RangeError('a workspace ID must not be empty')
  const info = `sluice/1/${purpose}/${workspaceId ?? ''}`
  return createSecretKey(Buffer.from(hkdfSync('sha256', master, '', info, masterKeyBytes)))
}

/** The part of a store that keeps the fingerprint. */
interface FingerprintStore {
  /** Writes the value unless the key has one. @returns the stored value */
  putMetaIfAbsent(key: string, value: string): Promise<string>
}

const fingerprintName = 'master_key_fingerprint'

/**
 * Records the fingerprint of the key at the first start, and refuses any other key from then on: with a wrong key no
 * token would be known and every placeholder would change.
 * @throws MasterKeyError if the key is a different one
 */
export async function assertMasterKeyFits(store: FingerprintStore, master: KeyObject): Promise<void> {
  const fingerprint = deriveKey(master, 'fingerprint').export()
  const known = Buffer.from(await store.putMetaIfAbsent(fingerprintName, fingerprint.toString('hex')), 'hex')
  if (known.length === fingerprint.length && timingSafeEqual(known, fingerprint)) return
  throw new MasterKeyError(
    'The master key does not match this database, which was first started with another key. ' +
      'Set SERVICE_MASTER_KEY, or restore the file keys/master of the data directory, to the key of this database.'
  )
}

/**
 * Like {@link assertMasterKeyFits}, but changes nothing: a database without a fingerprint fits every key.
 * @throws MasterKeyError if the key is a different one
 */
export async function assertMasterKeyKnown(
  { getMeta }: { getMeta(key: string): Promise<string | undefined> },
  master: KeyObject
): Promise<void> {
  await assertMasterKeyFits({ putMetaIfAbsent: async (key, value) => (await getMeta(key)) ?? value }, master)
}

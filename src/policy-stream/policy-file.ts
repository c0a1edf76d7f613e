/**
 * The last policy that a sensor knew, on its disk: two lines, a MAC and the JSON that it covers. The key derives from
 * the sensor's token, so that a file which another user, another workspace or an edit left there is not believed.
 */
import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PolicyFrame } from './frame.ts'

/** What stands in the file. */
export interface KeptPolicy {
  readonly frame: PolicyFrame
  /** When the service last said that this is the policy, in milliseconds since 1970. */
  readonly confirmedAt: number
}

/** Why a file is not used. `forged`: its MAC does not fit its text and this token, or it is no such file at all. */
export type FileFault = 'forged' | 'unreadable' | 'too_large'

export type FileReading =
  | { readonly kind: 'kept'; readonly text: string; readonly confirmedAt: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'fault'; readonly fault: FileFault }

const macLength = 64

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'

export class PolicyFile {
  readonly #path: string
  readonly #key: KeyObject
  readonly #bytesMax: number

  /**
   * @param token the sensor's workspace token; only a key derived from it is kept
   * @param bytesMax a larger file is not read
   */
  constructor(path: string, token: string, bytesMax: number) {
    this.#path = path
    this.#key = createSecretKey(Buffer.from(hkdfSync('sha256', token, '', 'sluice/1/policy-file', 32)))
    this.#bytesMax = bytesMax
  }

  /** Reads the file. Never rejects. The policy is given as text, to be judged as one from the wire is. */
  async read(): Promise<FileReading> {
    try {
      if ((await stat(this.#path)).size > this.#bytesMax) return { kind: 'fault', fault: 'too_large' }
      return this.#open(await readFile(this.#path, 'utf8'))
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? { kind: 'absent' } : { kind: 'fault', fault: 'unreadable' }
    }
  }

  /**
   * Replaces the file, so that whoever reads it finds the old one or the new one whole, also after a power cut.
   * @throws what the file system says
   */
  async write({ frame, confirmedAt }: KeptPolicy): Promise<void> {
    const body = JSON.stringify({ confirmedAt, policy: JSON.stringify(frame) })
    const folder = dirname(this.#path)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const draft = `${this.#path}.${randomBytes(6).toString('hex')}`
    try {
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(`${this.#mac(body).toString('hex')}\n${body}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, this.#path)
    } catch (error) {
      await unlink(draft).catch(() => undefined)
      throw error
    }
    if (process.platform !== 'win32') await syncFolder(folder)
  }

  #mac(body: string): Buffer {
    return createHmac('sha256', this.#key).update(body).digest()
  }

  #open(text: string): FileReading {
    const mac = Buffer.from(text.slice(0, macLength), 'hex')
    const body = text.slice(macLength + 1, -1)
    const expected = this.#mac(body)
    if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return { kind: 'fault', fault: 'forged' }
    const { confirmedAt, policy } = JSON.parse(body) as { readonly confirmedAt: number; readonly policy: string }
    return { kind: 'kept', text: policy, confirmedAt }
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

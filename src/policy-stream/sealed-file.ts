/**
 * A text that a sensor keeps on its disk, in two lines: a MAC, and the text that it covers. The key is derived from the
 * sensor's token and the purpose of the text, so that a file from another user, another workspace, an edit or another
 * purpose is rejected.
 */
import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import { open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../config/make-folder.ts'
import { syncFolder } from '../config/sync-folder.ts'

/** Why a file is not used. `forged`: its MAC does not match its text and this token, or the format is wrong. */
export type FileFault = 'forged' | 'unreadable' | 'too_large'

type SealedReading =
  | { readonly kind: 'kept'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'fault'; readonly fault: FileFault }

const macLength = 64

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'

export class SealedFile {
  readonly #path: string
  readonly #key: KeyObject
  readonly #bytesMax: number

  /**
   * @param token the sensor's workspace token; only a key derived from it is kept
   * @param purpose of the text, `sluice/1/<name>`
   * @param bytesMax a larger file is not read
   */
  constructor(path: string, token: string, purpose: string, bytesMax: number) {
    this.#path = path
    this.#key = createSecretKey(Buffer.from(hkdfSync('sha256', token, '', purpose, 32)))
    this.#bytesMax = bytesMax
  }

  /** Reads the file. Never rejects. */
  async read(): Promise<SealedReading> {
    try {
      if ((await stat(this.#path)).size > this.#bytesMax) return { kind: 'fault', fault: 'too_large' }
      return this.#open(await readFile(this.#path, 'utf8'))
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? { kind: 'absent' } : { kind: 'fault', fault: 'unreadable' }
    }
  }

  /**
   * Replaces the file atomically: a reader finds the old or the new version in full, even after a power failure.
   * @param text one line
   * @throws file system errors
   */
  async write(text: string): Promise<void> {
    const folder = dirname(this.#path)
    await makeFolder(folder)
    const draft = `${this.#path}.${randomBytes(6).toString('hex')}`
    try {
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(`${this.#mac(text).toString('hex')}\n${text}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, this.#path)
    } catch (error) {
      await unlink(draft).catch(() => undefined)
      throw error
    }
    await syncFolder(folder)
  }

  #mac(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest()
  }

  #open(content: string): SealedReading {
    const mac = Buffer.from(content.slice(0, macLength), 'hex')
    const text = content.slice(macLength + 1, -1)
    const expected = this.#mac(text)
    if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return { kind: 'fault', fault: 'forged' }
    return { kind: 'kept', text }
  }
}

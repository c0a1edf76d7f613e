/** The address of the running service, noted in its data directory for commands that run beside it. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const fileOf = (dataDir: string): string => join(dataDir, 'address')

/**
 * Notes the address until the note is disposed of. Where nothing can be written there is no note, and no failure:
 * commands then have their own configuration to go by.
 * @param url of the service, as people reach it
 */
export async function noteAddress(dataDir: string, url: string): Promise<AsyncDisposable> {
  const file = fileOf(dataDir)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${url}\n`, { mode: 0o600 })
    .then(() => rename(draft, file))
    .catch(() => {})
  return {
    async [Symbol.asyncDispose]() {
      // Of two instances on one directory, the other may have written its own since.
      if ((await readAddress(dataDir)) === url) await rm(file, { force: true }).catch(() => {})
    }
  }
}

/** The noted address; undefined if there is none. */
export async function readAddress(dataDir: string): Promise<string | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => '')
  const url = URL.parse(text.trim())
  return url !== null && /^https?:$/.test(url.protocol) ? text.trim() : undefined
}

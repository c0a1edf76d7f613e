/** Writes each file of the build in its compressed forms as well, so that the service need not compress for each visitor. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(js|css|svg)$/
/** Below this the headers weigh more than what is saved. */
const bytesMin = 1024

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

export function compressPlugin(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle: async ({ dir }) => {
      if (dir === undefined) return
      const paths = await readdir(dir, { recursive: true })
      await Promise.all(paths.filter((path) => compressible.test(path)).map((path) => compress(join(dir, path))))
    }
  }
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < bytesMin) return
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
  await Promise.all([
    brotli(bytes, options).then((text) => writeFile(`${path}.br`, text)),
    zip(bytes, { level: 9 }).then((text) => writeFile(`${path}.gz`, text))
  ])
}

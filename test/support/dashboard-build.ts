/** Reads the manifest that the dashboard's build wrote about its files. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const builtDashboard = join(import.meta.dirname, '../../dashboard/dist')

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/**
 * The files of a part of the dashboard and of all its static imports.
 * @param source path in the dashboard's folder, or `index.html`
 */
export async function filesOf(...sources: readonly string[]): Promise<Set<string>> {
  const manifest = JSON.parse(await readFile(join(builtDashboard, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  const files = new Set<string>()
  const add = (name: string): void => {
    const chunk = manifest[name]
    assert.ok(chunk, `${name} is in the manifest`)
    if (files.has(chunk.file)) return
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  for (const source of sources) add(source)
  return files
}

/** Clients' configuration files, and their patch format. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Place } from '../client.ts'

/** Writes a file below a client's home folder, as text or as JSON. */
export async function writeHomeFile(place: Place, path: string, content: string | object): Promise<void> {
  const file = join(place.home, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
}

/** The executable in a client's package. */
export const programOf = (place: Place, name: string): string => join(place.installed, 'node_modules', '.bin', name)

const marked = (mark: string, text: string): string => text.replace(/^/gm, mark)

/** A change of whole lines in the patch format that several agents share. */
export const patchOf = (path: string, from: string, to: string): string =>
  `*** Begin Patch\n*** Update File: ${path}\n@@\n${marked('-', from)}\n${marked('+', to)}\n*** End Patch\n`

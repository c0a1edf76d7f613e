import { readFileSync } from 'node:fs'

/** The version of this package, whose package.json is two folders above, both in the sources and in the built form. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

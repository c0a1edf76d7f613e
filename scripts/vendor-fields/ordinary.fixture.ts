/** Values as vendors issue and programs send them, which reveal nothing about anyone. */
import type { SeededRandom } from '../../test/support/random.ts'
import type { Judgement } from './judgement.ts'

const hex = '0123456789abcdef'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const names = [
  'mcp__github__create_issue',
  'Read',
  'get_weather',
  'claude-opus-4-6',
  'o1-2024-12-17',
  'org/model:v1',
  '/lead/worker_1'
]
const moments = ['2026-11-05T10:22:33.123456Z', '1761234567', 'latest', 'April 30, 2025', '3 days ago', '20260120']
const places = ['San Francisco', 'Berlin', 'US', 'America/Los_Angeles']
const words = [
  'The function returns a list of items.',
  'version 3.11.4, released 2026-05-01',
  'src/app/main.ts:120:33 - error TS2322',
  'Listening on port 8080.',
  'npm install react@19.3.1'
]

/** Creates an ordinary value for a place, by what it holds and by its name. */
export function createOrdinary(random: SeededRandom): (path: string, held: Judgement['held']) => string {
  const one = (of: readonly string[]): string => of[random.below(of.length)] ?? ''
  const uuid = (): string => [8, 4, 4, 4, 12].map((length) => random.text(hex, length)).join('-')
  const base64 = (): string => Buffer.from(random.text(letters, 30 + random.below(300))).toString('base64')
  const id = (): string =>
    one([
      `toolu_01${random.text(letters, 22)}`,
      `call_${random.text(letters, 24)}`,
      `rs_${random.text(hex, 50)}`,
      `file-${random.text(letters, 22)}`,
      `17${random.text('0123456789', 14)}`,
      random.text(hex, 32),
      uuid()
    ])
  return (path, held) => {
    if (held === 'id') return id()
    if (held === 'seal' || held === 'opaque' || held === 'media') return base64()
    const name = /(\w+)(?:\[\]|\.\*)*$/.exec(path)?.[1] ?? ''
    // Any value there is a credential.
    if (/^(?:authorization(?:_token)?|headers)$/.test(name)) return ''
    if (/url|source|link/.test(name)) return `https://docs.example.com/a/${random.text(hex, 12)}?page=7#part-2`
    if (/name|label|author|recipient|model|key$/.test(name)) return one([...names, uuid(), random.text(hex, 64)])
    if (/_at$|age$|version/.test(name)) return one(moments)
    if (/city|region|country|timezone/.test(name)) return one(places)
    return one(words)
  }
}

/**
 * Notorious passwords, which people do choose: `hunter2`, `admin123`, `Passw0rd!`. Documentation and tests are full of
 * them, so such a value counts only where somebody states it as their own, or tells it to somebody.
 */
import { codeAt, countOf, digitSet, inSet, letterSet, runEnd } from '../text/chars.ts'
import { touchesOwnPlaceholder } from './placeholders.ts'

const unitsMin = 4
const unitsMax = 24
const known = new Set([
  'hunter2',
  'toor',
  'letmein',
  'qwerty',
  'qwertz',
  'iloveyou',
  'monkey',
  'dragon',
  'abc123',
  'qwerty123',
  'asdf1234'
])
/** Words that stand for a password, with common endings. */
const stems = [
  ...[
    'password',
    'passwort',
    'passwd',
    'pass',
    'admin',
    'administrator',
    'root',
    'welcome',
    'test',
    'secret',
    'changeme',
    'login',
    'user'
  ],
  ...[
    'qwerty',
    'letmein',
    'master',
    'guest',
    'demo',
    'geheim',
    'hallo',
    'hello',
    'contraseña',
    'senha',
    'azerty',
    'default',
    'temp'
  ]
]
const leet: Readonly<Record<string, string>> = { '@': 'a', '4': 'a', '3': 'e', '0': 'o', $: 's', '5': 's', '1': 'i' }
const markSet = '!@#$%&*?.'

/**
 * Whether `[start, end)` is such a password: a known one, or a stem with two digits or a symbol behind it, or in leet
 * spelling.
 */
export function isWeakPassword(text: string, start: number, end: number): boolean {
  const units = end - start
  if (units < unitsMin || units > unitsMax || countOf(text, start, end, letterSet) < 3) return false
  const value = text.slice(start, end)
  const lower = value.toLowerCase()
  if (known.has(lower)) return true
  if (touchesOwnPlaceholder(text, start, end)) return false
  const letters = runEnd(text, start, letterSet, units)
  const word = text.slice(start, letters).toLowerCase()
  if (stems.includes(word)) return isTail(text, letters, end)
  const spelled = Array.from(lower, (sign) => leet[sign] ?? sign).join('')
  const stem = stems.find((one) => one.length > 4 && spelled.startsWith(one) && !lower.startsWith(one))
  return stem !== undefined && (stem.length === units || isTail(text, start + stem.length, end, 1))
}

/** Whether only digits, at least two, or a symbol remain. */
function isTail(text: string, from: number, end: number, unitsMin = 2): boolean {
  let marks = 0
  for (let i = from; i < end; i++) {
    const code = codeAt(text, i)
    if (inSet(digitSet, code)) continue
    if (!markSet.includes(text.charAt(i))) return false
    marks++
  }
  return end - from >= unitsMin || marks > 0
}

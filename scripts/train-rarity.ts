/**
 * Learns the trigram table of `src/detection/values/rarity-table.ts` anew: `node scripts/train-rarity.ts`, after an `npm ci`.
 *
 * The text is what the packages below ship at their locked versions: program text, type declarations and
 * documentation. No labelled secret and no file that scanners are measured with is among it. Each distinct line counts
 * once, so that a package that ships its code twice does not count twice; lines of minified code and words that are
 * digests are left out. The same packages give the same table, byte by byte; a test compares its digest.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { rarityClass, rarityClassCount } from '../src/detection/values/rarity.ts'

const packages = [
  '@anthropic-ai/sdk',
  '@types/node',
  'ai',
  'ajv',
  'commander',
  'fast-check',
  'fastify',
  'find-my-way',
  'kysely',
  'openai',
  'pino',
  'semver',
  'undici',
  'zod'
]
const extensions = new Set(['.js', '.ts', '.md', '.json'])
const lineUnitsMax = 240
/** A word of this length with mixed letters and digits is a digest or a sample key. */
const digestUnitsMin = 18
const fileUnitsMax = 400_000
/** The weight of a shorter context relative to a longer one that was seen. */
const backOff = 3
const levels = 64
const levelBits = 0.25

const root = join(import.meta.dirname, '..')
const out = join(root, 'src', 'detection', 'values', 'rarity-table.ts')

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : files(path)
      return extensions.has(extname(entry.name)) ? [path] : []
    })
}

function isDigest(word: string): boolean {
  return word.length >= digestUnitsMin && /[0-9]/.test(word) && /[A-Za-z]/.test(word) && !/[_-]/.test(word)
}

const one = new Float64Array(rarityClassCount)
const two = new Float64Array(rarityClassCount ** 2)
const three = new Float64Array(rarityClassCount ** 3)

function learn(line: string): void {
  let before = 0
  let last = 0
  for (let i = 0; i <= line.length; i++) {
    const next = i < line.length ? rarityClass(line.charCodeAt(i)) : 0
    one[next] = (one[next] as number) + 1
    const pair = last * rarityClassCount + next
    two[pair] = (two[pair] as number) + 1
    const triple = (before * rarityClassCount + last) * rarityClassCount + next
    three[triple] = (three[triple] as number) + 1
    before = last
    last = next
  }
}

const seen = new Set<string>()
for (const name of packages) {
  for (const path of files(join(root, 'node_modules', name))) {
    const text = readFileSync(path, 'utf8')
    if (text.length > fileUnitsMax) continue
    for (const raw of text.split('\n')) {
      const line = raw.trim()
      if (line.length === 0 || line.length > lineUnitsMax || seen.has(line)) continue
      seen.add(line)
      learn(
        line
          .split(/([A-Za-z0-9_+/=-]+)/)
          .filter((word) => !isDigest(word))
          .join('')
      )
    }
  }
}

function rowSum(counts: Float64Array, row: number): number {
  let sum = 0
  for (let i = 0; i < rarityClassCount; i++) sum += counts[row * rarityClassCount + i] as number
  return sum
}

function levelOf(a: number, b: number, c: number, total: number): number {
  const single = ((one[c] as number) + 1) / (total + rarityClassCount)
  const pair = ((two[b * rarityClassCount + c] as number) + backOff * single) / (rowSum(two, b) + backOff)
  const row = a * rarityClassCount + b
  const triple = ((three[row * rarityClassCount + c] as number) + backOff * pair) / (rowSum(three, row) + backOff)
  return Math.min(levels - 1, Math.round(-Math.log2(triple) / levelBits))
}

const total = one.reduce((sum, count) => sum + count, 0)
const rows: string[] = []
for (let a = 0; a < rarityClassCount; a++) {
  let row = ''
  for (let b = 0; b < rarityClassCount; b++)
    for (let c = 0; c < rarityClassCount; c++) {
      const level = levelOf(a, b, c, total)
      row += level === 44 ? 'p' : String.fromCharCode(48 + level)
    }
  rows.push(row)
}
const digest = createHash('sha256').update(rows.join('')).digest('hex')
writeFileSync(
  out,
  `/**
 * How surprising each character is after the two before it, learned by \`scripts/train-rarity.ts\`. Do not edit.
 *
 * One row for each class of the first character of three, in it one for each class of the second, in it one level for
 * each class of the third. A level is one character from \`0\` on (\`p\` in place of the backslash).
 */

/** Bits of surprise that one level stands for. */
export const rarityLevelBits = ${levelBits}

/** SHA-256 of all rows in order. */
export const rarityDigest = '${digest}'

export const raritySurprise: readonly string[] = [
${rows.map((row) => `  '${row}'`).join(',\n')}
]
`
)
console.log(`${seen.size} lines, ${total} characters, digest ${digest}`)

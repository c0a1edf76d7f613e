/**
 * Generates lines of the kinds that fill an agent's prompt: code, search results, logs, history, lock files, diffs and
 * prose. They contain what makes a scanner work: digits, hashes, identifiers, URLs, the `@` of packages and decorators,
 * and names that look like keys.
 */
import type { SeededRandom } from '../test/support/random.ts'

const nouns = [
  ...['account', 'batch', 'cache', 'cursor', 'digest', 'entry', 'filter', 'header', 'index', 'job', 'key', 'ledger'],
  ...['node', 'order', 'parser', 'queue', 'record', 'session', 'stream', 'token', 'user', 'vector', 'window', 'worker'],
  ...[
    'anchor',
    'border',
    'bucket',
    'column',
    'corner',
    'engine',
    'field',
    'folder',
    'frame',
    'graph',
    'group',
    'image'
  ],
  ...['layer', 'level', 'margin', 'matrix', 'module', 'object', 'packet', 'panel', 'pixel', 'point', 'range', 'region'],
  ...[
    'result',
    'route',
    'sample',
    'schema',
    'screen',
    'section',
    'shape',
    'signal',
    'slice',
    'socket',
    'source',
    'symbol'
  ],
  ...['table', 'target', 'thread', 'timer', 'topic', 'value', 'widget']
]
const verbs = [
  ...['append', 'build', 'check', 'close', 'collect', 'decode', 'drain', 'encode', 'fetch', 'flush', 'load', 'merge'],
  ...['parse', 'read', 'resolve', 'send', 'split', 'store', 'update', 'verify', 'write']
]
const folders = ['src/api', 'src/core', 'src/store', 'packages/web/lib', 'test/unit', 'internal/sync']
const hex = '0123456789abcdef'
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const pastForms: Readonly<Record<string, string>> = {
  ...{ build: 'built', read: 'read', send: 'sent', split: 'split', verify: 'verified' },
  ...Object.fromEntries(verbs.filter((verb) => verb.endsWith('e')).map((verb) => [verb, `${verb}d`]))
}
const past = (verb: string): string => pastForms[verb] ?? `${verb}ed`
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const two = (value: number): string => String(value).padStart(2, '0')

export function path(random: SeededRandom): string {
  return `${random.pick(folders)}/${random.pick(nouns)}-${random.pick(nouns)}.ts`
}

function uuid(random: SeededRandom): string {
  return [8, 4, 4, 4, 12].map((length) => random.text(hex, length)).join('-')
}

function moment(random: SeededRandom): string {
  const day = `2026-${two(1 + random.below(12))}-${two(1 + random.below(28))}`
  return `${day}T${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}.${100 + random.below(900)}Z`
}

function setting(random: SeededRandom, name: string): string {
  const variable = `process.env.${name.toUpperCase()}`
  return random.below(8) === 0 ? `secret: ${variable}_SECRET` : `limit: Number(${variable}_LIMIT)`
}

function codeLine(random: SeededRandom): string {
  const [a, b, verb] = [random.pick(nouns), random.pick(nouns), random.pick(verbs)]
  switch (random.below(12)) {
    case 0:
      return `import { ${verb}${capital(a)} } from '@${b}s/${a}-kit'`
    case 1:
      return `export async function ${verb}${capital(a)}(${b}: ${capital(b)}, limit = ${random.below(5000)}): Promise<void> {`
    case 2:
      return `  if (${a}.${b}s.length === 0) throw new Error('${b} of ${a} is empty')`
    case 3:
      return `  const ${a}${capital(b)} = await this.${verb}(${a}.id, { timeoutMs: ${random.below(60_000)} })`
    case 4:
      return `  // The ${a} is ${past(verb)} before its ${b}, since a reader may hold the ${b} of an older ${a}.`
    case 5:
      return `  for (const [${a}Id, ${b}] of ${b}s.entries()) total += ${b}.size * ${random.below(900)} - ${random.below(90)}`
    case 6:
      return `  return response.json({ "${a}": ${random.below(100_000)}, "${b}": "${verb}", "ok": true })`
    case 7:
      return `  @${capital(verb)}({ ${a}: '/${b}s/:id', ${setting(random, a)} })`
    case 8:
      return `  await fetch(\`https://${a}.internal.example.net/v${random.below(4)}/${b}s?cursor=\${${b}Cursor}\`)`
    case 9:
      return `  const mask = 0x${random.text(hex, 8)} ^ (${a}.flags << ${random.below(31)})`
    case 10:
      return '  }'
    default:
      return `  ${a}.${b} = ${a}.${b} ?? ${verb}${capital(b)}(options.${a}Token, ${random.below(1000)})`
  }
}

function logLine(random: SeededRandom): string {
  const peer = `10.${random.below(255)}.${random.below(255)}.7`
  const said = `${random.pick(verbs)} requestId=${uuid(random)} peer=${peer} took=${random.below(9000)}ms status=200`
  return `${moment(random)} INFO  [${random.pick(nouns)}] ${said}`
}

function historyLine(random: SeededRandom): string {
  const said = `${random.pick(verbs)} the ${random.pick(nouns)} of the ${random.pick(nouns)} (#${random.below(9000)})`
  return `${random.text(hex, 40)} ${moment(random).slice(0, 10)} ${said}`
}

function lockLine(random: SeededRandom): string {
  const version = `${random.below(9)}.${random.below(40)}.${random.below(20)}`
  const integrity = `sha512-${random.text(base64, 86)}==`
  return `  "${random.pick(nouns)}-${random.pick(nouns)}": {"version": "${version}", "integrity": "${integrity}"},`
}

function proseLine(random: SeededRandom): string {
  const rule = `The ${random.pick(nouns)} must ${random.pick(verbs)} every ${random.pick(nouns)} once`
  return `${rule}; see ${path(random)}, and run the tests of the ${random.pick(nouns)} after each change.`
}

const makers: Record<string, (random: SeededRandom) => string> = {
  code: codeLine,
  search: (random) => `${path(random)}:${1 + random.below(900)}:${codeLine(random)}`,
  log: logLine,
  history: historyLine,
  lock: lockLine,
  diff: (random) => `${random.pick(['+', '-', ' '])}${codeLine(random)}`,
  prose: proseLine
}

/** Most of an agent's text is code; the rest is the output of its tools. */
const mixture = ['code', 'code', 'code', 'search', 'log', 'history', 'lock', 'diff', 'prose']

/** What a tool returned: lines of one kind, numbered if it read a file. */
export function toolResult(random: SeededRandom, lineCount: number): string {
  const kind = random.pick(mixture)
  const first = 1 + random.below(400)
  const lines = block(random, lineCount, kind)
  if (kind !== 'code') return lines
  return lines
    .split('\n')
    .map((line, i) => `${String(first + i).padStart(6)}\t${line}`)
    .join('\n')
}

/** The name of a tool (`merge_ledger`) or of one of its parameters (`ledger_window`). */
export const toolName = (random: SeededRandom): string => `${random.pick(verbs)}_${random.pick(nouns)}`
export const parameterName = (random: SeededRandom): string => `${random.pick(nouns)}_${random.pick(nouns)}`
/** A value among which the caller of a tool chooses. */
export const choice = (random: SeededRandom): string => random.pick(verbs)

/** What a tool's parameter is for. */
export function remark(random: SeededRandom): string {
  const rest =
    random.below(2) === 0
      ? ''
      : `, at most ${random.below(900)}, unless the ${random.pick(nouns)} is ${past(random.pick(verbs))}`
  return `The ${random.pick(nouns)} to ${random.pick(verbs)}${rest}.`
}

/** A block of lines, all of one kind. */
export function block(random: SeededRandom, lineCount: number, kind = random.pick(mixture)): string {
  const make = makers[kind] as (random: SeededRandom) => string
  return Array.from({ length: lineCount }, () => make(random)).join('\n')
}

/** A made-up mail address that detection finds. */
export function mail(random: SeededRandom): string {
  const name = `${random.pick(['ines', 'tomas', 'maren', 'lucia'])}.${random.pick(nouns)}${random.below(10_000)}`
  return [name, ['imaginary-bakery', 'com'].join('.')].join('@')
}

import assert from 'node:assert/strict'
import test from 'node:test'
import { pemFrame, pemLines } from '../detectors/formats/private-keys.ts'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import { guttersAround } from './gutters.ts'

const scanner = createScanner()
const value = filler(14)
const password = ['aB3$x(', '7"k#9', 'zQ;e'].join('')

/** Gutters that tools write before the lines they show. */
const gutters: Record<string, (line: number) => string> = {
  'a number and an arrow': (line) => `${String(line).padStart(6)}→`,
  'a number and a tab': (line) => `${String(line).padStart(6)}\t`,
  'the path and the number of grep': (line) => `deploy/app.yaml:${line}:`,
  'a number and a stroke': (line) => `${String(line).padStart(4)} | `,
  'the time and the level of a log': (line) => `2026-11-20T10:11:${line + 10}.123Z INFO [main] `,
  'the name of a container': () => 'web_1  | ',
  'a name in brackets': () => '[pod/web-1/app] ',
  'the mark of a comment': () => '// ',
  'the mark of a shell comment': () => '# ',
  'the mark of a removed line': () => '-',
  'the mark of a quotation': () => '> '
}

const numbered = Object.keys(gutters).slice(0, 4)

/** Texts over several lines, and their kind. */
const texts: Record<string, string> = {
  pem_private_key: pemFrame('RSA PRIVATE KEY', pemLines('\n')),
  k8s_secret_yaml: 'kind: Secret\nmetadata:\n  name: db\ndata:\n  first: bTRSOXYyS2tQbHFX',
  netrc_pgpass_gitcredentials: `machine git.acme.dev\n  login ops\n  password ${value}`,
  json_yaml_secret_field: `- name: DB_PASSWORD\n  value: ${value}`,
  env_assignment_secret: `variable "api_key" {\n  type = string\n  default = "${value}"\n}`
}

/** @param gutter the gutter of a line by its number, counted from 95 on, so that its width changes */
const shown = (text: string, gutter: (line: number) => string) =>
  ['intro', ...Array.from({ length: 4 }, () => 'more'), ...text.split('\n'), 'and on']
    .map((line, i) => gutter(i + 95) + line)
    .join('\n')

for (const [name, gutter] of Object.entries(gutters)) {
  test(`values on several lines are found behind ${name}`, () => {
    for (const [kind, text] of Object.entries(texts)) {
      const whole = shown(text, gutter)
      const found = scanner.scan(whole).filter((one) => one.kind === kind)
      assert.equal(found.length, 1, kind)
      if (kind !== 'pem_private_key') continue
      const block = whole.slice(found[0]?.start, found[0]?.end)
      assert.ok(block.startsWith('-----BEGIN ') && block.endsWith(' PRIVATE KEY-----'), block)
    }
  })
}

test('a long key is covered to its end', () => {
  const long = pemFrame('PRIVATE KEY', Array.from({ length: 99 }, () => filler(64)).join('\n'))
  for (const gutter of Object.values(gutters)) {
    const whole = shown(long, gutter)
    const [found] = scanner.scan(whole)
    assert.ok(whole.slice(found?.start, found?.end).endsWith('-----END PRIVATE KEY-----'))
  }
})

test('a password with symbols may fill its line behind a number or a path', () => {
  for (const name of numbered) {
    const text = shown(`DB_PASSWORD=${password}`, gutters[name] as (line: number) => string)
    assert.deepEqual(
      scanner.scan(text).map(({ start, end }) => text.slice(start, end)),
      [password],
      name
    )
  }
})

test('indents, words and unmarked lines are not gutters', () => {
  for (const text of ['  kind: Secret\n  name: x', 'kind: Secret\nkinds: 2', 'value: 1\nvalues: 2', 'x machine y\nx z'])
    assert.deepEqual(guttersAround(text, text.search(/kind|value|machine/)), [], text)
})

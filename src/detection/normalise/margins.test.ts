import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import { hasMargin, MarginReader } from './margins.ts'

const scanner = createScanner()
const value = filler(16)

/** What tools make of a text whose first line is shown as line 98. */
const margins: Record<string, (lines: readonly string[]) => string> = {
  'cat -n': (lines) => numbered(lines, (number) => `${String(number).padStart(6)}\t`),
  'a number and a tab': (lines) => numbered(lines, (number) => `${number}\t`),
  'a number and an arrow, behind an introduction': (lines) =>
    `Here is app.conf:\n${numbered(lines, (number) => `${String(number).padStart(6)}→`)}`,
  'a number and a stroke': (lines) => numbered(lines, (number) => `${number} | `),
  'a number and a colon, behind tags': (lines) =>
    `<path>/srv/app.conf</path>\n<content>\n${numbered(lines, (number) => `${number}: `)}\n</content>`,
  'a letter and a number': (lines) => numbered(lines, (number) => `L${number}: `),
  'lines that grep found, with those around them': (lines) =>
    numbered(lines, (number) => `srv/app-2.conf${number % 2 ? '-' : ':'}${number}${number % 2 ? '-' : ':'}`),
  'a second group of them': (lines) =>
    `a.md:1:top\na.md-2-text\n--\n${numbered(lines, (number) => `a.md${number % 3 ? '-' : ':'}${number}${number % 3 ? '-' : ':'}`)}`,
  'lines that grep found in one file': (lines) => `96:[main]\n97-# \n${numbered(lines, (number) => `${number}-`)}`,
  'a second listing': (lines) =>
    `<a>\n1\tfirst\n2\tsecond\n</a>\n<b>\n${numbered(lines, (number) => `${number}\t`)}\n</b>`,
  'a diff': (lines) =>
    `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -7,2 +7,${lines.length + 2} @@ top\n above\n${added(lines)}\n below\n-- \n2.40`,
  'a patch': (lines) => `*** Begin Patch\n*** Update File: x\n@@\n above\n-gone\n${added(lines)}\n*** End Patch`,
  'logs of two containers': (lines) =>
    numbered(lines, (number) => (number === 98 ? 'queue_worker-12  | ' : 'db-1             | ')),
  'logs of a container, with the moment': (lines) => numbered(lines, () => `web_1  | ${moment}56789Z `),
  'a log of a container, behind what introduces it': (lines) =>
    `Attaching to web-1\n${numbered(lines, () => 'web-1  | ')}\nweb-1 exited with code 0`,
  'a log of a pod': (lines) => numbered(lines, () => '[pod/web-5d9c7b8f6d-x2x7k/app] '),
  'a log with the moment': (lines) => numbered(lines, () => `${moment}56789+01:00 `),
  'a log of a job on GitHub': (lines) =>
    numbered(lines, (number) => `build (24.x)\tRun a/b@v4.1\t${number === 98 ? '\ufeff' : ''}${moment}567Z `),
  'a log of a job on GitLab': (lines) => numbered(lines, (number) => `${moment}56Z 01O${number === 100 ? '+' : ' '}`),
  'a quotation': (lines) => numbered(lines, () => '> '),
  'a quotation of a quotation, behind an answer': (lines) =>
    `Dear Ana,\n\nsee below.\n\n>> Hi,\n>\n${numbered(lines, (number) => (number % 2 ? '>> ' : '> > '))}\n\nBo`,
  'a quotation without blanks': (lines) => `<b>\n> On Monday Bo wrote:\n${numbered(lines, () => '>')}`,
  'a listing in a string': (lines) =>
    JSON.stringify({ output: numbered(lines, (number) => `${String(number).padStart(6)}\t`) })
}

const moment = '2026-11-28T10:11:59.1234'
const numbered = (lines: readonly string[], gutter: (number: number) => string): string =>
  lines.map((line, i) => gutter(i + 98) + line).join('\n')
const added = (lines: readonly string[]): string => lines.map((line) => `+${line}`).join('\n')

/** Texts in which only another line says that `value` is a secret. */
const texts: Record<string, readonly string[]> = {
  'a ruled table': ['| host | password |', '|------|----------|', `| db01 | ${value} |`],
  'an element below its name': ['<dict>', '\t<key>ClientSecret</key>', `\t<string>${value}</string>`, '</dict>'],
  'a pair of two members': ['{', '  "key": "client_secret",', `  "value": "${value}"`, '}'],
  'a list below its section': ['[passwords]', `ops = ${value}`, '']
}

describe('values that another line reveals are found behind', () => {
  for (const [name, margin] of Object.entries(margins))
    it(name, () => {
      for (const [what, lines] of Object.entries(texts)) {
        const text = margin(lines)
        const found = scanner.scan(text).filter(({ group }) => group === 'secret')
        assert.deepEqual(
          found.map(({ start, end }) => text.slice(start, end)),
          [value],
          what
        )
      }
    })
})

/** The text without its margin, read in steps of some units. */
function plainOf(text: string, units = Infinity): string {
  const reader = new MarginReader(text)
  while (!reader.step(units));
  const { plain } = reader
  for (let i = 0; i < plain.length; i++) assert.equal(text[reader.placeOf(i)], plain[i])
  return plain
}

it('the margin is left out in any steps', () => {
  const lines = ['', 'one', '  two', '', 'three']
  for (const [name, margin] of Object.entries(margins).slice(0, 4)) {
    const text = `${margin(lines)}\n\nbehind it`
    assert.ok(hasMargin(text), name)
    const plain = `${name.includes('introduction') ? 'Here is app.conf:\n' : ''}${lines.join('\n')}\n\nbehind it`
    for (const units of [1, 7, Infinity]) assert.equal(plainOf(text, units), plain, name)
  }
})

it('a hunk has as many lines as its head says', () => {
  const head = '@@ -1,2 +1,2 @@\n'
  assert.equal(plainOf(`${head} same\n-old\n+new\n+not in it\n`), `${head}same\nold\nnew\n+not in it\n`)
  assert.equal(plainOf(`${head} same\nno hunk\n+not in it`), `${head}same\nno hunk\n+not in it`)
  assert.equal(plainOf('@@ -1 +1 @@\n-a\n\\ No newline\n+b\n+c'), '@@ -1 +1 @@\na\n\\ No newline\nb\n+c')
})

it('columns and lists are no margin', () => {
  for (const text of [
    'id\tuser\tpassword\n1\tana\tx\n2\tbo\ty\n3\tcy\tz',
    ' id | user\n----+-----\n  1 | ana\n  2 | bo\n  3 | cy',
    'codes for today\n1: red\n2: blue\n3: green',
    '1\tone\n3\tthree\n5\tfive',
    '1: one\n2: two',
    'id\tuser\tpassword (old)\r\n1\tana\tx\r\n2\tbo\ty\r\n3\tcy\tz',
    'id|user|names [all]\n1|ana|x\n2|bo|y\n3|cy|z',
    'hosts:\n2001:db8:85a3::8a2e\n2002:db8:85a3::8a2e\n2003:db8:85a3::8a2e',
    '12:30 lunch\n13:30 walk',
    '2026-11-28T10:11:59 up\n2026-11-28T10:12:02 down\n2026-11-28T10:13:02 up',
    'ana:x:1001:1001::/home/ana\nbo:x:1002:1002::/home/bo',
    'app.conf:3:port\napp.conf:9:host',
    '1-one\n2-two\n3-three',
    '2026-11-28T10:11:59.123Z up\n2026-11-28T10:12:02.123Z down',
    '2026-11-28T10:11:59.123456Z up\n2026-11-28T10:12:02.123456Z down',
    'web | up\ndb | down',
    'web-1 | up\nrate 3 | down',
    'web-1  | up\nno container',
    'ssn_1  | 4\nssn_2  | 5\ndob_1  | 6',
    'key | user\nblue-lantern-42 | bo\ngreen-kettle-17 | ana',
    `user\tkey\tmade\nbo\tkettle17\t${moment}567Z new\nana\tlamp42\t${moment}567Z new`,
    '[INFO] up\n[INFO] down',
    'a\tb\tc\nd\te\tf',
    '>>> one\n>>> two',
    'first\n> help\nWhat can be asked.\n> exit',
    'plain words\nand more'
  ]) {
    assert.equal(hasMargin(text), false, text)
    assert.equal(plainOf(text), text)
  }
})

it('what may hold a value is no path that grep printed', () => {
  for (const path of [
    `x/${'AKIA' + filler(16, 'BCDFGHJK23456789')}`,
    `https://ops:${value}@git.acme.dev/x`,
    `token=x.${value}`,
    'ana@acme.dev',
    '35.239.72.50',
    'x/536228712',
    'password'
  ])
    assert.equal(hasMargin(`${path}:12:a\n${path}:13:b\n`), false, path)
  for (const path of [
    'node_modules/@acme/shop@1.2.0/a.js',
    'C:\\src\\shop.cs',
    'app/[id]/Ж.tsx',
    'Makefile',
    'log/2026-11-28.log'
  ])
    assert.equal(hasMargin(`${path}:12:a\n${path}:13:b\n`), true, path)
})

it('what may hold a value is no name of a container or of a step', () => {
  for (const line of [
    `${filler(16).toLowerCase()}-1  | `,
    '536228712-1  | ',
    `${['529.982', '247-25'].join('.')} | `,
    '415-736-220 | ',
    `build\tRun login -p kettle17\t${moment}567Z `,
    `build\tRun login Tr0ub4dor\t${moment}567Z `,
    `Ana\t${['536', '22', '8712'].join('-')}\t${moment}567Z `,
    `Ana\t(415) 736-2201\t${moment}567Z `,
    `build\tRun x ${value}\t${moment}567Z `,
    `build\tana@acme.dev\t${moment}567Z `
  ])
    assert.equal(hasMargin(`${line}a\n${line}b\n`), false, line)
})

it('a number on a line of its own is no finding in a listing, as in no file', () => {
  const number = ['536', '22', '8712'].join('')
  assert.deepEqual(scanner.scan(`1\tids\n2\t${number}\n3\t`), [])
})

it('a number that is also found within a line is found on one of its own in a listing', () => {
  const card = ['4539', '1488', '0343', '6467'].join('')
  for (const [kind, number] of [
    ['us_ssn', '512-44-6723'],
    ['credit_card', card]
  ]) {
    const text = `1\tids\n2\t${number}\n3\t${number}\n`
    const found = scanner.scan(text).map((one) => `${one.kind} ${text.slice(one.start, one.end)}`)
    assert.deepEqual(found, [`${kind} ${number}`, `${kind} ${number}`])
  }
})

it('a key in a hunk or a patch without signs keeps its dashes', () => {
  const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} PRIVATE KEY-----`)
  const key = [begin, ...Array.from({ length: 12 }, (_, i) => filler(64, undefined, i + 1)), end].join('\n')
  for (const head of ['@@ -1,20 +1,20 @@', '*** Begin Patch\n*** Add File: key']) {
    const text = `${head}\n${key}\n`
    const found = scanner.scan(text).filter(({ kind }) => kind === 'pem_private_key')
    assert.deepEqual(
      found.map((one) => text.slice(one.start, one.end)),
      [key],
      head
    )
  }
})

it('a listing is scanned in steps like any text', () => {
  const text = Array.from({ length: 3000 }, (_, i) => `${i + 1}\tpassword = "${filler(14, undefined, i + 1)}"`).join(
    '\n'
  )
  const run = scanner.begin(text)
  let steps = 1
  while (!run.step(4096)) steps++
  assert.ok(steps > text.length / 4096, `${steps} steps`)
  assert.deepEqual(run.findings(), scanner.scan(text))
  assert.equal(run.findings().length, 3000)
})

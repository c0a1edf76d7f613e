import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import test from 'node:test'
import fc from '../../../test/support/property.ts'
import type { Detector } from '../detector.ts'
import { base62Set } from '../text/chars.ts'
import type { Finding } from '../findings.ts'
import { matchForms } from '../keys/fixed-key.ts'
import { HardText } from './hard-text.ts'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import { blockUnits, TextBlock } from './text-block.ts'

const prefix = ['zq', 'k', ''].join('_')
const key = prefix + filler(40)
/** A kind with a prefix and a length, so that these tests do not depend on a built-in one. */
const detector: Detector = {
  id: 'zqk',
  label: 'ZQK',
  title: 'key',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: prefix }],
  match: matchForms([{ prefix, set: base62Set, min: 40, max: 40 }]),
  hits: () => [key],
  misses: () => [],
  source: 'made up here'
}
const scanner = createScanner([detector])

const each = (text: string, write: (code: number) => string) =>
  Array.from(text, (one) => write(one.charCodeAt(0))).join('')
const hex = (code: number, width: number) => code.toString(16).padStart(width, '0')
const percent = (text: string) => each(text, (code) => '%' + hex(code, 2))
const unicode = (text: string) => each(text, (code) => '\\u' + hex(code, 4))
const base64 = (text: string) => Buffer.from(text).toString('base64')
const insert = (what: string, at = 9) => key.slice(0, at) + what + key.slice(at)

const writings: Record<string, string> = {
  'a zero-width space': insert('\u200b'),
  'zero-width joiners everywhere': [...key].join('\u200d'),
  'a soft hyphen': insert('\u00ad'),
  'marks of direction': insert('\u202e\u2066'),
  'a grapheme joiner': insert('\u034f'),
  'a Mongolian vowel separator': insert('\u180e'),
  'a byte order mark': insert('\ufeff'),
  tags: insert('\u{e0041}\u{e007f}'),
  'a variation selector': insert('\ufe0f'),
  'combining marks everywhere': [...key].join('\u0301') + '\u0301',
  'full-width letters': each(key, (code) => String.fromCharCode(code + 0xfee0)),
  'letters of mathematics': each(key, (code) =>
    code >= 97 && code <= 122 ? String.fromCodePoint(0x1d41a + code - 97) : String.fromCharCode(code)
  ),
  'Cyrillic look-alikes': key.replaceAll('o', 'о').replaceAll('a', 'а').replaceAll('T', 'Т'),
  'percent escapes': percent(key),
  'two layers of percent escapes': percent(percent(key)),
  'one percent escape': insert('', 3).replace('_', '%5F'),
  '\\u escapes': unicode(key),
  '\\u escapes in a string in a string': unicode(key).replaceAll('\\', '\\\\'),
  'one \\u{} escape': key.replace('_', '\\u{5f}'),
  'one \\x escape': key.replace('_', '\\x5F'),
  'a decimal reference': key.replace('_', '&#95;'),
  'a hexadecimal reference': key.replace('_', '&#x5f;'),
  'a named reference': key.replace('_', '&lowbar;'),
  'a reference to a zero-width space': insert('&#8203;'),
  base64: base64(key),
  'base64 of base64': base64(base64(key)),
  'base64 of a text around it': base64(`the key is ${key}, use it`),
  'base64url of it behind odd bytes': Buffer.from('>>>???' + ' ' + key).toString('base64url'),
  'base64 of UTF-16': Buffer.from(`$k = "${key}"`, 'utf16le').toString('base64'),
  'base64 of it between lines, wrapped': base64('a line of text\n'.repeat(9) + key + '\n').replaceAll(/.{76}/g, '$&\n'),
  'base64 of it between lines, wrapped in a JSON string': base64('a line of text\n'.repeat(9) + key).replaceAll(
    /.{64}/g,
    '$&\\n'
  ),
  'percent escapes of base64': percent(base64(key)),
  'the escapes of Markdown': key.replaceAll('_', '\\_'),
  'the escapes of Markdown in a string': key.replaceAll('_', '\\\\_'),
  'UTF-16 that was read as another charset': [...key].join('\0'),
  'a line break': insert('\n', 30),
  'a line break and an indent': insert('\r\n    ', 30),
  'a line continued': insert('\\\n'),
  'two strings': insert('" + "'),
  'three strings over two lines': insert("'+'", 2).slice(0, 20) + "' +\n  '" + insert("'+'", 2).slice(20),
  'a PHP concatenation': insert("' . '"),
  'a template concatenation': insert('` + `'),
  'a Lua concatenation': insert('" .. "'),
  'a SQL concatenation': insert("' || '"),
  'a Basic concatenation': insert('" & "'),
  'two strings side by side': insert('" "', 20),
  'two strings side by side on two lines': insert('"\n    "', 30),
  'a concatenation in a change': insert('" +\n+    "'),
  'a colour within it': insert('\u001b[1;31m'),
  'a colour within it, in a string': insert('\\u001b[1;31m')
}

for (const [name, written] of Object.entries(writings)) {
  test(`a key is found in ${name}, and all of it is covered`, () => {
    for (const [before, after] of [
      ['', ''],
      ['"', '"'],
      ['let it be ', ' and more.'],
      ['x = "', '";\n' + 'y'.repeat(50)]
    ] as const) {
      const found = scanner.scan(before + written + after)
      assert.deepEqual(
        found.map(({ kind, tier, confidence }) => [kind, tier, confidence]),
        [['zqk', 'high', 'strong']],
        before
      )
      const { start, end } = found[0] as Finding
      // A mark may trail the last letter without being a part of the key.
      assert.ok(start === before.length && end >= before.length + written.length - 1, `${start}-${end}`)
      assert.ok(end <= before.length + written.length)
    }
  })
}

test('terminal colours and the signs of a diff do not hide the key next to them', () => {
  for (const [before, after] of [
    ['\u001b[31m', '\u001b[0m'],
    ['config.env:\u001b[01;31m\u001b[K', '\u001b[m\u001b[K'],
    ['\\u001b[31m', '\\u001b[39m'],
    ['\\x1b[32m', '\\x1b[0m'],
    ['\\e[32m', '\\033[0m'],
    ['\u001b(B\u001b[m', ''],
    ['old\n-', '\n'],
    ['-', '\n'],
    ['old\\n-', '\\n+'],
    ['%0A', '%0A']
  ] as const) {
    const found = scanner.scan(before + key + after)
    assert.deepEqual(
      found.map(({ start, end }) => [start, end]),
      [[before.length, before.length + key.length]],
      before
    )
  }
})

test('terminal colours do not hide a value in quotes from its name, nor a line below that looks like the rest of it', () => {
  const all = createScanner()
  const value = filler(20)
  const blue = '\u001b[34;1m'
  const green = '\u001b[0;32m'
  const off = '\u001b[0m'
  for (const [before, after] of [
    [`{\n  ${blue}"password"${off}${blue}:${off} ${green}"`, `"${off}${blue},${off}\n  ${blue}"port"${off}: 5432\n}`],
    [`{${green}'host'${off}: ${green}'db'${off}, ${green}'password'${off}: ${green}'`, `'${off}}`],
    [`            'password' => \\u001b[32m'`, "'\\u001b[0m,\n"],
    [`${blue}JWT_SECRET${off}=`, '\nKUBERNETES_PORT_443_TCP_ADDR=10.96.0.1\n']
  ] as const) {
    const found = all.scan(before + value + after)
    assert.deepEqual(
      found.map(({ start, end }) => [start, end]),
      [[before.length, before.length + value.length]],
      before
    )
  }
})

test('a name is read despite doubled quotes, entities and other blanks behind it', () => {
  const value = filler(20)
  const all = createScanner()
  for (const [before, after] of [
    ['1,"{""password"": ""', '""}",x'],
    ['DB_PASSWORD =\u00a0', ''],
    ['password\u00a0: ', ''],
    ['{&quot;password&quot;: &quot;', '&quot;}'],
    ['password = &quot;', '&quot;'],
    ['password=&#39;', '&#39;'],
    ['password: \u202d', '\u202c']
  ] as const) {
    const text = before + value + after
    const [found] = all.scan(text)
    // A blank of another sort may count to the value, and so may marks of direction.
    assert.equal(text.slice(found?.start, found?.end).replaceAll(/[\s\u202c\u202d]/g, ''), value, before)
  }
})

test('adjacent strings that are two values remain two', () => {
  const all = createScanner()
  const [first, second] = [filler(16), filler(12, undefined, 5)]
  for (const text of [`login "${first}" "${second}"`, `password "${first}" "${second}"`])
    for (const found of all.scan(text)) assert.ok(!text.slice(found.start, found.end).includes('"'), text)
})

test('a quoted-printable soft break does not hide a key', () => {
  const line = 'Dear all, the key that you will want is this one: '
  const text = line + key.slice(0, 75 - line.length) + '=\r\n' + key.slice(75 - line.length) + '.'
  assert.deepEqual(
    scanner.scan(text).map(({ start, end }) => [start, end]),
    [[line.length, text.length - 1]]
  )
})

test('hidden keys are found at every place of a long text, however it is divided', () => {
  const names = Object.keys(writings)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 0, max: 12_000 })), {
        minLength: 1,
        maxLength: 4
      }),
      fc.integer({ min: 1, max: 3 * blockUnits }),
      (parts, units) => {
        let text = ''
        const starts: number[] = []
        for (const [name, gap] of parts) {
          text += 'lorem ipsum dolor '.repeat(Math.ceil(gap / 18)) + '\n(('
          starts.push(text.length)
          text += writings[name] + '))\n' + '. '.repeat(40)
        }
        const whole = scanner.scan(text)
        assert.deepEqual(
          whole.map(({ start }) => start),
          starts
        )
        const run = scanner.begin(text)
        while (!run.step(units));
        assert.deepEqual(run.findings(), whole)
      }
    ),
    { numRuns: 60 }
  )
})

test('writing in other scripts, emoji and ordinary escapes are not read twice', () => {
  const innocent = [
    '👩‍👩‍👧‍👦 👨🏽‍💻 🏳️‍🌈 1️⃣ ❤️ '.repeat(50),
    'می‌خواهم کتاب‌ها را بخوانم '.repeat(50),
    'क्‍ष श्री नमस्ते '.repeat(50),
    'שָׁלוֹם עֲלֵיכֶם \u200f '.repeat(50),
    '這是一段中文,沒有密鑰。「你好」!'.repeat(50),
    'Это обычный русский текст, в нём нет ключей. '.repeat(50),
    'Straße, café, naïve, 5\u00a0% – “quoted” … '.repeat(50),
    '"\\u4f60\\u597d\\u4e16\\u754c",'.repeat(50),
    'x=a%20b%20c&y=%E4%BD%A0;'.repeat(50),
    '\\x00\\x01\\x1b0m'.repeat(50),
    '&nbsp;&amp;&lt;&quot;&#8217; '.repeat(50),
    '<a href="x">' + 'a + b; c + d; '.repeat(50),
    `github.com/a/b v1.2.3 h1:${filler(43)}=\n`.repeat(20),
    `data:image/png;base64,iVBORw0KGgo${filler(4000)}`,
    `${filler(40, '0123456789abcdef')}\n`.repeat(3),
    '[\\w\\-.]+ \\d{3}\\-\\d{4} (?:a|b)\\=c \\_x C:\\_y '.repeat(50),
    'PK\u0003\u0004\0\0\0 \0\u0001\0 '.repeat(50),
    'C:\\users\\x\\next\\unit\n'.repeat(20)
  ]
  for (const text of innocent) {
    const read: string[] = []
    const hard = new HardText(text, {
      shadow: (shadow) => read.push(shadow.text),
      decoded: (one) => read.push(one.text),
      nested: (one) => read.push(one.text),
      run: () => undefined,
      spend: () => undefined
    })
    for (let at = 0; at < text.length; at++)
      if (text.charCodeAt(at) > 127 || '%&\\="\'+\0'.includes(text.charAt(at))) hard.signal(at)
    const block = new TextBlock()
    for (let at = 0; at < text.length; at += blockUnits) {
      block.load(text, at, Math.min(text.length, at + blockUnits))
      hard.endBlock(block)
    }
    assert.deepEqual(read.slice(0, 1), [], text.slice(0, 40))
  }
})

test('other lines that belong together are not joined into keys', () => {
  const half = key.slice(0, 30)
  for (const text of [
    half + '\nexport',
    half + '\n\n' + key.slice(30),
    `"${half}",\n"${key.slice(30)}"`,
    `["${half}", "${key.slice(30)}"]`
  ])
    assert.deepEqual(scanner.scan(text), [], text)
  // What is whole at the end of its line does not grow into the next.
  assert.deepEqual(
    scanner.scan(key + '\nabc123def').map(({ end }) => end),
    [key.length]
  )
})

test('a value found in hidden text is recognised later, in plain and hidden text', () => {
  const secret = filler(40, undefined, 11)
  const byName: Detector = {
    ...detector,
    anchors: [{ literal: 'zebra=' }],
    match: (_text, at) => ({ start: at + 6, end: at + 46, confidence: 'strong', byContext: true })
  }
  const recalling = createScanner([byName])
  const memory = recalling.createMemory()
  recalling.scan(base64('zebra=' + secret), memory)
  assert.deepEqual(
    recalling.scan(`and ${secret} again`, memory).map(({ start, end }) => [start, end]),
    [[4, 44]]
  )
})

test('a listing of any length is read to its end', () => {
  const whole = Array.from({ length: 1200 }, (_, line) => `${String(line).padStart(6)}\tdefault = ${line}\n`).join('')
  for (let units = 11_000; units < 17_000; units += 37) {
    const text = `${whole.slice(0, units)}\n${key}`
    assert.equal(scanner.scan(text).length, 1, `${units} units`)
    scanner.scan(whole.slice(0, units))
  }
})

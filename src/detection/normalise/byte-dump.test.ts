/** Secrets in dumps of bytes are masked in their digits and in the text next to them. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import { DumpReader } from './byte-dump.ts'

const scanner = createScanner()
const value = filler(20)
const other = filler(20, undefined, 9)
const textWith = (secret: string): string =>
  `# settings of the shop\nDB_PASS${'WORD'}=${secret}\nPORT=80\n\nsecret_key = "${secret}"\n`

const hex = (code: number): string => code.toString(16).padStart(2, '0')
const readable = (code: number): string => (code >= 32 && code < 127 ? String.fromCharCode(code) : '.')

function dump(text: string, line: (bytes: readonly number[], offset: number) => string): string {
  const bytes = [...Buffer.from(text)]
  let out = ''
  for (let at = 0; at < bytes.length; at += 16) out += `${line(bytes.slice(at, at + 16), at)}\n`
  return out
}
const offset = (at: number, digits = 8, radix = 16): string => at.toString(radix).padStart(digits, '0')
const grouped = (bytes: readonly number[], units: number): string =>
  bytes
    .map(hex)
    .join('')
    .replaceAll(new RegExp(`.{1,${units}}`, 'g'), '$& ')
const words = (bytes: readonly number[]): string =>
  bytes.map((code, i) => (i % 2 === 0 ? ` ${hex(bytes[i + 1] ?? 0)}${hex(code)}` : '')).join('')
const cell = (code: number): string => (code === 10 ? '\\n' : String.fromCharCode(code)).padStart(4)

const tools: Readonly<Record<string, (text: string) => string>> = {
  xxd: (text) =>
    dump(text, (bytes, at) => `${offset(at)}: ${grouped(bytes, 4).padEnd(41)} ${bytes.map(readable).join('')}`),
  'xxd -g 1': (text) =>
    dump(text, (bytes, at) => `${offset(at)}: ${grouped(bytes, 2).padEnd(49)} ${bytes.map(readable).join('')}`),
  'hexdump -C': (text) =>
    dump(text, (bytes, at) => {
      const halves = `${grouped(bytes.slice(0, 8), 2)} ${grouped(bytes.slice(8), 2)}`
      return `${offset(at)}  ${halves.padEnd(50)}|${bytes.map(readable).join('')}|`
    }),
  hexdump: (text) => dump(text, (bytes, at) => `${offset(at, 7)}${words(bytes)}`),
  'od -t x1': (text) => dump(text, (bytes, at) => `${offset(at, 7, 8)} ${grouped(bytes, 2).trimEnd()}`),
  'od -c': (text) => dump(text, (bytes, at) => `${offset(at, 7, 8)}${bytes.map(cell).join('')}`),
  'xxd, indented': (text) => tools['xxd']!(text).replaceAll(/^/gm, '    ')
}

test('no byte of a secret stays readable, wherever its lines were broken', () => {
  for (const [tool, print] of Object.entries(tools))
    for (let shift = 0; shift < 16; shift++) {
      const text = print('x'.repeat(shift) + textWith(value))
      const differing = print('x'.repeat(shift) + textWith(other))
      const found = scanner.scan(text).filter(({ confidence }) => confidence !== 'weak')
      for (let i = 0; i < text.length; i++)
        if (text[i] !== differing[i])
          assert.ok(
            found.some(({ start, end }) => start <= i && i < end),
            `${tool}, ${shift} before: ${text.slice(0, i)}[]`
          )
      assert.ok(
        found.every(({ start, end }) => !text.slice(start, end).includes('settings')),
        tool
      )
    }
})

/** The text of a dump. */
const readIn = (text: string): string | undefined => new DumpReader(text).read(text.indexOf('0000000'))?.text

test('a dump is read as its bytes', () => {
  const text = textWith(value)
  // A backslash and a letter stand for one byte, and so does a blank.
  for (const [tool, print] of Object.entries(tools)) assert.equal(readIn(print(text)), text, tool)
})

test('other text than dumps is not read', () => {
  for (const text of [
    '00000000: the first of them\n',
    'commit 00000000 by nobody\n',
    '0000000 1 2 3\n',
    '00000000: 7f45 4c46 0201 0100 0000 0000 0000 0000  .ELF............\n',
    'id 0000000  ok\n'
  ])
    assert.equal(readIn(text), undefined, text)
})

/** Wrappings in data: settings files, markup, tables, wire formats. */
import {
  encoded,
  escaped,
  framed,
  prefixed,
  within,
  wrapped,
  written,
  Writer,
  type Material,
  type Wrapped,
  type Wrapping
} from './wrapped.ts'

const json = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r', '\u001b': '\\u001b', '\0': '\\u0000' }
const xml = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const percent = (char: string): string => (/[\w.~-]/.test(char) ? char : encodeURIComponent(char))
const inJson = escaped('{"id": 7, "text": "', json, '", "ok": true}')
const base64 = (bytes: Buffer): string => bytes.toString('base64')
const oneLine = (head: string, tail = ''): Wrapping => escaped(head, { '\n': ' ' }, tail)

/** Each line of a text as a string of a list, as notebooks store the lines of a cell. */
function notebook({ text }: Material): Wrapped {
  const writer = new Writer(text.length).frame(
    '{"cells": [{"cell_type": "code", "source": [\n    "import os\\n",\n    "'
  )
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    writer.put(i, json[char as keyof typeof json] ?? char)
    if (char === '\n') writer.frame('",\n    "')
  }
  return writer.frame('"\n   ]}]}\n').done()
}

/** `xxd` or `hexdump -C`: 16 bytes per line, with their characters behind them. */
function hexDump(withBars: boolean): Wrapping {
  return ({ text }) => {
    const writer = new Writer(text.length)
    for (let row = 0; row < text.length; row += 16) {
      const chars = text.slice(row, row + 16)
      const bytes = [...Buffer.from(chars, 'latin1')].map((byte) => byte.toString(16).padStart(2, '0'))
      const pairs = bytes.map((byte, i) => (withBars ? `${byte} ` : i % 2 === 1 ? `${byte} ` : byte)).join('')
      writer.frame(`${row.toString(16).padStart(8, '0')}${withBars ? '  ' : ': '}${pairs.padEnd(withBars ? 50 : 41)}`)
      writer.frame(withBars ? '|' : ' ')
      for (let i = 0; i < chars.length; i++) writer.put(row + i, /[ -~]/.test(chars.charAt(i)) ? chars.charAt(i) : '.')
      writer.frame(withBars ? '|\n' : '\n')
    }
    return writer.done()
  }
}

export const dataWrappings: Readonly<Record<string, Wrapping>> = {
  'as it is': framed(''),
  'JSON string': inJson,
  'JSON in JSON': within(escaped('{"arguments": "', json, '"}'), inJson),
  'JSON in JSON in JSON': within(
    escaped('{"body": "', json, '"}'),
    within(escaped('{"arguments": "', json, '"}'), inJson)
  ),
  'JSON lines': within(framed('{"id":1,"text":"ready"}\n', '\n{"id":3,"text":"done"}\n'), inJson),
  'YAML plain': oneLine('id: 7\nnote: ', '\nport: 80\n'),
  'YAML double quotes': escaped('id: 7\nnote: "', json, '"\nport: 80\n'),
  'YAML single quotes': escaped("id: 7\nnote: '", { "'": "''", '\n': ' ' }, "'\nport: 80\n"),
  'YAML folded': wrapped(80, '\n  ', 'note: >-\n  '),
  'YAML literal': prefixed(() => '  ', 'id: 7\nnote: |\n', '\nport: 80\n'),
  TOML: escaped('[main]\nnote = "', json, '"\nport = 80\n'),
  'TOML three quotes': framed('[main]\nnote = """\n', '"""\nport = 80\n'),
  ini: oneLine('[main]\nnote = ', '\nport = 80\n'),
  properties: escaped(
    'app.note=',
    { ':': '\\:', '=': '\\=', '\\': '\\\\', '\n': '\\n', '#': '\\#' },
    '\napp.port=80\n'
  ),
  'XML text': escaped('<c><note>', xml, '</note><port>80</port></c>'),
  'XML attribute': escaped('<c note="', { ...xml, '"': '&quot;', '\n': '&#10;' }, '" port="80"/>'),
  'XML CDATA': framed('<c><note><![CDATA[', ']]></note></c>'),
  'HTML escaped': escaped('<pre>', { ...xml, '"': '&quot;', "'": '&#39;', '/': '&#x2F;', '=': '&#x3D;' }, '</pre>'),
  'CSV quoted': escaped('id,note,port\n7,"', { '"': '""' }, '",80\n'),
  'CSV plain': oneLine('id,note,port\n7,', ',80\n'),
  TSV: oneLine('id\tnote\tport\n7\t', '\t80\n'),
  'SQL string': escaped("UPDATE t SET note = '", { "'": "''" }, "' WHERE id = 7;\n"),
  'SQL dump row': escaped(
    "INSERT INTO `t` VALUES (7,'",
    { "'": "\\'", '"': '\\"', '\\': '\\\\', '\n': '\\n' },
    "',80),(8,'ok',81);\n"
  ),
  'Markdown code': framed('Look:\n\n```\n', '\n```\n'),
  'Markdown span': oneLine('Look at `', '` please.\n'),
  'Markdown table': escaped('| id | note |\n|---|---|\n| 7 | ', { '|': '\\|', '\n': '<br>' }, ' |\n'),
  'Markdown link': oneLine('See [', '](https://docs.acme.dev/notes) for more.\n'),
  'Markdown emphasis': escaped('Use **', { _: '\\_', '*': '\\*', '\n': ' ' }, '** here.\n'),
  LaTeX: escaped(
    '\\texttt{',
    { _: '\\_', '&': '\\&', '%': '\\%', '#': '\\#', $: '\\$', '{': '\\{', '}': '\\}' },
    '}\n'
  ),
  RTF: escaped('{\\rtf1\\ansi\\f0 ', { '\\': '\\\\', '{': '\\{', '}': '\\}', '\n': '\\par\n' }, '\\par}\n'),
  notebook,
  'percent, minimal': written('https://x.acme.dev/n?note=', percent, '&page=2'),
  'percent, double': within(written('u=', percent, '&x=1'), written('/n?note=', percent, '&page=2')),
  'percent, whole': written(
    'note=',
    (char) => [...Buffer.from(char)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    '&page=2'
  ),
  form: written('id=7&note=', (char) => (char === ' ' ? '+' : percent(char)), '&page=2'),
  cookie: written('Cookie: theme=dark; note=', percent, '; lang=en\n'),
  'base64, one line': encoded('data: ', base64, '\n'),
  'base64, 76 columns': encoded('Content-Transfer-Encoding: base64\n\n', base64, '\n\n', 76),
  'base64, 64 columns, indented': encoded('  data: |\n    ', base64, '\n', 64, '\n    '),
  'base64 for URLs': encoded('?state=', (bytes) => bytes.toString('base64url'), '&x=1'),
  'base64 in base64': ({ text, start, end }) => {
    const inner = encoded('', base64)({ text, start, end })
    return encoded('data: ', base64, '\n')({ text: inner.text, start: 0, end: inner.text.length }).text === ''
      ? inner
      : within(encoded('data: ', base64, '\n'), () => inner)({ text, start, end })
  },
  '\\u escapes': written('"', (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`, '"'),
  '\\x escapes': written('"', (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`, '"'),
  'octal escapes': written('"', (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`, '"'),
  'decimal entities': written('<p>', (char) => `&#${char.charCodeAt(0)};`, '</p>'),
  'UTF-16 as Latin-1': written('', (char) => `${char}\0`),
  'zero-width between': written('', (char, index) => (index % 5 === 4 ? `${char}\u200b` : char)),
  'bidi before and behind': ({ text, start, end }) => {
    const writer = new Writer(text.length)
    for (let i = 0; i < text.length; i++)
      writer.put(i, `${i === start ? '\u200f' : ''}${text.charAt(i)}${i === end - 1 ? '\u200f' : ''}`)
    return writer.done()
  },
  'soft hyphens': written('', (char, index) => (index % 9 === 8 ? `${char}\u00ad` : char)),
  'full width': written('', (char) => (/[!-~]/.test(char) ? String.fromCharCode(char.charCodeAt(0) + 0xfee0) : char)),
  xxd: hexDump(false),
  hexdump: hexDump(true)
}

/** Text within strings of other texts is read as what it means, and masked where it is written. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import { isNestedSign, NestedReader } from './nested-text.ts'

const scanner = createScanner()
const placeholder = '[]'

/** The text with a mark in place of each finding that is acted on. */
function masked(text: string, step = Infinity): string {
  const run = scanner.begin(text, scanner.createMemory())
  while (!run.step(step));
  let out = ''
  let at = 0
  for (const { start, end, confidence } of run.findings()) {
    if (confidence === 'weak') continue
    out += text.slice(at, start) + placeholder
    at = end
  }
  return out + text.slice(at)
}

/** The text of the strings in a text, as far as they are read. */
function readIn(text: string): string[] {
  const reader = new NestedReader(text)
  const read: string[] = []
  for (let at = 0; at < text.length; at++) {
    const nested = isNestedSign(text, at) ? reader.read(at) : undefined
    if (nested !== undefined) read.push(nested.text)
  }
  return read
}

const value = filler(12)
const pass = 'PASS' + 'WORD'

/** Files and records in which several lines, or a quote, reveal the secret. */
const documents: Readonly<Record<string, string>> = {
  'a Kubernetes secret': `apiVersion: v1\nkind: Secret\nstringData:\n  user: news\n  cred: ${value}\n`,
  'a container': `- name: DB_${pass}\n  value: ${value}\n`,
  'settings of a client': `[client]\nhost = db.acme.dev\nuser = ops\n${pass.toLowerCase()} = ${value}\n`,
  'a table': `host,user,${pass.toLowerCase()}\ndb1,root,${value}\n`,
  'a command and its answer': `$ echo $REGISTRY_${pass}\n${value}\n$ `,
  'a variable of Terraform': `variable "db_password" {\n  type    = string\n  default = "${value}"\n}\n`,
  'an object': `{"user": "anna", "${pass.toLowerCase()}": "${value}", "ok": true}`,
  'a dialogue': `USER upload\n331 Password required\nPASS ${value}\n230 Logged in\n`,
  'a program': `tn.read_until(b"Password: ")\ntn.write(b"${value}" + b"\\n")\n`
}

const json = (it: unknown): string => JSON.stringify(it)
const lines = (text: string): string[] =>
  text.split('\n').map((line, i, all) => (i < all.length - 1 ? `${line}\n` : line))

/** Ways in which such a document is embedded in another text, and how to read it back. */
const parsed: Readonly<Record<string, { write(it: string): string; read(text: string): unknown }>> = {
  'a field of JSON': { write: (it) => json({ id: 7, text: it }), read: (text) => JSON.parse(text).text },
  'JSON in JSON': {
    write: (it) => json([{ name: 'write_file', arguments: json({ content: it }) }]),
    read: (text) => JSON.parse(JSON.parse(text)[0].arguments).content
  },
  'a cell of a notebook': {
    write: (it) => JSON.stringify({ cells: [{ source: lines(it) }] }, null, 1),
    read: (text) => JSON.parse(text).cells[0].source.join('')
  }
}

test('a secret in a document within a string is masked as in the document, and JSON remains valid', () => {
  for (const [name, document] of Object.entries(documents)) {
    const wanted = masked(document)
    assert.ok(wanted.includes(placeholder) && !wanted.includes(value), name)
    for (const [way, { write, read }] of Object.entries(parsed))
      assert.equal(read(masked(write(document))), wanted, `${name} in ${way}`)
  }
})

/** Python's `repr` of a string, and Bash's `$'...'`. */
const inSingleQuotes = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

const hex = (code: number): string => code.toString(16).padStart(2, '0')
const escaped = (text: string, write: (code: number) => string): string =>
  Array.from(text, (char) => write(char.charCodeAt(0))).join('')

test('it is masked in other strings, escapes and parameters', () => {
  const written: Readonly<Record<string, (it: string) => string>> = {
    'an object that Python prints': (it) => `[TextContent(type='text', text=${inSingleQuotes(it)}, meta=None)]`,
    'bytes that Python prints': (it) => `Out[3]: b${inSingleQuotes(it)}\n`,
    'a string of a shell': (it) => `X=$${inSingleQuotes(it)}\nrun "$X"\n`,
    'a string of YAML': (it) => `id: 7\nbody: ${json(it)}\nport: 80\n`,
    'a record of a log': (it) => `time=2026-03-01T12:00:00Z level=info msg=${json(it)} n=7\n`,
    'a command': (it) => `curl -X POST https://api.acme.dev/v1 -d ${json(json({ body: it }))}\n`,
    'pieces side by side': (it) => `static const char *doc =\n    ${lines(it).map(json).join('\n    ')};\n`,
    'pieces with a sign between': (it) => `const doc =\n  ${lines(it).map(json).join(' +\n  ')};\n`,
    'hexadecimal escapes': (it) => `"${escaped(it, (code) => `\\x${hex(code)}`)}"`,
    'escapes of a code point': (it) => `"${escaped(it, (code) => `\\u{${code.toString(16)}}`)}"`,
    'octal escapes': (it) => `printf '${escaped(it, (code) => `\\${code.toString(8).padStart(3, '0')}`)}'\n`,
    'quotes as a serializer for HTML escapes them': (it) =>
      `{"payload": "${json({ body: it }).replaceAll('"', '\\u0022')}"}`,
    'a request in a log': (it) =>
      `- - "POST /v1" 200 "${json({ body: it }).replaceAll('\\', '\\x5C').replaceAll('"', '\\x22')}"\n`,
    'a string of PostgreSQL': (it) => `INSERT INTO doc VALUES (7, E${inSingleQuotes(it)});\n`,
    'a string of Objective-C': (it) => `NSString *doc = @${json(it)};\n`,
    'an option': (it) => `curl -XPOST https://api.acme.dev -d${json(json({ body: it }))}\n`,
    'a fragment of JSON': (it) => `INFO body={${json(json({ body: it })).slice(2, -2)}} took 7 ms\n`,
    'a parameter of an address': (it) => `https://acme.dev/?text=${encodeURIComponent(it)}&page=2`,
    'a form': (it) => `id=7&text=${encodeURIComponent(it).replaceAll('%20', '+')}&page=2`,
    'a parameter in a parameter': (it) => `?next=${encodeURIComponent(`/?text=${encodeURIComponent(it)}`)}`
  }
  for (const [name, document] of Object.entries(documents))
    for (const [way, write] of Object.entries(written)) {
      assert.equal(leaks(write, document), false, `${name} in ${way}: ${masked(write(document))}`)
    }
})

/** Whether any character is readable in which the text with the value differs from one with another value. */
function leaks(write: (it: string) => string, document: string): boolean {
  const text = write(document)
  const other = write(document.replaceAll(value, filler(value.length, undefined, 7)))
  const found = scanner.scan(text).filter(({ confidence }) => confidence !== 'weak')
  assert.equal(text.length, other.length)
  for (let i = 0; i < text.length; i++)
    if (text[i] !== other[i] && !found.some(({ start, end }) => start <= i && i < end)) return true
  return false
}

test('a sentence in a form is read, and other parameters are not', () => {
  assert.deepEqual(readIn('id=7&text=the+key+is+abc&page=2'), ['the key is abc'])
  assert.deepEqual(readIn('id=7&text=key%3A+a%2Bb&page=2'), ['key: a+b'])
  assert.deepEqual(readIn('id=7&text=key%3A%20a+b&page=2'), ['key: a+b'])
  assert.deepEqual(readIn('/?to=https%3A%2F%2Facme.dev%2F&from=1+2'), [])
})

test('a number in a form is read with the name of its parameter', () => {
  assert.deepEqual(readIn('id=7&nhs_number=943%20476%205919&page=2'), ['nhs_number=943 476 5919'])
  const card = ['4539', '1488', '0343', '6467'].join('%20')
  const [finding] = createScanner().scan(`GET /pay?cc_number=${card}&x=1`)
  assert.equal(finding?.confidence, 'strong')
})

test('records with one line of a log each are read as one text', () => {
  const record = (log: string): string => json({ log, stream: 'stdout', time: '2026-03-01T12:00:00.1Z' })
  for (const [name, document] of Object.entries(documents)) {
    const text = masked(lines(document).map(record).join('\n'))
    assert.ok(text.includes(placeholder) && !text.includes(value), `${name}: ${text}`)
  }
})

test('where a finding begins and ends does not depend on how the scan is divided', () => {
  const text = `${'x = 1\n'.repeat(400)}${json({ text: Object.values(documents).join('\n') })}\n${'y = 2\n'.repeat(400)}`
  const whole = masked(text)
  assert.ok(!whole.includes(value))
  for (const step of [97, 1024, 5000]) assert.equal(masked(text, step), whole, `${step} units`)
})

test('a long string is read to its end', () => {
  const line = 'the quick brown fox jumps over the lazy dog \\"again\\"\\n'
  for (const count of [200, 400, 700, 1500]) {
    const text = masked(`{"text": "${line.repeat(count)}${json(documents['a table']).slice(1)}}`)
    assert.ok(!text.includes(value), `${count} lines`)
    assert.equal(JSON.parse(text).text.length, line.length * count - 3 * count + masked(documents['a table']!).length)
  }
})

test('an escape of one character is one character', () => {
  assert.deepEqual(readIn(String.raw`{"a": "1\n\t2\"3\\4\/5é6\x417\q8"}`), ['1\n\t2"3\\4/5é6A7\\q8'])
  assert.deepEqual(readIn('x: "one\\ntwo\\\n    \\ three"'), ['one\ntwo three'])
})

test('strings are recognised by how they begin and end', () => {
  assert.deepEqual(readIn(`{'a': 'say "it"\\nor not', 'b': 2}`), ['say "it"\nor not'])
  assert.deepEqual(readIn(String.raw`{"it's": "one\ntwo", "b": "c\nd"}`), ['one\ntwo', 'c\nd'])
  assert.deepEqual(readIn('["one\\n",\n "two\\n",\n "three"]'), ['one\ntwo\nthree'])
  assert.deepEqual(readIn('f("one\\n"); g("two\\nthree")'), ['two\nthree'])
})

test('escaped text on a line of its own is read to its end', () => {
  assert.deepEqual(readIn('COPY doc FROM stdin;\n7\t[app]\\nkey = "a"\\nport = 8\\n\t1\n\\.\n'), [
    '7\t[app]\nkey = "a"\nport = 8\n\t1'
  ])
  assert.deepEqual(readIn('sent {\\"a\\":1,\\"b\\":\\"x\\"} to it\nand \\"c\\" "d"'), ['sent {"a":1,"b":"x"} to it'])
})

test('text outside of strings, or that means no more than its line, is not read again', () => {
  const wrapped = `${filler(76)}\\n`.repeat(5)
  for (const text of [
    'printf("%s\\n", x);\nputs("done\\n");',
    'Use \\n to begin a line and \\" for a quote.',
    'C:\\new\\notes\n/\\d+\\n/',
    '$\\nabla \\nu = \\neq$',
    'echo \\"one\\" and \\"two\\"',
    `"image/png": "${wrapped}${filler(30)}\\n"`,
    '"a": "b\nc\\nd"',
    's/\\(a\\)/\\1 \\1/; "\\1\\2"',
    'x = {"a": "b\\n", "c": 1}\ny = 2'
  ])
    assert.deepEqual(readIn(text), [], text)
})

test('a number on a line of its own counts in a message, and not in a file', () => {
  const number = 'L1234' + '5678'
  const rows = `MODEL\n  ${number}\nEND`
  assert.equal(masked(json({ rows })), json({ rows }))
})

test('a word that ends with its line is masked without the escape of the line break', () => {
  const commands = `docker login -u ops -p ${value}\nset psksecret ${value}\nwpa_passphrase HomeNet ${value}\n${pass}=${value}\nls\n`
  for (const text of [commands, commands.replaceAll('\n', '\r\n')]) {
    for (const written of [json({ output: text }), json({ calls: json({ output: text }) })])
      assert.equal(masked(written), written.replaceAll(value, placeholder))
  }
})

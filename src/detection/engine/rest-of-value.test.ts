/** A secret that was cut is masked to its end, and what merely follows one is left alone. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { base64Letters, filler, hexLetters } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner()
const key = filler(120)
const name = 'SESSION' + '_TOKEN='

/** The text with a mark in place of each secret that is acted on. */
function masked(text: string, step = Infinity): string {
  const run = scanner.begin(text, scanner.createMemory())
  while (!run.step(step));
  let out = ''
  let at = 0
  for (const { start, end, confidence } of run.findings()) {
    if (confidence === 'weak') continue
    out += text.slice(at, start) + '[]'
    at = end
  }
  return out + text.slice(at)
}

/** The key in pieces of `units` with `joint` between them. The first line is as long, including `head`. */
const cut = (units: number, joint: string, head = ''): string => {
  const pieces = [key.slice(0, units - head.length)]
  for (let at = units - head.length; at < key.length; at += units) pieces.push(key.slice(at, at + units))
  return pieces.join(joint)
}

test('a key that was wrapped at a column is masked to its end', () => {
  for (const [before, joint] of [
    ['', '\n'],
    ['', '\r\n'],
    ['', ' \r'],
    ['', '\\n'],
    ['  ', '\n  '],
    ['> ', '\n> '],
    ['# ', '\n# '],
    [' * ', '\n * '],
    ['+', '\n+'],
    ['web-1  | ', '\nweb-1  | ']
  ] as const) {
    const text = `${before}${name}${cut(50, joint, name)}`
    assert.equal(masked(`${text}\n`), `${before}${name}[]\n`, JSON.stringify(text))
  }
})

test('a key that was wrapped at a column is masked to its end in a listing with line numbers', () => {
  const listing = (lines: readonly string[]) => lines.map((line, i) => `    ${12 + i}\t${line}\n`).join('')
  const lines = `${name}${cut(50, '\n', name)}`.split('\n')
  assert.equal(lines.length, 3)
  assert.equal(masked(listing(lines)), listing([`${name}[]`]))
  assert.equal(
    masked(listing(['PORT=80', ...lines, 'HOST=db'])),
    `    12\tPORT=80\n    13\t${name}[]\n    16\tHOST=db\n`
  )
})

test('a continuation mark needs no minimum width of the line', () => {
  for (const joint of ['\\\n', '^\r\n', '`\n', '\\\n      '])
    assert.equal(masked(`${name}${cut(30, joint)} --port 80\n`), `${name}[] --port 80\n`, JSON.stringify(joint))
})

test('a key in several strings is masked from the first to the last', () => {
  for (const [head, joint, tail] of [
    ['k = "', '" +\n    "', '"\n'],
    ['k = "', '" << "', '"\n'],
    ['k = "', '" <> "', '"\n'],
    ['k = "', '" & _\r\n    "', '"\n'],
    ['k = ("', '"\n     f"', '")\n'],
    ['$k = "', '"."', '";\n'],
    ['k = "', '" \\\n    "', '"\n'],
    ['$k = "', '";\n$k .= "', '";\n'],
    ['sb.append("', '").append("', '");\n'],
    ['k = concat!("', '", "', '");\n'],
    ['k = "".join(["', '", "', '"])\n']
  ] as const) {
    const text = `${head}${name}${cut(40, joint)}${tail}`
    assert.equal(masked(text), `${head}${name}[]${tail}`, JSON.stringify(text))
  }
})

test('pieces of equal length continue a first one that a name precedes', () => {
  const pieces = cut(60, '\n    ')
  assert.equal(masked(`<SessionToken>${pieces}</SessionToken>`), '<SessionToken>[]</SessionToken>')
})

test('pieces as long as each other continue a first one that its name makes the longer line', () => {
  assert.equal(masked(`${name}${cut(16, '\n')}\n`), `${name}[]\n`)
})

test('what was found in a piece alone is gone when the piece belongs to a longer value', () => {
  const random = filler(240, base64Letters, 6)
  const pieces = random.match(/.{1,64}/g) as string[]
  const wrapped = `see the notes: "SessionToken": "${pieces.join('\n')}"\n`
  assert.equal(scanner.scan(wrapped, scanner.createMemory()).length, 1)
  assert.equal(masked(wrapped), 'see the notes: "SessionToken": "[]"\n')
})

test('both halves of a key are masked, even if their characters differ', () => {
  const start = ['xoxb', '470912847713', '470912847'].join('-')
  const words = 'see the notes of the last call and what was said there of it '
  assert.equal(masked(`${words}${start}\n799-${filler(24)}\n`), `${words}[]\n`)
  const hex = filler(16, hexLetters, 4)
  assert.equal(masked(`${words}api_key: ${hex}\n${filler(14, hexLetters, 5)}-us1\n`), `${words}api_key: []\n`)
})

test('a remembered value is extended as at the place where its name was', () => {
  const text = cut(46, '\n')
  for (const { begin } of [scanner, scanner.recaller]) {
    const memory = scanner.createMemory()
    scanner.scan(`${name}${text}\n`, memory)
    const again = `and once more:\n${text}\n`
    for (const step of [Infinity, 7]) {
      const run = begin(again, memory)
      while (!run.step(step));
      assert.deepEqual(
        run.findings().map(({ start, end }) => again.slice(start, end)),
        [text]
      )
    }
  }
})

test('the rest of a value behind an ellipsis is masked, and a sentence is not', () => {
  const token = ['ey' + 'JhbGciOiJIUzI1NiJ9', 'ey' + 'JzdWIiOiJ1c2VyLTQ3In0', filler(30)].join('.')
  for (const dots of ['...', '\u2026']) assert.equal(masked(`it is ${token}${dots}${filler(16)}\n`), 'it is []\n')
  assert.ok(masked(`it is ${token}...and so on\n`).endsWith('and so on\n'))
})

test('a private key is masked to its footer, whatever it contains, and never into another key', () => {
  const [begin, end] = ['-----BEGIN ' + 'PRIVATE KEY-----\n', '\n-----END ' + 'PRIVATE KEY-----']
  const body = `${filler(64)}\n${filler(30, undefined, 3)}\u001b[31m${filler(34, undefined, 4)}\n${filler(64, undefined, 5)}`
  assert.equal(masked(`a\n${begin}${body}${end}\nb`), 'a\n[]\nb')
  const cutOff = `${begin}${filler(64)}\n! and more\n`
  const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
  assert.equal(masked(cutOff + certificate), `[]\n! and more\n${certificate}`)
  // A footer that was cut off itself: what follows is the header of another block, or a line that somebody drew.
  const footer = '-----END '
  for (const next of [certificate, `${'-'.repeat(20)}\n`]) {
    const text = `${begin}${filler(64)}\n! and more ${footer}${next}`
    assert.ok(masked(text).endsWith(`! and more ${footer}${next}`), JSON.stringify(masked(text)))
  }
})

test('part of a token may end with its line', () => {
  const parts = ['ey' + 'JhbGciOiJSUzI1NiJ9', 'ey' + 'JzdWIiOiJ1c2VyLTQ3In0', filler(60)]
  assert.equal(masked(`TOKEN = (\n    "${parts.join('."\n    "')}"\n)\n`), `TOKEN = (\n    "[]"\n)\n`)
})

test('a value found behind a line break is extended back to its start', () => {
  const password = filler(10, undefined, 3) + '\n' + filler(9, undefined, 4)
  assert.equal(masked(`see https://ops:${password}@git.acme.dev/x\n`), 'see https://ops:[]/x\n')
})

test('text below a secret that does not belong to it is not masked', () => {
  const first = filler(40, undefined, 5)
  for (const below of [
    'DEBUG2_MODE=yes',
    'port8080',
    'v2.1.0-rc1',
    'src/app2/main.ts',
    'http://localhost:8000',
    'Fixed1 the build',
    'x86_64-linux-gnu',
    'abc12345',
    `${filler(60, undefined, 9)} is longer than the line above`,
    `${filler(12, undefined, 9)}: of another field`
  ])
    assert.equal(masked(`${name}${first}\n${below}\n`), `${name}[]\n${below}\n`, below)
  // Two members of a list are two values.
  const list = `{"tokens": ["${filler(24, hexLetters, 3)}", "main-1"]}`
  assert.ok(masked(list).endsWith('", "main-1"]}'))
})

test('a name, sentence or listing on the next line is not the rest of a key', () => {
  const wif = 'cU' + filler(50, undefined, 8)
  const first = `  account0recvPrivateKey = ${wif}\n`
  const second = `  account0recvPrivateKeyHex = 0x${filler(64, hexLetters, 9)}\n`
  assert.ok(masked(first + second).startsWith(`  account0recvPrivateKey = []\n  account0recvPrivateKeyHex = `))
  for (const units of [20, 40, 64, 76, 80]) {
    const value = filler(units - name.length > 15 ? units - name.length : 16, undefined, units)
    for (const below of [
      'Thanks',
      'Regards, Ana',
      'END',
      'jsmith42',
      'k8s-prod1',
      'ops1@web01:~$ ls',
      'account0recvPublicKeyHex = 1',
      'xQ7zVwKj9XbN: 1',
      'xQ7zVwKj9XbN = 1',
      '"xQ7zVwKj9XbN": 1',
      'xQ7zVwKj9XbN(1)',
      'xQ7zVwKj9XbN[1]',
      'xQ7zVwKj9XbN{1}',
      'xQ7zVwKj9XbN@web01',
      'xQ7zVwKj9XbN=12',
      'xQ7z.Kj9X.bN4w',
      'x86_64',
      'qemu-kvm-2.1',
      'AWS4-HMAC-SHA256',
      'rds-prod-db1.c9akciq32.us-east-1',
      'a1b2c3d Fix the build',
      'total 48'
    ])
      assert.equal(masked(`${name}${value}\n${below}\n`), `${name}[]\n${below}\n`, `${units}: ${below}`)
  }
  assert.equal(masked(`["${name}${key.slice(0, 40)}"\n "xQ7zVwKj9XbN": 1]`), `["${name}[]"\n "xQ7zVwKj9XbN": 1]`)
})

test('the name on the next line is not the rest of a secret, whatever is assigned to it', () => {
  const lines = [
    'SMTP_PORT=587',
    'SMTP_HOST=mail.shop.dev',
    'JWT_TTL="900"',
    "K8S_NAMESPACE='shop'",
    'X509_CERT_FILE=$CERT_FILE',
    'S3_BUCKET_V2=(shop)',
    'redisHost2=cache.corp.dev',
    'GRPC_MAX_MSG=',
    'Domain=',
    'db_host=',
    'userId=',
    'user=',
    'smtpPort="587"',
    'QRZ7_JXK = 12'
  ]
  for (const gutter of ['', '10\t', '    ']) {
    for (let units = 12; units <= 64; units += 4) {
      for (const line of lines) {
        const rest = `\n${gutter}${line}\n`
        assert.equal(masked(`${name}${filler(units, undefined, 5)}${rest}`), `${name}[]${rest}`, `${units} ${rest}`)
      }
    }
  }
})

test('a key with a form of its own begins where the form says', () => {
  const secret = 'AGE-SECRET-KEY-1' + filler(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')
  const text = `# public key: age1${filler(58, 'qpzry9x8gf2tvdw0s3jn54khce6mua7l')}\n${secret}\n`
  assert.ok(masked(text).startsWith('# public key: age1'))
})

test('a finding is extended in the same way however the scan is divided into steps', () => {
  const text = `> ${name}${cut(64, '\n> ', name)}\n`.repeat(40)
  const whole = masked(text)
  assert.equal(whole, `> ${name}[]\n`.repeat(40))
  for (const step of [1, 7, 64, 1000]) assert.equal(masked(text, step), whole)
})

test('what stands by chance within a file in base64 is not a value that was wrapped', () => {
  // `MdP` abbreviates a password in French.
  const seed = `${filler(68)}/MdPAQDo\nwk0BAGaQ6${filler(67)}\n`
  const line = `${filler(76)}\n`
  const file = line.repeat(80) + seed + line.repeat(80)
  assert.equal(masked(file), file)
})

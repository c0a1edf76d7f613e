/** Texts made to be slow: each part looks like the start of something, and nothing comes of it. */
import type { Detector } from './detector.ts'
import { base62Letters, filler, hexLetters } from './sample-text.ts'

/** A text of about `units` units, and the name under which a failure reports it. */
export interface HostileText {
  readonly name: string
  /** After how many units the text repeats, or after how many its parts cost the same overall. */
  readonly period?: number
  make(units: number): string
}

const repeated = (unit: string): HostileText => ({
  name: `${JSON.stringify(unit)} repeated`,
  make: (units) => unit.repeat(Math.ceil(units / unit.length))
})

const units = [
  '1',
  '@',
  '.',
  '-',
  '=',
  '"',
  '\\',
  '%',
  '&',
  ' ',
  'A',
  'a',
  'é',
  '\u200b',
  'Ａ',
  'e\u0301',
  'eyJ',
  'eyJ.',
  'eyJhbGciOiJIUzI1NiJ9.',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  'INSERT INTO t (bsn) VALUES (123456782, ',
  "INTO t (a, bsn) values ('x', 123456782) ",
  'sort code account ',
  '-----BEGIN PRIVATE KEY-----\\n',
  '\\n',
  '\\\\n',
  '\\"',
  '"\\n',
  '"\\n",',
  "'\\n",
  '"a\\"b\\""',
  '\\n",',
  '{"log":"a\\n","time":1}\n',
  '\\141\\142',
  '%0a',
  '%20+',
  '+is+',
  '<br>',
  '<br',
  '<p>a<br>b &amp; c</p>',
  '<b><br>',
  '0000000 ',
  '00000000: 7365 6372\n',
  '0000000   a   b\n',
  'a.a.a.',
  '://',
  'a://b:c',
  'a://b:c@',
  'a:b@',
  'x@a.',
  'a@b.co,',
  'sk-',
  'hooks.slack.com/services/',
  'glpat-',
  '+ASt',
  '8Q~',
  'Q~',
  'JQQJ99',
  'T3BlbkFJ',
  'phone ',
  '+1',
  'secret_access_key ',
  'AccountKey=',
  'mistral',
  'sk-ant-api03-',
  'sig=',
  'sv=&se=&sig=',
  '1.2.3.4.',
  '2a02:',
  '111 ',
  '130 692 544 ',
  '123-45-6789 ',
  'ssn 536-22-8726 ',
  'DE89 3704 ',
  '4111 1111 ',
  '+49 ',
  'phone 0',
  '手机',
  'a1b2',
  'abc123',
  'password=',
  'password="',
  'password: ',
  '"password":',
  '"password":"',
  'password=a',
  'password=a ',
  'my password is ',
  'secret=secret=',
  'key=value&',
  'token token ',
  'Authorization: Bearer ',
  'Authorization: Basic ',
  'Cookie: a=b; ',
  'curl -u a:b ',
  'AKIA',
  '%25',
  '%41',
  '%e2%80%8b',
  '&#x41;',
  '&amp;',
  '\\u0041',
  'a\\_',
  'a\0',
  '\\x41',
  '\\\\',
  '\\n',
  '"+"',
  "' + '",
  '" \\\n"',
  '=\n',
  '${',
  '${{ ',
  '{{',
  '[[[[',
  '<a>',
  '_7Q2MKX4TAB',
  'sha512-',
  '3f2b8c1e-9d4a-4b6f-8e2d-1a5c7f9b0d3e',
  'data:image/png;base64,',
  'abandon ability able ',
  'shodan keykeykey token_',
  'box_keykey ',
  'pwd,a\n---\n',
  `pwd,a\n${'x'.repeat(300)},b\n`,
  'pwd,a\n---\n---\n---\n',
  `${'pwd,'.repeat(38)}pwd\n-\n`,
  `(:${'pwd,'.repeat(38)}pwd\n`,
  'ssn,a\n1,123456789\n',
  '123456789,123456789\n',
  '123456789;123456789,123456789\n',
  '123456789,1\n123456789,1,1\n',
  '123456789, ',
  'phone\n',
  'dob\n\n',
  'phone,',
  'phone  ',
  'ssn  phone  dob\n',
  'ssn  phone\n123456789  612345678\n',
  '<th>phone</th>',
  'PID|',
  '<tr><th>dob<th>phone<tr>',
  `<tr>${'<th>dob</th>'.repeat(39)}<tr><td>1</td></tr>`,
  '<table><tr><td>phone<td>dob',
  '<tr><th>phone<th>ssn<tr><td>x<td>123456789',
  '<td>123456789',
  '<tr><td>x<td>phone<th>dob</td>',
  'phone;x\ny;"a\nb"\n',
  'phone;x\n"a\nb";\n',
  '---\n;x\nphone;x\n',
  '(phone,',
  'into t (dob, phone, dob) values (1, 2, 3)',
  '"data": ',
  '$USER1$=',
  '482913 is your ',
  'blz ',
  '::add-mask::1',
  `${['b3BlbnNzaC1', 'rZXktdjE'].join('')}=`,
  'bsb\n',
  '"data": {"a": "bTRSOXYy"}, ',
  'NAME  USER  PASSWORD\ndb1   app   7MWVBoWhoUBi\n',
  'COPY t (ssn, dob) FROM stdin;\n123456789\t1\n',
  'COPY t (pwd) FROM stdin\n',
  'COPY t (pwd) FROM stdin',
  'COPY t (a, pwd) FROM stdin\n\t',
  'COPY \n123456789\t1\n',
  'oracle:thin:a/b ',
  'echo a | chpasswd\n',
  'INTO t (pwd) VALUES (',
  "INTO t (pwd) VALUES ('",
  "INTO t (pwd) VALUE ('a'),",
  'INTO t (pwd, a) VALUES (1, "',
  'geb. dat-',
  'senha-',
  'ph:',
  'ur.',
  'auth=[',
  '🎂',
  '_pw=("'
]

/** A header whose names all suggest secrets, and empty rows. */
function emptyTables(length: number): string {
  const rows = `${','.repeat(38)}\n`.repeat(200)
  return `${'pwd,'.repeat(38)}pwd\n${rows}x\n`.repeat(Math.ceil(length / rows.length))
}

/** A header with names of many kinds of personal data, and rows of numbers that are none of them. */
function personalTables(length: number): string {
  const names =
    'phone,dob,ssn,mobile,mbi,mrn,vin,mac,cvv,bic,telefon,born,birthday,fax,tax_id,iban,passport,tin,nif,pan'
  const rows = `${names.replace(/[^,]+/g, '123456789')}\n`.repeat(200)
  return `${names}\n${rows}x\n`.repeat(Math.ceil(length / rows.length))
}

/** A text wrapped in JSON strings repeatedly: each level doubles the backslashes. */
function nestedEscapes(length: number): string {
  let text = '"password":"x","u":"a://b:c@d"'
  while (text.length * 2 < length) text = JSON.stringify(text)
  return text.padEnd(length, ' ')
}

/** A text in base64, encoded again until it is long enough. */
function nestedBase64(length: number): string {
  let text = 'password=' + filler(24)
  while (text.length < length) text = btoa(`${text} ${text.slice(0, 40)}`)
  return text.slice(0, length)
}

/** A text in percent-encoding, encoded again until it is long enough. */
function nestedPercent(length: number): string {
  let text = 'password="' + filler(24) + '" a@b.c é'
  while (text.length < length) text = encodeURIComponent(text + ' "@" ')
  return text.slice(0, length)
}

/** Pseudo-random letters, concatenated from short texts: `filler` reads a long one again for every letter. */
function random(length: number, letters: string): string {
  const partUnits = 2000
  const parts = Array.from({ length: Math.ceil(length / partUnits) }, (_, i) => filler(partUnits, letters, 7 + i))
  return parts.join('').slice(0, length)
}

/** Secrets that continue on the next line or in the next string, each as if it were one of a thousand pieces. */
function wrappedKeys(joint: string): (units: number) => string {
  const lines = ['API_TOKEN="' + filler(40), ...Array.from({ length: 9 }, (_, i) => filler(51, base62Letters, i + 3))]
  const block = lines.join(joint)
  return (units) => Array.from({ length: Math.ceil(units / block.length) }, () => block).join(joint)
}

const address = ['jane.roe', 'acme-corp.io'].join('@')

export const hostileTexts: readonly HostileText[] = [
  ...units.map(repeated),
  { name: 'keys that were wrapped', make: wrappedKeys('\n') },
  { name: 'keys in strings that are joined', make: wrappedKeys('" +\n"') },
  { name: 'keys in strings of a list', make: wrappedKeys('", "') },
  // Found addresses, of which each may be the end of a password in a URL whose beginning is in the string before.
  repeated(`"ab" + "${address}"\n`),
  repeated(`'a'\n'${address}'\n`),
  { name: 'rows of two lines', make: (units) => `id;phone;dob\n${'a;"512446723\n512446724";b\n'.repeat(units / 27)}` },
  // Finds and questions on one line, each of which looks for what the next line says.
  repeated(`[smtp.acme.dev]:587 ops@acme.dev:${filler(12)} `),
  ...[
    'digicode?',
    'disarm with?',
    '현관 비밀번호{ get; ',
    '（手机',
    'chpasswd <<EOF ',
    'pass insert -m nas <<END ',
    'insert into t (bsn) values (1) '
  ].map(repeated),
  {
    name: 'private keys without a footer',
    make: (units) => `-----BEGIN PRIVATE KEY-----\n${filler(70)}\n!\n`.repeat(Math.ceil(units / 100))
  },
  { name: 'nested escapes', make: nestedEscapes },
  { name: 'base64 of base64', make: nestedBase64 },
  { name: 'percent-encoding of percent-encoding', make: nestedPercent },
  { name: 'tables with nothing in them', make: emptyTables },
  { name: 'tables of personal data with none in them', make: personalTables },
  { name: 'base64 without an end', make: (length) => random(length, base62Letters) },
  { name: 'hex without an end', make: (length) => random(length, hexLetters) },
  { name: 'digits without an end', make: (length) => random(length, '0123456789') },
  { name: 'numbered lines', make: (length) => numberedLines((number) => `${number}\t`, length) },
  {
    name: 'lines of which every second counts up',
    make: (length) => numberedLines((number) => `${number >> 1}\t`, length)
  },
  {
    name: 'steps of no moment, behind a listing',
    make: (length) => `1\ta\n2\tb\n${'a\tbb@c\td\n'.repeat(length)}`.slice(0, length)
  },
  { name: 'heads of hunks', make: (length) => '@@ -1,9999999 +1,9999999 @@\n'.repeat(length).slice(0, length) },
  { name: 'groups of digits', make: (length) => random(length, '0123456789 -./') },
  { name: 'punctuation', make: (length) => random(length, '=:"\'@./\\%&;,{}[]()<>') },
  { name: 'anything', period: 120_000, make: (length) => random(length, 'aAeyJ1 .@:/-_=+%\\"\n\u200bＡ') }
]

function numberedLines(gutter: (number: number) => string, length: number): string {
  return Array.from({ length: Math.ceil(length / 2) }, (_, i) => `${gutter(i)}x\n`)
    .join('')
    .slice(0, length)
}

const literalsOf = (detector: Detector): string[] =>
  detector.anchors.flatMap((anchor) => ('literal' in anchor ? [anchor.literal] : []))

/** Each literal that is an anchor of some detectors, repeated. */
export function literalTexts(detectors: readonly Detector[]): HostileText[] {
  return [...new Set(detectors.flatMap(literalsOf))].map(repeated)
}

/** Texts from the words and hits of one detector, so that a new detector is tested without registration. */
export function textsAgainst(detector: Detector): HostileText[] {
  const [hit = ''] = detector.hits()
  const words = (detector.context ?? []).slice(0, 2)
  return [
    ...words.map((word) => repeated(`${word} `)),
    ...(words[0] === undefined ? [] : [repeated(`${words[0]}=1234567 `)]),
    ...(hit.length > 1 ? [repeated(hit.slice(0, -1)), repeated(`${hit.slice(0, Math.ceil(hit.length / 2))} `)] : [])
  ]
}

/** Every anchor of every detector in a row, with something between them. */
export function allAnchors(detectors: readonly Detector[], between: string): HostileText & { readonly period: number } {
  const row = detectors.flatMap((detector) => [...literalsOf(detector), ...(detector.context ?? [])]).join(between)
  return {
    name: `every anchor and context word with ${JSON.stringify(between)} between`,
    period: row.length + between.length,
    make: (length) => `${row}${between}`.repeat(Math.ceil(length / (row.length + between.length))).slice(0, length)
  }
}

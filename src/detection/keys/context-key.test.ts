import assert from 'node:assert/strict'
import test from 'node:test'
import { base62Set, lowerHexSet, uuidSet } from '../text/chars.ts'
import { contextKeyDetector, keyOrContextDetector, uuidJudge } from './context-key.ts'
import { createScanner } from '../scanner.ts'
import { filler, hexLetters } from '../sample-text.ts'

const parts = (id: string) => ({
  id,
  label: id.toUpperCase(),
  title: id,
  source: 'made up here',
  hits: () => [],
  misses: () => []
})
const hex = filler(32, hexLetters)
const uuid = [filler(8, hexLetters), ...[4, 4, 4].map((n) => filler(n, hexLetters, n)), filler(12, hexLetters)].join(
  '-'
)
const scanner = createScanner([
  contextKeyDetector(parts('acme'), { names: ['acmecloud', 'ac_api_key'], set: lowerHexSet, min: 32, max: 32 }),
  contextKeyDetector(parts('other'), { names: ['othersoft'], set: uuidSet, min: 36, max: 36, judge: uuidJudge }),
  keyOrContextDetector(
    parts('both'),
    [{ prefix: 'bth_', set: base62Set, min: 20, max: 20 }],
    [{ names: ['bothworks'], set: base62Set, min: 40, max: 40, padding: 2 }]
  )
])
const found = (text: string) => scanner.scan(text).map(({ start, end }) => text.slice(start, end))

test('a value behind a name is found in every way of writing an assignment', () => {
  const lines = [
    'acmecloudToken="?"',
    'ACMECLOUD_TOKEN=?',
    'acmecloud_token: ?',
    '{"acmecloudToken": "?"}',
    '{\n  "acmecloud": {\n    "token": "?"\n  }\n}',
    '{"acmecloud": {"key": "?"}}',
    '<acmecloudToken>\n    ?\n</acmecloudToken>',
    'var acmecloudToken string = "?"',
    'acmecloud_api_key: str = "?"',
    'acmecloudToken ::= `?`',
    'acmecloudToken ?= ?',
    '$acmecloudToken .= "?"',
    'System.setProperty("ACMECLOUD_TOKEN", "?")',
    '"acmecloudToken" => "?"',
    '{"config.ini": "ACMECLOUD_TOKEN=?\\nBACKUP=true"}',
    'AC_API_KEY=?',
    'the acmecloud token is ?, keep it',
    'apiKeyForAcmecloud = ?',
    'acmecloud-secrettoken-?',
    'acmecloudapikey=?',
    '<add key="AcmecloudToken" value="?"/>',
    'Authorization for acmecloud: Bearer ?',
    '# Acmecloud\nAPI_KEY = "?"',
    '- name: ACMECLOUD_TOKEN\n  value: "?"\n- name: PORT',
    JSON.stringify('- name: ACMECLOUD_TOKEN\n  value: ?\n'),
    'variable "acmecloud_token" {\n  type    = string\n  default = "?"\n}',
    'const ACMECLOUD_TOKEN: &str = "?";',
    '<b>Acmecloud token:</b>&nbsp;?',
    'pub static ACMECLOUD_TOKEN: &\'static str = "?";'
  ]
  for (const line of lines) assert.deepEqual(found(line.replace('?', hex)), [hex], line)
})

test('a value before words that a slash joins to it is found', () => {
  for (const value of [hex, filler(40)]) {
    const name = value === hex ? 'acmecloud' : 'bothworks'
    for (const line of ['?/files', '?/v2', '?+x', '?/main/TeamOne'])
      assert.deepEqual(found(`${name}_token = "${line.replace('?', value)}"`), [value], line)
  }
})

test('text that is not the value of the name is not masked', () => {
  const lines = [
    hex,
    `acmecloud ${hex}`,
    `acmecloud_build = ${hex}`,
    `acmecloud token sha256: ${hex}`,
    `uses: acmecloud/token-action@${hex}`,
    `https://acmecloud.dev/token/${hex}`,
    `ACMECLOUD_TOKEN_SITE=eu, build=${hex}`,
    `ACMECLOUD_TOKEN_SITE=eu\nBUILD=${hex}`,
    `ACMECLOUD_TOKEN=$` + `{${hex}}0`,
    `acmecloud_token = ${hex}0`,
    `bothworks_token = "${filler(20)}+${filler(40)}"`,
    `bothworks_token = "${filler(40)}/${filler(20)}"`,
    `acmecloud_token=none&str=${hex}`,
    `- name: ACMECLOUD_TOKEN\n  valueFrom: ${hex}`,
    `variable "acmecloud_token" {\n  type = string\n}\nlocals {\n  default = "${hex}"\n}`,
    `acmecloud_token = x${hex}`,
    `acmecloud_token = ${'a'.repeat(32)}`,
    `acmecloud_token = ${'1234567890'.repeat(3)}12`,
    `acmecloud_token = f(); id = "${hex}"`,
    `tacmecloud_token = ${hex}`,
    `othersoft_secret = ${uuid.slice(0, 35)}`,
    `bothworks_key = ${'a-long-name-of-a-bucket-without-any-digits'.slice(0, 40)}`,
    `bothworks_key = GetUserAccountServiceTokenFactoryNumber2`
  ]
  for (const line of lines) assert.deepEqual(found(line), [], line)
})

test('other shapes: a UUID, padding, a prefix beside a name', () => {
  assert.deepEqual(found(`OTHERSOFT_SECRET=${uuid}`), [uuid])
  assert.deepEqual(found(`bothworks_key: "${filler(40)}=="`), [filler(40) + '=='])
  assert.deepEqual(found(`x bth_${filler(20)}`), ['bth_' + filler(20)])
})

test('a value found by its name is recognised later without it', () => {
  const memory = scanner.createMemory()
  assert.deepEqual(scanner.scan(hex, memory), [])
  assert.equal(scanner.scan(`acmecloud_token=${hex}`, memory)[0]?.confidence, 'medium')
  assert.equal(scanner.scan(`again ${hex}`, memory)[0]?.kind, 'acme')
})

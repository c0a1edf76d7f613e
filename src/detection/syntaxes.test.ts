/**
 * Recall and masks across syntaxes: a value found in one way of writing must be found in all, and the rest must stay
 * unchanged.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { trafficDetectors } from './detectors/traffic.ts'
import type { Finding } from './findings.ts'
import { base62Letters, base64Letters, filler, hexLetters } from './sample-text.ts'
import { createScanner } from './scanner.ts'
import { syntaxes } from './syntaxes.fixture.ts'

const scanner = createScanner(trafficDetectors)
const placeholder = ['SECRET', 'QKMRTWZBDF'].join('_')

function acted(text: string): Finding[] {
  return scanner.scan(text).filter(({ confidence, tier }) => confidence !== 'weak' && tier !== 'low' && tier !== 'none')
}

/** The text with a placeholder in place of each finding. */
function masked(text: string): string {
  let out = ''
  let at = 0
  for (const { start, end } of acted(text)) {
    out += text.slice(at, start) + placeholder
    at = end
  }
  return out + text.slice(at)
}

const tokenNames = (
  'api_key secret_key access_token auth_token client_secret api_token private_key signing_secret webhook_secret ' +
  'refresh_token app_secret encryption_key jwt_secret bot_token deploy_token personal_access_token session_secret ' +
  'acme_api_key x_api_key master_key bearer_token oauth_token consumer_secret shared_secret license_key security_token ' +
  'secret_access_key cookie_secret api_secret access_key registry_token vault_token user_token device_token csrf_secret'
).split(' ')
const passwordNames = (
  'password passwd db_password admin_password mysql_root_password user_pwd passphrase sudo_password wifi_password ' +
  'ftp_password'
).split(' ')

const values: readonly ((seed: number) => string)[] = [
  (seed) => filler(32, hexLetters, seed),
  (seed) => filler(40, hexLetters, seed),
  (seed) => filler(64, hexLetters, seed),
  (seed) => filler(20, base62Letters, seed),
  (seed) => filler(32, base62Letters, seed),
  (seed) => filler(43, base64Letters.replaceAll('+', '-').replaceAll('/', '_'), seed),
  (seed) => 'acme_' + filler(32, base62Letters, seed)
]

test('a random value beside the name of a secret is found in every syntax, and nothing but the value is masked', () => {
  let seed = 1000
  for (const name of [...tokenNames, ...passwordNames])
    for (const [id, write] of Object.entries(syntaxes)) {
      const value = (values[seed % values.length] as (seed: number) => string)(++seed)
      assert.equal(masked(write(name, value)), write(name, placeholder), `${id}: ${write(name, value)}`)
    }
})

test('passwords that people choose are found in configuration and in code', () => {
  const passwords = [
    ['Marble', '4821', '!'],
    ['violet', '-canyon', '-lantern', '-pepper'],
    ['Violet', 'Canyon', 'Lantern', '73'],
    ['Violet', '.Canyon', '.Lantern', '73'],
    ['Violet', 'Canyon', '73'],
    ['violet', '#731'],
    ['8473', '6251', '9'],
    [filler(5), '!', filler(4, hexLetters, 11), '#', filler(3)]
  ].map((parts) => parts.join(''))
  for (const name of passwordNames)
    for (const id of [
      'env',
      'composeQuoted',
      'c',
      'yaml',
      'json',
      'jsonInJson',
      'toml',
      'xml',
      'pythonArgument',
      'java',
      'javascript'
    ] as const)
      for (const password of passwords) {
        const write = syntaxes[id] as (name: string, value: string) => string
        assert.equal(masked(write(name, password)), write(name, placeholder), write(name, password))
      }
})

test('a password may contain characters that end other values, in every syntax', () => {
  for (const [at, sign] of [...'()[]{}|;,'].entries())
    for (const id of ['composeQuoted', 'unit', 'log', 'env', 'container', 'c', 'json', 'yamlQuoted'] as const) {
      const password = filler(5, undefined, at + 3) + sign + filler(7, undefined, at + 40)
      const write = syntaxes[id] as (name: string, value: string) => string
      const text = write('db_password', password)
      const from = text.indexOf(password)
      const isCovered = acted(text).some(({ start, end }) => start === from && end === from + password.length)
      assert.ok(isCovered, JSON.stringify(text))
    }
})

/** Another value of the same format: each character that may change without another finding is replaced. */
function redrawn(text: string, kind: string, seed: number): string | undefined {
  const found = (candidate: string) => scanner.scan(candidate).find((finding) => finding.kind === kind)
  const first = found(text)
  if (first === undefined) return undefined
  let out = text
  const draws = filler(first.end, base62Letters, seed)
  for (let i = first.start; i < first.end; i++) {
    const letters = alike.find((set) => set.includes(out.charAt(i)))
    if (letters === undefined) continue
    const candidate = out.slice(0, i) + letters.charAt(draws.charCodeAt(i) % letters.length) + out.slice(i + 1)
    const now = found(candidate)
    if (now?.start === first.start && now.end === first.end && now.confidence === first.confidence) out = candidate
  }
  return out.slice(first.start, first.end)
}
const alike = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ']
/** Characters that no syntax here needs to escape. */
const isPlain = (value: string) => /^[\w+/=.:@~-]+$/.test(value)

test('a value with a form of its own is found with other characters, in every syntax and behind any name', () => {
  let tried = 0
  for (const { id, group, hits } of trafficDetectors)
    for (const hit of hits().slice(0, 2)) {
      const value = group === 'secret' && hit.length < 300 ? redrawn(hit, id, tried + 7) : undefined
      if (value === undefined || !isPlain(value)) continue
      if (!acted(value).some(({ start, end }) => start === 0 && end === value.length)) continue
      for (const [syntax, write] of Object.entries(syntaxes)) {
        // An address has its own way with signs, and a sentence ends in one.
        if (syntax === 'address' && !/^[\w.~-]+$/.test(value)) continue
        tried++
        const text = write('setting', value)
        const at = text.indexOf(value)
        assert.ok(
          acted(text).some(({ start, end }) => start <= at && end >= at + value.length),
          `${id} in ${syntax}: ${text}`
        )
      }
    }
  assert.ok(tried > 5000, `${tried} texts`)
})

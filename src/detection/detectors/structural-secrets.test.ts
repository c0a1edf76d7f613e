import assert from 'node:assert/strict'
import test from 'node:test'
import { wordAt } from '../validators/bip39-words.ts'
import { base64Letters, filler, hexLetters } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import { bech32Checksum } from '../validators/bech32.ts'
import { nkeySeed } from '../validators/nkey.ts'

const scanner = createScanner()
const one = (text: string, kind: string) => scanner.scan(text).find((finding) => finding.kind === kind)
/** The text with `MASK` in place of each finding of the high tier. */
const masked = (text: string) =>
  scanner
    .scan(text)
    .filter(({ tier }) => tier === 'high')
    .reduceRight((out, { start, end }) => out.slice(0, start) + 'MASK' + out.slice(end), text)

test('a correct checksum within a key makes it certain, and with a wrong one it is still found', () => {
  const body = filler(52, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')
  const age = ['AGE-SECRET', 'KEY-1'].join('-') + body
  const sum = bech32Checksum(['AGE-SECRET', 'KEY-'].join('-'), body).toUpperCase()
  assert.equal(one(age + sum, 'age_secret_key')?.confidence, 'certain')
  assert.equal(one(age + [...sum].toReversed().join(''), 'age_secret_key')?.confidence, 'medium')
  const seed = nkeySeed(
    0,
    Array.from({ length: 32 }, (_, i) => 255 - i)
  )
  assert.equal(one(seed, 'nkey_seed')?.confidence, 'certain')
  assert.equal(
    one(seed.slice(0, 30) + seed.slice(30, 57).replace(/[A-Z]/g, 'Q') + 'A', 'nkey_seed')?.confidence,
    'medium'
  )
  // The token of the tests of Grafana.
  const token = ['gl', 'sa_yscW25imSKJIuav8zF37RZmnbiDvB05G_'].join('')
  assert.equal(one(token + 'fcaaf58a', 'grafana_token')?.confidence, 'certain')
  assert.equal(one(token + 'fcaaf58b', 'grafana_token')?.confidence, 'medium')
})

test('a seed phrase has a valid length; its checksum makes it certain, and a well-known sample never blocks', () => {
  // The first vector of BIP-39: sixteen bytes of zero.
  const zero = 'abandon '.repeat(11) + 'about'
  assert.equal(one(`mnemonic: ${zero}`, 'crypto_wallet_seed_phrase')?.confidence, 'medium')
  // The vector of sixteen bytes of 0x9e79... of the same list, in pieces.
  const real = ['ozone drill grab fiber curtain grace', 'pudding thank cruise elder eight picnic'].join(' ')
  assert.equal(one(`Recovery phrase: ${real}`, 'crypto_wallet_seed_phrase')?.confidence, 'certain')
  const numbered = real
    .split(' ')
    .map((word, i) => `${i + 1}. ${word}`)
    .join('\n')
  assert.equal(one(`my wallet words:\n${numbered}`, 'crypto_wallet_seed_phrase')?.confidence, 'certain')
  const wrong = real.replace('picnic', 'zoo')
  assert.equal(one(`seed phrase "${wrong}"`, 'crypto_wallet_seed_phrase')?.confidence, 'medium')
  assert.equal(one(`seed phrase "${real.split(' ').slice(1).join(' ')}"`, 'crypto_wallet_seed_phrase'), undefined)
  assert.equal(
    one(`wallet ${Array.from({ length: 100 }, (_, i) => wordAt(i)).join(' ')}`, 'crypto_wallet_seed_phrase'),
    undefined
  )
})

test('masking a private JSON Web Key leaves valid JSON', () => {
  const value = filler(43)
  const text = `{"keys":[{"kty":"RSA","n":"${filler(342)}","d":"${value}","p":"${value}","q":"${value}","e":"AQAB"}]}`
  const found = one(text, 'jwk_private')
  assert.ok(found)
  const masked = JSON.parse(text.slice(0, found.start) + 'MASK' + text.slice(found.end)) as { keys: object[] }
  assert.deepEqual(Object.entries(masked.keys[0] ?? {}).slice(2), [
    ['d', 'MASK'],
    ['e', 'AQAB']
  ])
})

test('masking the numbers of a private RSA key leaves each in its element or member, and those of the public key', () => {
  const value = (seed: number) => `${filler(171, base64Letters, seed)}=`
  const xml = `<RSAKeyValue><Modulus>${value(1)}</Modulus><P>${value(2)}</P><InverseQ>${value(3)}</InverseQ></RSAKeyValue>`
  const json = JSON.stringify({ d: value(1), exponent: 'AQAB', inverseQ: value(2), modulus: value(3), q: value(4) })
  assert.equal(masked(xml), xml.replace(value(2), 'MASK').replace(value(3), 'MASK'))
  for (const text of [json, JSON.stringify(json)]) {
    const parsed: unknown = JSON.parse(masked(text))
    assert.deepEqual(typeof parsed === 'string' ? JSON.parse(parsed) : parsed, {
      d: 'MASK',
      exponent: 'AQAB',
      inverseQ: 'MASK',
      modulus: value(3),
      q: 'MASK'
    })
  }
})

test('a hash is found in each row below the name of its column, a value behind the key that a command prints first', () => {
  const hash = (seed: number) => `*${filler(40, '0123456789ABCDEF', seed)}`
  const rows = `| user | authentication_string |\n+------+---+\n| a | ${hash(1)} |\n| b | ${hash(2)} |\n`
  assert.equal(scanner.scan(rows).filter(({ kind }) => kind === 'database_password_hash').length, 2)
  for (const text of [
    `$ etcdctl get /prod/db/password\n/prod/db/password\n${filler(14)}\n`,
    `$ redis-cli get db_password\n"${filler(14)}"\n`
  ]) {
    const found = one(text, 'shown_secret')
    assert.equal(found && text.slice(found.start, found.end), filler(14))
  }
})

test('only the secret part of a URL is masked', () => {
  const id = filler(18, '123456789')
  const secret = filler(68)
  const text = `https://discord.com/api/webhooks/${id}/${secret}`
  const found = one(text, 'discord_webhook')
  assert.equal(found && text.slice(found.start, found.end), secret)
  const otp = `otpauth://totp/acme:jo?secret=${filler(32, 'ABCDEFGHJKMNPQRS234567')}&issuer=acme`
  const seed = one(otp, 'otp_seed')
  assert.ok(seed && otp.slice(seed.end) === '&issuer=acme')
})

test('what follows the name of a service in prose, URLs and code is not a key', () => {
  const texts = [
    'https://open.spotify.com/track/' + filler(22),
    'linkedin: https://www.linkedin.com/in/jo-doe-' + filler(8, hexLetters),
    `datadog/agent@sha256:${filler(64, hexLetters)}`,
    `shodan revision ${filler(40, hexLetters)}`,
    'twilioClient.messages.create({ body, from: twilioNumber })',
    'const sendgridKey = config.get("SENDGRID_API_KEY_SECRET_NAME")',
    'SQUARE_ACCESS_TOKEN=${SQUARE_ACCESS_TOKEN_PRODUCTION_2024}'
  ]
  for (const text of texts) {
    const found = scanner.scan(text).filter((finding) => finding.group === 'secret' && finding.confidence !== 'weak')
    assert.deepEqual(found, [], text)
  }
})

test('a token that expired long ago is masked, one that may still be valid is blocked', () => {
  const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
  const rating = (exp: number) =>
    createScanner()
      .scan([part({ alg: 'RS256' }), part({ sub: 'jo', exp }), filler(86)].join('.'))
      .map(({ kind, tier, confidence }) => `${kind} ${tier} ${confidence}`)
  assert.deepEqual(rating(1_535_037_897), ['jwt high medium'])
  assert.deepEqual(rating(2_000_000_000), ['jwt high certain'])
  // Nobody issues what is good for a hundred years; tests do.
  assert.deepEqual(rating(4_687_177_990), ['jwt high medium'])
})

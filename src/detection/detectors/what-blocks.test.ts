/**
 * Values that have the form of a secret but are none, or none that justifies a refused call: they may be masked, but
 * never block.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { compileProfile } from '../../policy/redaction/decide.ts'
import { standardProfile } from '../../policy/redaction/profile.ts'
import { looseText } from '../../policy/redaction/text-place.ts'
import { base32Letters, base64Letters, filler, hexLetters } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import { trafficDetectors } from './traffic.ts'

const scanner = createScanner({ detectors: trafficDetectors })
const profile = compileProfile(standardProfile, { blockHighRisk: true })
const actions = (text: string) => scanner.scan(text).map((finding) => profile.decide(finding, looseText))

const base64 = (text: string) => Buffer.from(text).toString('base64')
const secretOf = (name: string, value: string) => `kind: Secret\ndata:\n  ${name}: ${value}\n`
const tokenOf = (header: object, claims: object) =>
  [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') + `.${filler(43)}`
const frame = (type: string, body: string) => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`
const random = `${filler(9)}!7`
/** How a key of 2,048 bits begins, before its modulus. */
const rsaHead = 'MIIEpA' + 'IBAAKCAQEA'
const signature = `sig=${filler(40)}%2Fab%3D`
const key = 'ASIA' + filler(16, base32Letters)
const caller = `"accountId":"11${'0'.repeat(10)}","accessKeyId":"${key}"`
const counted = Array.from({ length: 16 }, (_, i) => i + 1)
const session = 'IQoJ' + filler(300, base64Letters)
const account = (...groups: string[]) => `IBAN: ${groups.join(' ')}`

const quiet: readonly (readonly [what: string, text: string])[] = [
  ['a certificate in a secret of Kubernetes', secretOf('tls.crt', base64(frame('CERTIFICATE', filler(1200))))],
  ['the first line of a key in a manual', frame('RSA PRIVATE KEY', rsaHead + filler(48, base64Letters))],
  [
    'the first line of a key, and dots',
    `-----BEGIN RSA PRIVATE KEY-----\n${rsaHead}${filler(48, base64Letters)}\n...\n`
  ],
  ['a frame around no key', secretOf('tls.key', base64(frame('RSA PRIVATE KEY', '...')))],
  ['the folder of sudo', 'sudo: ana : TTY=pts/4 ; PWD=/home/ana/8f2Kq ; USER=root ; COMMAND=/bin/ls'],
  ['an encoded word', 'https://git:pass%4023@git.acme.dev/x'],
  ['words of samples', 'curl -u testuser:test2pass https://api.acme.dev/'],
  ['keys of a keyboard', 'redis://h:asdfqwer1234asdf@cache.acme.dev:6379'],
  ['basic authentication with a word', `Authorization: Basic ${base64('abc123:def456')}`],
  ['a token that is cut off', `token = "ya29.a0${filler(30)}..."`],
  ['the token of the documentation of AWS', `"SessionToken": "${session.slice(0, 40)}EXAMPLE${session.slice(40)}"`],
  [
    'the key of an address that is signed',
    `https://b.s3.amazonaws.com/x?X-Amz-Credential=${key}%2F20190814&X-Amz-Date=1`
  ],
  [
    'the key that a call was made with, in CloudTrail',
    `{"userIdentity":{"type":"Root",${caller}},"eventName":"PutObject"}`
  ],
  ['the same in a query', `filter userIdentity.accessKeyId = "${key}" | stats count() by eventName`],
  ['the keys that IAM lists', `{"AccessKeyMetadata":[{"UserName":"ana","AccessKeyId":"${key}","Status":"Active"}]}`],
  ['the session of such an address', `https://b.s3.amazonaws.com/x?a=1&X-Amz-Security-Token=${session}`],
  ['a signature that has expired', `https://a.blob.core.windows.net/c?sv=2021-06-08&se=2023-12-20&sp=rw&${signature}`],
  ['the download of one blob', `https://a.blob.core.windows.net/c?sv=2021-06-08&se=2030-12-20&sr=b&sp=r&${signature}`],
  ['a proof of possession', tokenOf({ alg: 'ES256', typ: 'dpop+jwt' }, { jti: 'x', iat: 1_900_000_000 })],
  ['the person of a sample', tokenOf({ alg: 'HS256' }, { sub: '1234567890', name: 'John Doe', iat: 1_516_239_022 })],
  ['a symmetric key of words', `{"kty":"oct","k":"${Buffer.from('changeme'.repeat(4)).toString('base64url')}"}`],
  ['a symmetric key that counts up', `{"kty":"oct","k":"${Buffer.from(counted).toString('base64url')}"}`],
  ['the number on the specimen of a card', `DNI: ${'12345'}678Z`],
  ['the number in a form of India', `PAN ${'ABCPE'}1234F`],
  ['the example of a tax number', `gstin: ${'12ABCDE'}3456FGZH`],
  ['a card as it is typed', 'card 5123 4567 8901 2346'],
  ['a card of 13 digits', `creditCardNumber // '${['4427', '163488662'].join('')}'`],
  ['an account of the registry', account('AT61', '1904', '3002', '3457', '3201')],
  ['the emulator of Azure', `AccountName=devstoreaccount1;AccountKey=${azurite()};BlobEndpoint=http://127.0.0.1/`]
]

for (const [what, text] of quiet) {
  test(`does not block: ${what}`, () => assert.ok(!actions(text).includes('block'), text))
}

const blocked: readonly (readonly [what: string, text: string])[] = [
  ['half a key', frame('RSA PRIVATE KEY', rsaHead + filler(800, base64Letters))],
  ['a key behind a certificate', secretOf('tls.pem', base64(frame('CERTIFICATE', 'MII') + keyFrame()))],
  ['a key in base64', base64(keyFrame())],
  ['a key with a remark behind its first line', remarkedKey()],
  ['an access key that settings contain', `{"region":"eu-west-1",${caller}}`],
  [
    'a secret in a record of a call',
    `{"userIdentity":{${caller},"secretAccessKey":"${filler(40, base64Letters, 11)}"}}`
  ],
  ['the number of a person', `DNI: ${'62274'}427H`],
  ['a tax number', `gstin: ${'27AAPFU0'}835F1ZW`],
  ['a password of a list', `Server=db.acme.dev;Uid=app;PWD=${random};`],
  ['an encoded password', `https://git:${encodeURIComponent(random)}@git.acme.dev/x`],
  ['a password of a command', `curl -u ops:${random} https://api.acme.dev/`],
  ['basic authentication', `Authorization: Basic ${base64(`ops:${random}`)}`],
  ['a whole token', `token = "ya29.a0${filler(160)}"`],
  ['a session in the environment', `AWS_SESSION_TOKEN=${session}`],
  ['a key in the environment', `AWS_ACCESS_KEY_ID=${key}`],
  [
    'a signature of a container',
    `https://a.blob.core.windows.net/c?sv=2021-06-08&se=2030-12-20&sr=c&sp=rl&${signature}`
  ],
  ['a token of an issuer', tokenOf({ alg: 'RS256' }, { sub: 'jo', exp: 1_900_000_000 })],
  ['a symmetric key', `{"kty":"oct","k":"${filler(43)}"}`],
  ['a card', 'card 4539 1488 0343 6467'],
  ['an account', account('DE12', '5001', '0517', '0648', '4898', '90')],
  ['a key of Azure', `AccountName=shop;AccountKey=${filler(86, base64Letters)}==;EndpointSuffix=core.windows.net`]
]

for (const [what, text] of blocked) {
  test(`blocks: ${what}`, () => assert.ok(actions(text).includes('block'), text))
}

function azurite(): string {
  return ['Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6', 'IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='].join('')
}

function remarkedKey(): string {
  const [head = '', ...lines] = keyFrame().trimEnd().split('\n')
  return `const key = "${head}\\n" + // the first line\n${lines.map((line) => `  "${line}\\n"`).join(' +\n')}\n`
}

function keyFrame(): string {
  const line = (seed: number) => filler(64, base64Letters, seed)
  return frame('PRIVATE KEY', [line(1), line(2), filler(60, base64Letters + hexLetters)].join('\n'))
}

test('a key ends with its field, and includes nothing of the next one', () => {
  const store = `MIIKYQ${'IBA'}zCC${filler(120, base64Letters)}`
  for (const [before, after] of [
    ['"a": "', '", "x": 1}'],
    ['pfx_certificate = "', '"\n  pfx_certificate_password = "x"\n'],
    ['data: "sign=', '"\n  version: HTTP/1.1\n'],
    ["const a = '", "'\nconst b = 1\n"]
  ] as const) {
    const text = before + store + after
    const found = scanner.scan(text).filter(({ kind }) => kind === 'pkcs12_file_or_jks')
    assert.deepEqual(
      found.map(({ start, end }) => text.slice(start, end)),
      [store],
      text
    )
  }
})

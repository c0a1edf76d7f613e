import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../index.ts'
import { filler } from '../sample-text.ts'

const scanner = createScanner()

/** How a token stands in a text. */
const places: readonly ((token: string) => string)[] = [
  (token) => `{"refresh_token": "${token}", "expires_in": 3600}`,
  (token) => `REFRESH_TOKEN=${token}\nPORT=8080\n`,
  (token) => `access_token: ${token}\n`,
  (token) => `<access_token>${token}</access_token>`,
  (token) => `token = """${token}"""`,
  (token) => `Cookie: shop_session=${token}; theme=dark`,
  (token) => `grant_type=refresh_token&refresh_token=${token}&client_id=shop`
]

const units = [513, 1200, 4000]

test('a token is masked whole, however long it is', () => {
  for (const place of places)
    for (const length of units) {
      const token = filler(length)
      const text = place(token)
      const start = text.indexOf(token)
      const found = scanner.scan(text).find((one) => one.start <= start && one.end > start)
      assert.deepEqual([found?.start, found?.end], [start, start + length], text.slice(0, start) + length)
    }
})

test('the refresh tokens of Microsoft are tokens: their parts have dots, and signs in those of personal accounts', () => {
  for (const token of [
    `0.A${filler(60)}.Ag${filler(900)}`,
    `M.C5${filler(2, '0123456789')}_BAY.0.U.-C${[filler(200), filler(300), filler(300)].join('*!')}$$`
  ]) {
    const text = `"refresh_token": "${token}"`
    assert.equal(scanner.scan(text)[0]?.end, text.length - 1, token.slice(0, 8))
  }
})

test('a file in base64 and a long text are no tokens', () => {
  for (const value of [filler(5000), `${filler(600)} ${filler(600)}`, `${filler(600)}{${filler(600)}`])
    assert.deepEqual(
      scanner.scan(`token = "${value}"`).filter(({ tier }) => tier !== 'low'),
      [],
      value.slice(0, 20)
    )
})

import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from './sample-text.ts'
import { createScanner } from './scanner.ts'

const scanner = createScanner()
const found = (text: string) =>
  scanner.scan(text).filter((finding) => finding.confidence !== 'weak' && finding.tier !== 'low')
const values = (text: string) => found(text).map(({ start, end }) => text.slice(start, end))

test('only the secret part is found, so the rest of the text keeps its form', () => {
  const secret = filler(14)
  for (const text of [
    `DB_PASSWORD="${secret}"`,
    `{"password":"${secret}","user":"app"}`,
    `password: ${secret}\nuser: app\n`,
    `<password>${secret}</password>`,
    `<p>Meeting<br>\nPasscode: ${secret}</em></p>\n<hr>`,
    `postgres://app:${secret}@db.acme.dev:5432/shop?sslmode=require`,
    `Server=db;User Id=app;Password=${secret};Encrypt=yes`,
    `curl -u "app:${secret}" https://acme.dev`,
    `mysql -u app -p${secret} shop`,
    `machine git.acme.dev login app password ${secret}\n`,
    `my password is ${secret}.`
  ])
    assert.deepEqual(values(text), [secret], text)
})

test('letters beyond ASCII with two digits are a password where ASCII is, and no sentence', () => {
  for (const parts of [
    ['Übung', '2024x'],
    ['été', '2024!'],
    ['Zoë#', '1987'],
    ['Größe', '20x24']
  ]) {
    const secret = parts.join('')
    for (const text of [`password: ${secret}`, `DB_PASSWORD=${secret}`, `{"password":"${secret}"}`])
      assert.deepEqual(values(text), [secret], text)
  }
  for (const text of ['"password": "密码长度6到20位"', 'password: "№12Abs34"', 'passwordHint: "Größe 12 bis 16"'])
    assert.deepEqual(values(text), [], text)
})

test('each of two long tables of passwords is read to its end when their scans alternate', () => {
  const rows = (row: (secret: string) => string, first: number) =>
    Array.from({ length: 100 }, (_, i) => row(filler(12, undefined, first + i))).join('')
  for (const [head, row] of [
    ['host,password\n', (secret: string) => `db1,${secret}\n`],
    ['INSERT INTO users (login, password) VALUES ', (secret: string) => `('ana', '${secret}'), `],
    ['host  user  password\n', (secret: string) => `db1   ops   ${secret}\n`]
  ] as const) {
    const runs = [1, 501].map((first) => scanner.begin(head + rows(row, first)))
    for (let isDone = false; !isDone;) isDone = runs.map((run) => run.step(1)).every(Boolean)
    assert.deepEqual(
      runs.map((run) => run.findings().length),
      [100, 100],
      head
    )
  }
})

test('the name of a field counts as context for its value', () => {
  const value = 'kq' + 'zvw-81xq'
  const kinds = (key: string) => scanner.scan(value, undefined, { key }).map((finding) => finding.kind)
  assert.deepEqual(kinds('password'), ['json_yaml_secret_field'])
  assert.deepEqual(kinds('note'), [])
  assert.deepEqual(scanner.scan(value), [])
  const [finding] = scanner.scan(value, undefined, { key: 'db_password' })
  assert.deepEqual([finding?.start, finding?.end], [0, value.length])
})

test('a value found by its name is found again without it', () => {
  const memory = scanner.createMemory()
  const secret = filler(16)
  scanner.scan(`password = "${secret}"`, memory)
  assert.equal(scanner.scan(`it printed ${secret} twice`, memory).length, 1)
  const other = scanner.createMemory()
  const hinted = 'kq' + 'zvw-81xq'
  scanner.scan(hinted, other, { key: 'password' })
  assert.equal(scanner.scan(`used ${hinted} there`, other).length, 1)
})

test('a kind that knows the value wins over one that only knows its name', () => {
  const key = 'gsk_' + filler(52)
  assert.deepEqual(
    found(`API_TOKEN="prefix-${key}"`).map((finding) => finding.kind),
    found(`GROQ=${key}`).map((finding) => finding.kind)
  )
})

test('each value of a Kubernetes secret is found, and nothing between them', () => {
  const first = Buffer.from(`${filler(9)}:${filler(9, undefined, 11)}`).toString('base64')
  const second = Buffer.from(filler(15, undefined, 13)).toString('base64')
  const text = `apiVersion: v1\nkind: Secret\ndata:\n  a: ${first}\n  b: ${second}\ntype: Opaque\n`
  assert.deepEqual(values(text), [first, second])
  assert.deepEqual(values(text.replace('Secret', 'ConfigMap').replace('v1', 'v2')), [])
})

test('a pair behind Basic is blocked, unless it is a sample or a word', () => {
  const header = (pair: string) => `Authorization: Basic ${Buffer.from(pair).toString('base64')}`
  const rating = (text: string) => found(text).map(({ kind, tier, confidence }) => [kind, tier, confidence].join(' '))
  assert.deepEqual(rating(header(`app:${filler(12)}`)), ['basic_auth_header high certain'])
  assert.deepEqual(rating(header('user:password')), ['basic_auth_header medium medium'])
  assert.deepEqual(rating('Basic Options, Basic Authentication'), [])
})

test('the default password of a local server is ignored, any other is masked or blocked', () => {
  const rating = (text: string) => scanner.scan(text).map(({ tier, confidence }) => `${tier} ${confidence}`)
  assert.deepEqual(rating('postgres://postgres:postgres@localhost/x'), ['low medium'])
  assert.deepEqual(rating(`postgres://app:${filler(12)}@db/x`), ['medium medium'])
  assert.deepEqual(rating('postgres://root:root@db.acme.dev/x'), ['medium medium'])
  assert.deepEqual(rating(`postgres://app:${filler(12)}@db.acme.dev/x`), ['high strong'])
})

test('program text, interface text and configuration without secrets are left unchanged', () => {
  for (const text of [
    'const token = await auth.getToken({ audience })',
    'password: z.string().min(8)',
    'if (token.type === TokenType.Identifier) return parseKey(token)',
    'for (const [key, value] of Object.entries(headers)) out[key] = value',
    '"forgotPassword": "Passwort vergessen?"',
    '"password": "Kennwort", "token": "Zugriffstoken"',
    'secretKeyRef: { name: db-credentials, key: password }',
    'password: {{ .Values.postgres.password | b64enc }}',
    'PASSWORD_FILE=/run/secrets/db_password',
    'password = os.environ.get("DB_PASSWORD")',
    'api_key=os.getenv("OPENAI_API_KEY")',
    'token: ${{ secrets.GITHUB_TOKEN }}',
    'Authorization: Bearer $TOKEN',
    'headers: { Authorization: `Bearer ${token}` }',
    'The bearer token must be sent in the Authorization header.',
    'passwordEncoder = new BCryptPasswordEncoder();',
    'password: process.env.DB_PASSWORD ?? ""',
    'max_tokens: 4096, key: "ArrowDown"',
    'key: "user.profile.title"',
    'kind: Secret\nmetadata:\n  name: db\n',
    'secret: kubernetes.io/service-account-token',
    'sha256 = "' + filler(64, '0123456789abcdef') + '"',
    '"integrity": "sha512-' + filler(86) + '=="',
    'key = "3f2b8c1e-9d4a-4b6f-8e2d-1a5c7f9b0d3e"',
    'postgres://postgres:postgres@localhost:5432/test',
    'redis://localhost:6379/0',
    'docker run -p 8080:80 -u 1000:1000 app',
    'pwd && ls -la',
    'auth: required',
    'password = input("Password: ")'
  ])
    assert.deepEqual(values(text), [], text)
})

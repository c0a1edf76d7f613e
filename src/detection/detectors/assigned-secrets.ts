/** Passwords, tokens and keys that nothing but their name gives away: `DB_PASSWORD=...`, `"apiKey": "..."`. */
import { Assignment, operators, type Operator } from '../assignments.ts'
import type { Anchor, Detector, Match } from '../detector.ts'
import { isSecretValue } from '../generic-value.ts'
import { noName, rateName } from '../key-names.ts'
import { filler } from '../sample-text.ts'

/** The telling words, without regard to case. Each is short, so what stands beside it is read before anything else. */
const words = [
  'pass',
  'pwd',
  'pswd',
  'secret',
  'token',
  'key',
  'auth',
  'credential',
  'salt',
  'senha',
  'contrase',
  '_pw',
  'x-amz-sig',
  'x-goog-sig'
]
const anchors: readonly Anchor[] = words.map((literal) => ({ literal, fold: true }))

const assignment = new Assignment()

/** The shortest of the words; the name is read to its end from there. */
const wordUnits = 3

function find(text: string, at: number, wanted: (operator: Operator) => boolean): Match | undefined {
  if (!assignment.read(text, at, wordUnits, wanted)) return undefined
  const { operator, start, end, quoted } = assignment
  const name = rateName(text, assignment.nameStart, assignment.nameEnd, at)
  if (name === noName || isOther(text, assignment)) return undefined
  const doubtful = operator === operators.call || operator === operators.beside || assignment.wrapped
  if (!isSecretValue(text, start, end, name, { quoted, doubtful, uuids: namesToken(text, assignment) }))
    return undefined
  return { start, end, confidence: 'medium', byContext: true }
}

/** `... learned to pass "-v"` is a verb, and the token of `badge.svg?token=...` is there for everybody to read. */
function isOther(text: string, { nameStart, nameEnd, operator }: Assignment): boolean {
  if (operator === operators.beside) return nameEnd - nameStart === 4
  return text.startsWith('.svg?', nameStart - 5)
}

/** Whether the name says `token` or `secret`, under which even a UUID is one; keys of records are UUIDs as well. */
function namesToken(text: string, { nameStart, nameEnd }: Assignment): boolean {
  const name = text.slice(nameStart, nameEnd).toLowerCase()
  return (
    name.endsWith('token') ||
    name.endsWith('secret') ||
    name.endsWith('secret_key') ||
    (name.startsWith('x-') && name.endsWith('key'))
  )
}

const isField = (operator: Operator) => operator === operators.colon || operator === operators.element
const isAssignment = (operator: Operator) => !isField(operator) && operator !== operators.is

const word = (length: number) => filler(length, 'bcdfghjkmnpqrtvwxz')

export const assignedSecretDetectors: readonly Detector[] = [
  {
    id: 'env_assignment_secret',
    label: 'SECRET',
    title: 'assigned secret',
    group: 'secret',
    tier: 'medium',
    lengthMin: 9,
    anchors,
    match: (text, at) => find(text, at, isAssignment),
    hits: () => [
      'DB_PASSWORD=' + filler(14),
      'export API_TOKEN=' + filler(32, '0123456789abcdef'),
      `const clientSecret = '${filler(24)}'`,
      `client_secret := "${filler(24)}"`,
      `config.set("db.password", "${filler(16)}")`,
      `password=${word(9)}`,
      `mysql --password ${filler(12)}`,
      `setPassword('${filler(12)}')`,
      `var signingKey string = "${filler(40)}"`,
      `$secret_key = '${filler(20)}';`,
      `os.getenv("APP_SECRET", "${filler(20)}")`,
      `process.env.JWT_SECRET || '${filler(20)}'`,
      `<add key="Password" value="${filler(12)}"/>`
    ],
    misses: () => [
      'PASSWORD=$DB_PASSWORD',
      'PASSWORD=${DB_PASSWORD:-}',
      'password = os.environ["DB_PASSWORD"]',
      'const token = await getToken(session)',
      'token = user.accessToken',
      'MAX_TOKENS=100',
      'API_KEY=your_api_key_here',
      'SECRET_FILE=/run/secrets/db',
      'KEY_ID=' + filler(20),
      'PUBLIC_KEY=' + filler(40),
      'sort_key = "' + filler(20) + '"',
      'csrf_token = "' + filler(32) + '"',
      'password = ""',
      'PASSWORD=********',
      'secret = config.secret',
      'token = abc123'
    ],
    source: 'Conventions of environment files, shells and program text; the name is the evidence.'
  },
  {
    id: 'json_yaml_secret_field',
    label: 'SECRET',
    title: 'secret in a field',
    group: 'secret',
    tier: 'medium',
    lengthMin: 9,
    anchors,
    match: (text, at) => find(text, at, isField),
    hits: () => [
      `{"password": "${filler(12)}"}`,
      `password: ${filler(12)}`,
      `{\\"api_key\\": \\"${filler(24)}\\"}`,
      `<password>${filler(12)}</password>`,
      `const val SIGNING_KEY: String = "${filler(40)}"`,
      `{ user: app, password: ${word(8)} }`,
      `"client_secret":"${filler(32, '0123456789abcdef')}"`
    ],
    misses: () => [
      '"password": "Passwort"',
      'password: string',
      'password: required',
      '"LABEL_PASSWORD": "Contraseña"',
      'token: ${{ secrets.GITHUB_TOKEN }}',
      'password: {{ .Values.password }}',
      '"key": "' + filler(12) + '"',
      '"token": null',
      'authToken: this.authToken,',
      '"password": "changeme"',
      '<password>${env.PASSWORD}</password>'
    ],
    source: 'JSON, YAML, TOML and XML as they are written; the name is the evidence.'
  }
]

/**
 * Passwords and keys recognised by their position in a call of a known library: `login("ops", "...")`,
 * `jwt.sign(payload, "...")` (decision 117).
 */
import { Call } from '../../arguments/call.ts'
import { calleeAt, callees, type CallForm } from '../../arguments/call-arguments.ts'
import { NameIndex } from '../../text/name-index.ts'
import { Assignment } from '../../assignments/assignments.ts'
import { likelyName, passwordName } from '../../values/key-names.ts'
import { contextMatch, type Detector, type Match } from '../../detector.ts'
import { filler } from '../../sample-text.ts'
import {
  backslashSet,
  behindLast,
  charSet,
  codeAt,
  consistsOf,
  countOf,
  inSet,
  lowerSet,
  quoteSet,
  runStart,
  snakeSet,
  underscoreSet
} from '../../text/chars.ts'
import { WordList } from '../../text/word-list.ts'
import { isChosenPassword } from '../../values/chosen-passwords.ts'
import { isDummyValue, isSecretValue } from '../../values/generic-value.ts'

const call = new Call()
const assignment = new Assignment()

function argumentOf(text: string, at: number): Match | undefined {
  const found = calleeAt(text, at)
  if (found === undefined) return undefined
  const [callee, forms] = found
  // `basic_auth(` is a callee of its own.
  if (callee.startsWith('auth') && codeAt(text, at - 1) === 95) return undefined
  call.read(text, at + callee.length)
  for (const form of forms) {
    const { place, promise } = form
    if (place >= call.count || call.sort(place) !== 'text' || !fits(text, form)) continue
    const secret = judged(text, call.start(place), promise === 'sure')
    if (secret === undefined || (callee === sent && isCommand(text, secret))) continue
    return secret
  }
  return undefined
}

/** Whether the arguments before the secret, and what follows it, fit the form. */
function fits(text: string, { arguments: expected, place, promise }: CallForm): boolean {
  for (let i = 0; i < place; i++) {
    const sort = call.sort(i)
    const wanted = expected.charCodeAt(i)
    if (wanted === 35 ? sort !== 'number' : sort === 'number') return false
    if (wanted === 80 && !(sort === 'text' && passwordFields.standsIn(text, call.start(i), call.start(i + 1))))
      return false
  }
  // Two string arguments are a user and a password.
  return place > 0 || promise === 'sure' || call.count < 2 || call.sort(1) !== 'text'
}

const passwordFields = new WordList(['passw', 'pwd', '"pass"', "'pass'", '#pass"', "#pass'"])

function judged(text: string, at: number, isSure: boolean): Match | undefined {
  // Where a quoted text ends is not remembered, so the number of the text would not help.
  if (!assignment.readValue(text, at, 0) || !assignment.quoted) return undefined
  const { start } = assignment
  // Cypress ends what it types with a key press.
  const end = text.startsWith(enter, assignment.end - enter.length) ? assignment.end - enter.length : assignment.end
  const isFound = isSure
    ? isSecretValue(text, start, end, passwordName, { quoted: true, doubtful: false })
    : !isCommandName(text, start, end) &&
      (isSecretValue(text, start, end, likelyName, { quoted: true, doubtful: true }) ||
        (isChosenPassword(text, start, end) && !isDummyValue(text, start, end)))
  return isFound ? contextMatch(start, end) : undefined
}

/** The call with which a test types on a console. */
const sent = '.sendline('

/** Whether it is a command that is typed there, `pktbuf`, and not the answer to a prompt for a password. */
function isCommand(text: string, { start, end }: Match): boolean {
  if (end - start > commandUnitsMax || !consistsOf(text, start, end, lowerSet)) return false
  return !passwordFields.standsIn(text, Math.max(0, start - beforeUnitsMax), start)
}

/** Whether it is a function or command in snake_case, as consoles of devices take them: `bq2429x_get_vlim`. */
function isCommandName(text: string, start: number, end: number): boolean {
  if (!consistsOf(text, start, end, snakeSet) || !inSet(lowerSet, codeAt(text, start))) return false
  return countOf(text, start, end, underscoreSet) > 1
}
const commandUnitsMax = 8

const enter = '{enter}'
const beforeUnitsMax = 96
const backslashesMax = 32

/** What is typed into a password field that the same statement named before: `find("#password").send_keys("...")`. */
function typedInto(text: string, at: number, callUnits: number): Match | undefined {
  if (!inSet(quoteSet, codeAt(text, at + callUnits))) return undefined
  const found = passwordFields.standsIn(text, statementStart(text, at), at)
    ? judged(text, at + callUnits, true)
    : undefined
  // The entry of a map: `codes.set("V6025", "PIN Required")`.
  return found !== undefined && text.startsWith('.set(', at) && codeAt(text, found.end + 1) === 44 ? undefined : found
}

/** Where the statement before `at` begins, as far as it is read. */
function statementStart(text: string, at: number): number {
  return behindLast(text, at, statementEndSet, beforeUnitsMax)
}
const statementEndSet = charSet('\n;')

/** `"...".toCharArray()`: in Java, passwords are passed so, and hardly any other text. */
function asCharacters(text: string, at: number): Match | undefined {
  if (codeAt(text, at - 1) !== 34) return undefined
  const open = text.lastIndexOf('"', at - 2)
  if (open < 0 || at - open > beforeUnitsMax) return undefined
  // What a test expects: `assertArrayEquals("755224".toCharArray(), ...)`.
  if (codeAt(text, open - 1) === 40 && text.slice(Math.max(0, open - assertUnitsMax), open).includes('assert'))
    return undefined
  // Within JSON both quotes are escaped.
  return judged(text, runStart(text, open, backslashSet, backslashesMax), true)
}

const typingCalls = [
  ...['.send_keys(', '.sendkeys(', '.type(', '.fill(', '.setvalue(', '.typetext(', '.performtextinput('],
  ...[".set('", '.set("', '.entertext(', '.replacetext(', '(typetext(', '(replacetext(', '.settext('],
  // What a React test passes to a field.
  '{ target: { value: '
]
/** What a stub answers: `when(vault.read("kv/app")).thenReturn("...")`. */
const stubCalls = [
  '.thenreturn(',
  '.mockreturnvalue(',
  '.mockresolvedvalue(',
  '.willreturn(',
  '.andreturn(',
  '.and_return('
]
const stubs = new NameIndex(stubCalls.map((name) => [name, true]))
const stubbedNames = new WordList(['vault', 'secret', 'token', 'apikey', 'api_key', 'credential'])

/** The answer of a stub for something that is named like a secret in the same statement. */
function stubbed(text: string, at: number, callUnits: number): Match | undefined {
  if (!inSet(quoteSet, codeAt(text, at + callUnits))) return undefined
  const from = statementStart(text, at)
  const isNamed = passwordFields.standsIn(text, from, at) || stubbedNames.standsIn(text, from, at)
  return isNamed ? judged(text, at + callUnits, false) : undefined
}

const typing = new NameIndex(typingCalls.map((name) => [name, true]))
const assertUnitsMax = 24
const asArray = '.toCharArray('

export const callArgumentDetectors: readonly Detector[] = [
  {
    id: 'call_argument',
    label: 'PASSWORD',
    title: 'password or key passed to a call',
    group: 'secret',
    tier: 'medium',
    lengthMin: 12,
    anchors: [...new Set([...callees, ...typingCalls, ...stubCalls])]
      .map((literal) => ({ literal, fold: true as const }))
      .concat({ literal: asArray.toLowerCase(), fold: true }),
    match(text, at) {
      if (text.startsWith(asArray, at)) return asCharacters(text, at)
      const stub = stubs.at(text, at)
      if (stub !== undefined) return stubbed(text, at, stub[0].length)
      const typed = typing.at(text, at)
      return (
        (typed === undefined
          ? undefined
          : typedInto(text, at, typed[0].length - (typed[0].startsWith('.set(') ? 1 : 0))) ?? argumentOf(text, at)
      )
    },
    hits: () => [
      `smtp.login("ops@acme.dev", "${filler(12)}")`,
      `smtp.login("ops@acme.dev", "${['violet', '-canyon', '-41'].join('')}")`,
      `WiFi.begin(ssid, "${filler(12)}");`,
      `child.expect("Password:")\nchild.sendline("${filler(7, 'bcdfghjkmpqrtvwxz')}")`,
      `when(vault.read("kv/app")).thenReturn("${filler(14)}42");`,
      `onView(withId(R.id.password)).perform(typeText("${filler(12)}"), closeSoftKeyboard())`,
      `find_field('Password').set('${filler(12)}')`,
      `URL.create("mysql+pymysql", "shop", "${filler(12)}", "db.acme.dev")`,
      `child.sendline("${filler(12)}42")`,
      `EXEC sp_addlogin 'ops', '${filler(12)}'`,
      `select pgp_sym_encrypt(card, '${filler(14)}')`,
      `AES.new(bytes.fromhex("${filler(64, '0123456789abcdef')}"), AES.MODE_GCM)`,
      `requests.get(url, auth=('ops', '${filler(12)}'))`,
      `kSecValueData as String: "${filler(12)}".data(using: .utf8)!`,
      `{"auth": ["admin", "${filler(12)}"]}`,
      `req.SetBasicAuth("ops", "${filler(14)}")`,
      `http.basic_auth 'ops', '${filler(12)}'`,
      `new NetworkCredential("ops", "${filler(12)}", "ACME")`,
      `new DirectoryEntry("LDAP://dc", @"acme\\ops", "${filler(10)}")`,
      `new UsernamePasswordCredentials("ops", "${filler(12)}")`,
      `smtp.PlainAuth("", "ops@acme.dev", "${filler(12)}", "smtp.acme.dev")`,
      `DriverManager.getConnection(\n    "jdbc:mysql://db/shop", "shop", "${filler(12)}");`,
      `$db = new PDO('mysql:host=db;dbname=shop', 'shop', '${filler(12)}');`,
      `jwt.sign({ sub: user.id }, '${filler(20)}')`,
      `jwt.sign(payload, '${filler(20)}', { expiresIn: '1h' })`,
      `crypto.createHmac('sha256', "${filler(20)}")`,
      `hmac.new(b"${filler(20)}", message, hashlib.sha256)`,
      `new SecretKeySpec("${filler(16)}".getBytes(), "AES")`,
      `bcrypt.hash('${filler(12)}', 10)`,
      `fill_in 'Password', with: '${filler(12)}'`,
      `.basic_auth("svc-qx", Some("${filler(12)}"))`,
      `crypto.createDecipheriv('aes-256-cbc', Buffer.from('${filler(64, '0123456789abcdef')}', 'hex'), iv)`,
      `Client = Twilio::REST::Client.new(ENV.fetch('SID'), '${filler(32, '0123456789abcdef')}')`,
      `#0 /srv/db.php(8): PDO->__construct('mysql:host=db;d...', 'shop', '${filler(12)}')`,
      `new ethers.Wallet("0x${filler(64, '0123456789abcdef')}", provider)`,
      `env.put(Context.SECURITY_CREDENTIALS, "${filler(12)}");`,
      `await page.type('input[name=password]', '${filler(12)}')`,
      `cy.get('input[name=password]').type('${filler(12)}{enter}')`,
      `driver.find_element(By.ID, "pass").send_keys("${filler(12)}")`,
      `UPDATE users SET hash = crypt('${filler(12)}', gen_salt('bf'))`,
      `driver.find_element(By.ID, "password").send_keys("${filler(12)}")`,
      `fireEvent.change(passwordInput, { target: { value: '${filler(12)}' } })`,
      `rule.onNodeWithTag("password").performTextInput("${filler(12)}")`,
      `await userManager.CreateAsync(user, "${filler(12)}");`,
      `EXEC sp_addlinkedsrvlogin 'erp', 'false', NULL, 'ops', '${filler(12)}'`,
      `keyStore.load(stream, "${filler(12)}".toCharArray());`
    ],
    misses: () => [
      'codes.set("V6024", "One Time Password Not Active"), codes.set("V6025", "PIN Required")',
      'def pktbuf_empty(child):\n    child.sendline("pktbuf")',
      'smtp.login(user, password)',
      `fill_in 'Title', with: '${filler(12)}'`,
      `.basic_auth("svc-qx", Some(password))`,
      'login("ops", "password")',
      '{"auth": ["admin", "editor"]}',
      '{"auth": ["basic", "bearer"]}',
      'login("ops", process.env.PASSWORD)',
      'login(page, "Log in to continue")',
      'authenticate("google", { scope: ["profile"] })',
      'mysqli_connect("localhost", "root", "", "shop")',
      'DriverManager.getConnection(url, "ops", System.getenv("DB_PASSWORD"))',
      'signIn("credentials", "callbackUrl")',
      'jwt.sign(payload, secret)',
      `jwt.verify(token, "public.pem")`,
      'crypto.createHmac("sha256", key)',
      'page.fill("#search", "iPhone 15")',
      'new Pusher({ key: "x" })',
      '"hello".toCharArray()',
      `fireEvent.change(search, { target: { value: '${filler(12)}' } })`,
      'new Uint8Array(16).fill(0)',
      'auth("google-oauth2")',
      'child.sendline("qx2429x_get_vlim")'
    ],
    source:
      'The documentation of Python (smtplib, hmac), requests, .NET (NetworkCredential), Java (DriverManager, SecretKeySpec, PasswordAuthentication), PHP (PDO, mysqli, openssl_encrypt), Go (net/smtp, net/http), jsonwebtoken, PyJWT, Node.js (crypto), Selenium, Playwright and the other libraries in `arguments/call-arguments.ts`.'
  }
]

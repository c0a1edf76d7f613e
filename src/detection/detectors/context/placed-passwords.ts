/**
 * Passwords and keys at a fixed position of a statement or a file, whose name stands behind them, far away, or nowhere.
 */
import { NameIndex } from '../../text/name-index.ts'
import { likelyName } from '../../values/key-names.ts'
import { contextMatch, type Detector, type Match } from '../../detector.ts'
import type { Guard } from '../../anchor-guard.ts'
import { base64Letters, filler } from '../../sample-text.ts'
import {
  charSet,
  codeAt,
  hexSet,
  inSet,
  leftClear,
  lowerHexSet,
  nameSet,
  quoteSet,
  runEnd,
  spaceSet,
  wordSet
} from '../../text/chars.ts'
import { lineEnd } from '../../text/rows.ts'
import { isSecretValue } from '../../values/generic-value.ts'
import { delimitedPassword } from '../../values/delimited-password.ts'
import {
  fallbackValue,
  hiddenField,
  environmentDefault,
  keyBytes,
  proxyLogin,
  signedWith,
  tagContent,
  wireless
} from './placed-fields.ts'
import {
  lookUnitsMax,
  quotedEnd,
  quotedPassword,
  wordAt,
  storedHash,
  seeded,
  users,
  storageRow,
  storageSetting,
  parameterField,
  planned,
  rowUnits,
  rows,
  dialIn,
  dialInHead,
  taken,
  structRows,
  comparedBeside
} from './placed-rows.ts'
import { namesSecret } from './shown-secrets.ts'

/** The 64 bytes of a key pair, for a sample. */
const keyNumbers = Array.from({ length: 64 }, (_, i) => (i * 89 + 41) % 251).join(',')

/** COBOL: `MOVE '...' TO WS-DB-PASSWORD`. */
function moved(text: string, from: number): Match | undefined {
  const end = quotedEnd(text, from - 1)
  if (end < 0 || text.slice(end + 1, end + 5).toLowerCase() !== ' to ') return undefined
  const nameTo = runEnd(text, end + 5, nameSet, 64)
  return namesSecret(text, end + 5, nameTo) ? delimitedPassword(text, from, end) : undefined
}

/** A row of a settings table: `SET value='...' WHERE name='smtp_password'`. */
function stored(text: string, from: number): Match | undefined {
  const end = quotedEnd(text, from - 1)
  if (end < 0 || text.slice(end + 1, end + 8).toLowerCase() !== ' where ') return undefined
  const name = text.indexOf("'", end + 8)
  const nameTo = name < 0 || name > end + rowUnits ? -1 : quotedEnd(text, name)
  return nameTo > 0 && namesSecret(text, name, nameTo) ? delimitedPassword(text, from, end) : undefined
}

/** The value of a Terraform output that is marked as sensitive. */
function sensitiveValue(text: string, from: number): Match | undefined {
  const behind = text.slice(from, from + lookUnitsMax)
  const value = behind.indexOf(valueMember)
  if (value < 0 || behind.slice(0, value).includes('}')) return undefined
  return quotedPassword(text, from + value + valueMember.length - 1)
}
const valueMember = '"value": "'

/** A command line in the Linux audit log: `a0="mysql" ... a3="-p..."`. */
function audited(text: string, from: number): Match | undefined {
  const before = text.slice(Math.max(0, from - lookUnitsMax), from)
  return before.includes('="mysql') || before.includes('="mariadb') ? wordAt(text, from) : undefined
}

/**
 * `appid=...` with 32 hexadecimal digits, as weather services call their key. Other app ids have another form, or
 * capitals in their name.
 */
function appKey(text: string, from: number): Match | undefined {
  const start = runEnd(text, from, appGapSet, 4)
  const end = start === from ? start : runEnd(text, start, lowerHexSet, appDigits + 1)
  if (end - start !== appDigits || inSet(wordSet, codeAt(text, end))) return undefined
  // A public page that shows a map.
  if (text.startsWith('.html?', from - 11)) return undefined
  return delimitedPassword(text, start, end)
}
const appDigits = 32
const appGapSet = charSet('=:, "\'')

/** A step in a Playwright log: `- fill "..." at locator('input[name="password"]')`. */
function filled(text: string, from: number): Match | undefined {
  const end = quotedEnd(text, from - 1)
  if (end < 0 || !text.startsWith(' at ', end + 1)) return undefined
  const place = text.slice(end, lineEndWithin(text, end)).toLowerCase()
  return place.includes('passw') ? delimitedPassword(text, from, end) : undefined
}

function lineEndWithin(text: string, from: number): number {
  const end = lineEnd(text, from, rowUnits)
  return end < 0 ? from + rowUnits : end
}

/** A secure string in .NET: `foreach (var c in "...") pw.AppendChar(c)`. */
function appended(text: string, at: number): Match | undefined {
  const before = text.slice(Math.max(0, at - lookUnitsMax), at)
  const open = before.lastIndexOf(' in "')
  return open < 0 ? undefined : quotedPassword(text, at - before.length + open + 4)
}

/** The default of a CloudFormation parameter with `NoEcho`, which may stand before or behind it. */
function hiddenDefault(text: string, at: number): Match | undefined {
  if (!text.startsWith('rue', runEnd(text, at + 'NoEcho'.length, flagSet, 6))) return undefined
  const behind = text.slice(at, at + lookUnitsMax)
  const next = place(behind, 'Type')
  const later = behind.indexOf(defaultName)
  if (later > 0 && (next < 0 || later < next)) return defaultAt(text, at + later)
  const before = text.slice(Math.max(0, at - lookUnitsMax), at)
  const earlier = before.lastIndexOf(defaultName)
  if (earlier < 0 || before.lastIndexOf('NoEcho') > earlier) return undefined
  return defaultAt(text, at - before.length + earlier)
}
/** Characters up to `true`, quoted or not. */
const flagSet = charSet(' :"\'tT')
const defaultName = 'Default'

/** Where the next parameter begins. */
function place(text: string, word: string): number {
  return text.indexOf(word, text.indexOf('\n') >>> 0)
}

function defaultAt(text: string, at: number): Match | undefined {
  const start = runEnd(text, at + defaultName.length, charSet('": '), 4)
  return wordAt(text, inSet(quoteSet, codeAt(text, start - 1)) ? start - 1 : start)
}

/** `android:value="..."` behind `android:name="...API_KEY"`. */
function metadata(text: string, from: number): Match | undefined {
  const start = Math.max(0, from - lookUnitsMax)
  const before = text.slice(start, from)
  const name = before.lastIndexOf(androidName)
  if (name < 0 || before.lastIndexOf('<') > name || !namesSecret(text, start + name, from - androidValue.length))
    return undefined
  const end = quotedEnd(text, from - 1)
  return end >= 0 && isSecretValue(text, from, end, likelyName, { quoted: true, doubtful: false })
    ? contextMatch(from, end)
    : undefined
}
const androidName = 'android:name="'
const androidValue = 'android:value="'

const keyDigits = 64

/** The private key of a deployment account: `accounts: ['0x...']`. */
function account(text: string, from: number): Match | undefined {
  const end = runEnd(text, from, hexSet, keyDigits + 1)
  return end - from === keyDigits && inSet(quoteSet, codeAt(text, end)) ? delimitedPassword(text, from, end) : undefined
}

/** A Nagios resource macro, which holds credentials of checks: `$USER4$=...`. */
function resource(text: string, from: number, at: number): Match | undefined {
  const before = codeAt(text, at - 1)
  return before <= 32 || inSet(quoteSet, before) ? wordAt(text, from) : undefined
}

/** The default of a Bicep parameter below `@secure()`. */
function securedDefault(text: string, from: number): Match | undefined {
  const start = runEnd(text, from, spaceSet, lookUnitsMax)
  const quote = text.startsWith('param ', start) ? runEnd(text, start, declarationSet, lookUnitsMax) : -1
  return quote > 0 && codeAt(text, quote) === 39 ? quotedPassword(text, quote) : undefined
}
const declarationSet = charSet('A-Z', 'a-z', '0-9', '_ =')

type Reader = (text: string, from: number, at: number) => Match | undefined

/** The file of users of PgBouncer, whose lines are a user and a password. */
const userList = 'userlist.txt'

/** What is read behind each literal, for those matched in their case and in any. */
const exact: readonly (readonly [literal: string, read: Reader])[] = [
  ['.AppendChar(', (text, _, at) => appended(text, at)],
  ['appid', appKey],
  ['@secure()', securedDefault],
  ['NoEcho', (text, _, at) => hiddenDefault(text, at)],
  [androidValue, metadata],
  ["accounts: ['0x", account],
  ['accounts: ["0x', account],
  ['accounts: [`0x', account],
  [' FULL  ', storageRow],
  ['fs.azure.account.key', storageSetting],
  ['\tSecureString\t', parameterField],
  ['"SecureString", value: "', (text, from) => quotedPassword(text, from - 1)],
  ['"sensitive": true', sensitiveValue],
  ["--password-command 'echo ", (text, from) => wordAt(text, from)],
  ['--password-command "echo ', (text, from) => wordAt(text, from)],
  ["--password-command 'printf ", (text, from) => wordAt(text, from)],
  ['--password-command "printf ', (text, from) => wordAt(text, from)],
  [' secureTextEntry', hiddenField],
  ['keyMaterial=', (text, from) => wordAt(text, from)],
  ['keyMaterial>', (text, from) => tagContent(text, from)],
  [' -y hmac-', signedWith],
  ['-A bearer -a ', (text, from) => wordAt(text, from)],
  [' string }{', structRows],
  ...['=', '=='].flatMap((equals) =>
    ['p', 'pw', 'pass'].flatMap((name) =>
      ['"', "'"].map((quote) => [`&& ${name} =${equals} ${quote}`, comparedBeside] as const)
    )
  ),
  ['="-p', audited],
  ['cracked: ', (text, from) => wordAt(text, from)],
  ['authentication_string: *', storedHash],
  ['─ [-] ', planned],
  ['─ [+] ', planned],
  [userList, (text, from) => rows(text, from, 1, (line) => line.includes(userList))],
  [dialInHead, (text, from) => dialIn(text, from)],
  ['- fill "', filled],
  ["option key '", (text, from) => quotedPassword(text, from - 1)],
  [".key='", wireless],
  [' login=', proxyLogin],
  ['fromSecretKey(', keyBytes],
  ['process.env.', fallbackValue],
  ['process.env[', fallbackValue],
  ['getenv(', environmentDefault],
  ['environ.get(', environmentDefault],
  ['ENV.fetch(', environmentDefault],
  ['[+] ', taken],
  ...Array.from({ length: 9 }, (_, i) => [`$USER${i + 1}$=`, resource] as const)
]
const folded: readonly (readonly [literal: string, read: Reader])[] = [
  ["move '", moved],
  ['move "', moved],
  ['.protect "', (text, from) => quotedPassword(text, from - 1)],
  ['.unprotect "', (text, from) => quotedPassword(text, from - 1)],
  ['users = {', users],
  ["set value='", stored],
  ["set value = '", stored],
  ["option_value = '", stored],
  ["option_value='", stored],
  ['into users values', seeded]
]
const appGuard: Guard = { behind: appGapSet, behindUnits: 1 }
const index = new NameIndex([...exact, ...folded].map(([literal, read]) => [literal.toLowerCase(), read]))

export const placedPasswordDetectors: readonly Detector[] = [
  {
    id: 'placed_password',
    label: 'PASSWORD',
    title: 'password or key at its place in a statement or a file',
    group: 'secret',
    tier: 'medium',
    lengthMin: 14,
    anchors: [
      ...exact.map(([literal]) => ({ literal, guard: literal === 'appid' ? appGuard : undefined })),
      ...folded.map(([literal]) => ({
        literal,
        fold: true as const,
        guard: literal === 'appid' ? appGuard : undefined
      }))
    ],
    match(text, at) {
      const found = index.at(text, at)
      if (found === undefined) return undefined
      const [literal, read] = found
      if (inSet(wordSet, literal.charCodeAt(0)) && !leftClear(text, at, wordSet)) return undefined
      return read(text, at + literal.length, at)
    },
    hits: () => [
      `UPDATE settings SET value='${filler(12)}' WHERE name='İİİİİ_token'`,
      `       MOVE '${filler(12)}' TO WS-DB-PASSWORD.`,
      `foreach (var c in "${filler(12)}") pw.AppendChar(c);`,
      `UPDATE config SET value='${filler(12)}' WHERE name='smtp_password';`,
      `  - fill "${filler(12)}" at locator('input[name="password"]')\n`,
      `    Type: String\n    NoEcho: true\n    Default: ${filler(12)}\n`,
      `    Default: ${filler(12)}\n    NoEcho: true\n`,
      `@secure()\nparam adminPw string = '${filler(12)}'\n`,
      `<meta-data\n  android:name="com.acme.API_KEY"\n  android:value="${filler(32)}" />`,
      `sepolia: { url: 'https://rpc.example', accounts: ['0x${filler(64, '0123456789abcdef')}'] }`,
      `key1       FULL           ${filler(86, base64Letters)}==\n`,
      `spark.conf.set("fs.azure.account.key.raw.dfs.core.windows.net", "${filler(86, base64Letters)}==")`,
      `PARAMETERS\tarn:x\ttext\t1731405751.0\t/prod/db_password\tSecureString\t${filler(12)}\t3\n`,
      ` └─ [~] MasterUserPassword\n     ├─ [-] ${filler(12)}\n     └─ [+] ${filler(12, undefined, 3)}\n`,
      `;; pgbouncer userlist.txt\n"app" "${filler(12)}"\n`,
      `{\n  "sensitive": true,\n  "type": "string",\n  "value": "${filler(12)}"\n}`,
      `argc=4 a0="mysql" a1="-u" a2="root" a3="-p${filler(12)}" a4="shop"`,
      `new aws.ssm.Parameter("pay", { type: "SecureString", value: "${filler(32)}" });`,
      `restic -r sftp:u1@box:/repo --password-command 'echo ${filler(12)}' snapshots`,
      `INSERT INTO users VALUES (1,'ana@acme.dev','${filler(12)}42','ADMIN',1);`,
      `UPDATE wp_options SET option_value = '${filler(24)}' WHERE option_name = 'mailer_api_key';`,
      `https://api.weather.dev/now?q=Oslo&appid=${filler(32, '0123456789abcdef')}`,
      `# client   server  secret        IP\nbranch2    *       ${filler(12)}   *\n`,
      `# client server secret IP\n# clients in Berlin\nbranch2 * ${filler(12)} *\n`,
      `\toption key '${filler(12)}'\n`,
      `SMB  10.0.0.4  445  FS02  [+] corp\\backup:${filler(12)} (Pwn3d!)\n`,
      `restic init --password-command "printf ${filler(12)}"`,
      `<TextInput secureTextEntry defaultValue="${filler(12)}" />`,
      `netsh wlan set profileparameter name=x keyMaterial=${filler(12)}`,
      `<sharedKey><keyType>passPhrase</keyType><keyMaterial>${filler(12)}</keyMaterial></sharedKey>`,
      `dig @ns1 acme.dev AXFR -y hmac-sha256:transfer:${filler(43)}=`,
      `xh acme.dev/me -A bearer -a ${filler(32)}`,
      `tests := []struct{ name, user, password string }{\n  {"valid", "ops", "${filler(12)}"},\n  {"empty", "", ""},\n}`,
      `validate: (u, p) => u === 'ops' && p === '${filler(12)}42'`,
      `uci set wireless.@wifi-iface[0].key='${filler(12)}'`,
      `wireless.default_radio0.key='${filler(12)}'\nwireless.default_radio0.encryption='psk2'`,
      `cache_peer proxy.acme.dev parent 3128 0 no-query login=ci:${filler(12)}`,
      `const payer = Keypair.fromSecretKey(Uint8Array.from([${keyNumbers}]))`,
      `const pay = require('pay')(process.env.PAY || '${filler(32)}')`,
      `pay = Pay(os.getenv("PAY", "${filler(32)}"))`,
      `$USER4$=${filler(12)}\n`,
      `Sheets("Sums").Protect "${filler(12)}"`,
      `USERS = {\n    "lena": "${filler(12)}42",\n    "karim": "${['violet', '8841'].join('')}",\n}\n`
    ],
    misses: () => [
      "MOVE 'SUMMER2024X' TO WS-TITLE.",
      'foreach (var c in name) pw.AppendChar(c);',
      `UPDATE config SET value='${filler(12)}' WHERE name='release_channel';`,
      `  - fill "${filler(12)}" at locator('input[name="title"]')\n`,
      `    Type: String\n    NoEcho: true\n  Subnet:\n    Type: String\n    Default: ${filler(12)}\n`,
      '<meta-data android:name="com.acme.CHANNEL" android:value="release-channel-4" />',
      "accounts: ['0x5FbDB2315678afecb367f032d93F642f64180aa3']",
      'auth_file = /etc/pgbouncer/userlist.txt\nadmin_users = pgbouncer\n',
      '# client code of the server keeps no secret here\nimport x9Zk2LqWx8\n',
      "option key 'name'",
      `menu.first.key='${filler(12)}'`,
      `audit login=ci:${filler(12)} failed`,
      'cache_peer proxy.acme.dev parent 3128 0 login=PASS',
      'Keypair.fromSecretKey(Uint8Array.from(JSON.parse(raw)))',
      '{"sensitive": true, "type": "string"}, {"value": "x"}',
      `?appid=wx${filler(16, '0123456789abcdef')}&x=1`,
      `https://www.arcgis.com/apps/MapSeries/index.html?appid=${filler(32, '0123456789abcdef')}`,
      '"Default": "m1.tiny",\n"Type": "String",\n"NoEcho": "false",\n',
      'argc=2 a0="mkdir" a1="-p9Zk2LqWx8Tb"',
      `INSERT INTO users VALUES (1,'ana@acme.dev','ADMIN',1);`,
      ` └─ [~] EngineVersion\n     ├─ [-] ${filler(12)}\n`,
      `@secure()\nparam adminPw string\nparam channel string = '${filler(12)}'\n`,
      'fs.azure.account.key is set from the vault',
      `"NoEcho": "false",\n"Default": "${filler(12)}"`,
      `{"AppId": "${filler(32, '0123456789abcdef')}"}`,
      '[+] added corp\\backup.txt',
      `x$USER1$=${filler(12)}`,
      '$USER1$=/usr/lib64/nagios/plugins2',
      '<TextInput secureTextEntry value={password} />',
      'dig -y hmac-sha256:$TSIG_NAME:$TSIG_KEY',
      `tests := []struct{ name, title string }{\n  {"valid", "${filler(12)}"},\n}`,
      "x === 1 && p === 'param'",
      `process.env.ANALYTICS_ID || '${filler(32)}'`,
      `os.getenv("PAY", "pay-service.internal.acme.dev")`,
      `process.env.BUILD || 'development-2024'`,
      'Range.Protect "sheet"',
      'USERS = {"lena": "admin", "karim": "lena@acme.dev"}',
      `trustedusers = {"a": "${filler(12)}42"}`
    ],
    source:
      'The manuals of COBOL, .NET (SecureString), CloudFormation (NoEcho), Android (meta-data), Hardhat (accounts), PgBouncer (auth_file), pppd(8), OpenWrt (wireless), Squid (cache_peer), Solana (Keypair), Nagios (resource file), Excel (Protect) and NetExec.'
  }
]

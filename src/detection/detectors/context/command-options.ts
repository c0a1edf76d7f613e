/**
 * Passwords and tokens behind an option, or at a known position, of a known command: `docker login -u ops -p ...`
 * (decision 117).
 */
import { nameStart, noName, passwordName, rateName } from '../../values/key-names.ts'
import { CommandLine } from '../../arguments/command-line.ts'
import { isNameNearby } from '../../assignments/password-settings.ts'
import { commandAt, commandNames, type OptionForm } from '../../arguments/command-options.ts'
import { anyText, contextMatch, type Detector, type Match, type TextContext, withNext } from '../../detector.ts'
import { wordGuard, type Guard } from '../../anchor-guard.ts'
import { filler, hexLetters } from '../../sample-text.ts'
import {
  base62Set,
  charSet,
  codeAt,
  inSet,
  leftClear,
  letterSet,
  lowerSet,
  nameJointSet,
  upperSet
} from '../../text/chars.ts'
import { Verdicts } from '../../text/verdicts.ts'
import { isSecretValue } from '../../values/generic-value.ts'
import { ideographsFrom } from '../../values/language-words.ts'
import { isDictionaryPassword } from '../../values/dictionary-passwords.ts'

const line = new CommandLine()

/** Extensions of executables; also behind a quoted path with blanks. */
const executables = ['.exe', '.bat', '.cmd', '.sh']

function argumentsStart(text: string, nameTo: number): number {
  const last = codeAt(text, nameTo - 1)
  // `"mysql",` in a list of words.
  if (last === 45 || last === 44) return nameTo - 1
  const tail = executables.find((one) => text.startsWith(one, nameTo))
  const end = nameTo + (tail?.length ?? 0)
  const isListed = codeAt(text, end) === 39 && codeAt(text, end + 1) === 44
  return codeAt(text, end) === 34 || isListed ? end + 1 : end
}

/** Characters that make a name part of another one. */
const joinedSet = charSet('-_.')

/** Whether the name stands there as a word; it repeats the check of the anchor's guard. */
function isWhole(text: string, start: number, end: number): boolean {
  const before = codeAt(text, start - 1)
  const first = codeAt(text, start)
  // `mariadb-plugin-connect` is a package.
  if (inSet(joinedSet, before) || (codeAt(text, end) === 45 && inSet(letterSet, codeAt(text, end - 1)))) return false
  // Letters around it are base64 by chance: `ExPDpEmT`.
  if (inSet(letterSet, codeAt(text, end - 1)) && inSet(base62Set, codeAt(text, end))) return false
  // The end of a time: `17:34:45.737Z `.
  if (!inSet(letterSet, first)) return leftClear(text, start, base62Set)
  return leftClear(text, start, letterSet) || (inSet(lowerSet, before) && inSet(upperSet, first))
}

const guardOf = (name: string): Guard | undefined =>
  inSet(letterSet, name.charCodeAt(0)) ? wordGuard(name, '') : { notBefore: base62Set }

function findAll(text: string, at: number, { textNumber }: TextContext = anyText): Match | undefined {
  const command = commandAt(text, at)
  if (command === undefined || !isWhole(text, at, at + command.name.length)) return undefined
  line.read(text, argumentsStart(text, at + command.name.length), command.name)
  let first: Match | undefined
  for (const form of command.forms) {
    const found = secretOf(text, form, textNumber)
    if (found !== undefined && !holds(first, found.start)) first = withNext(found, first)
  }
  return first
}

function holds(match: Match | undefined, start: number): boolean {
  for (let one = match; one !== undefined; one = one.next) if (one.start === start) return true
  return false
}

/** The most words that are judged where any of them may be the secret. */
const candidatesMax = 5

/** The secret of a form. Of a repeated option only the first counts: no command takes two passwords for one thing. */
function secretOf(text: string, form: OptionForm, textNumber: number): Match | undefined {
  const { where, option, skipped } = form
  if (where === 'last') {
    const last = line.count - 1
    return last > 1 && hasLetter(text, option) ? judged(text, form, textNumber, last) : undefined
  }
  for (let word = 0, plain = 0; word < line.count; word++) {
    if (where === 'option') {
      if (isWord(text, word, option)) return judged(text, form, textNumber, word + 1 + skipped)
      // `-p=...` is accepted as well.
      if (isBegun(text, word, option) && codeAt(text, line.start(word) + option.length) === 61)
        return judged(text, form, textNumber, word, option.length + 1)
    } else if (where === 'glued') {
      if (isBegun(text, word, option)) return judged(text, form, textNumber, word, option.length)
    } else if (where === 'named') {
      if (plain++ > candidatesMax) return undefined
      if (word > 0 && namesSecret(text, word - 1)) return judged(text, form, textNumber, word)
    } else if (!isOption(text, word)) {
      if (where === 'any' && plain < candidatesMax) {
        const found = judged(text, form, textNumber, word)
        if (found !== undefined) return found
      } else if (plain >= skipped) return judged(text, form, textNumber, word)
      plain++
    }
  }
  return undefined
}

/** Compares a word with an option. Windows options are written in any case. */
function isWord(text: string, word: number, expected: string): boolean {
  const start = line.start(word)
  if (line.wordEnd(word) - start !== expected.length) return false
  return expected.charCodeAt(0) === 47
    ? text.slice(start, line.wordEnd(word)).toLowerCase() === expected
    : text.startsWith(expected, start)
}

/** Whether the value is glued to the option. */
function isBegun(text: string, word: number, option: string): boolean {
  const start = line.start(word)
  return line.wordEnd(word) > start + option.length && text.startsWith(option, start)
}

const optionSet = charSet('-/+')

function isOption(text: string, word: number): boolean {
  return inSet(optionSet, codeAt(text, line.start(word)))
}

/** Whether a letter is among the short options, as `b` in `-nbB`. */
function hasLetter(text: string, letter: string): boolean {
  const options = text.slice(line.start(0), line.wordEnd(0))
  return options.startsWith('-') && !options.startsWith('--') && options.includes(letter)
}

function namesSecret(text: string, word: number): boolean {
  const start = line.start(word)
  const end = line.wordEnd(word)
  // The name is the last part of `//registry/:_authToken` and of `service.token`.
  for (let at = start; at < end; at++) {
    const starts =
      !isLetter(text, at - 1) || (inSet(lowerSet, codeAt(text, at - 1)) && inSet(upperSet, codeAt(text, at)))
    if (isLetter(text, at) && starts && rateName(text, Math.max(start, nameStart(text, at)), end, at) !== noName)
      return true
  }
  return false
}

function isLetter(text: string, at: number): boolean {
  const code = codeAt(text, at)
  return inSet(lowerSet, code) || inSet(upperSet, code)
}

const quoteSet = charSet('"\'\\')
const tailSet = charSet('.,:')
const userUnitsMax = 96

/** The word from its unit `skipped` on, or what the form's separators frame in it, if that is a secret. */
function judged(text: string, form: OptionForm, textNumber: number, word: number, skipped = 0): Match | undefined {
  if (word >= line.count) return undefined
  const { after, before, where } = form
  const from = line.start(word) + skipped
  let start = from
  let end = line.wordEnd(word)
  if (after !== '') {
    start = signAt(text, after, from, Math.min(end, from + userUnitsMax)) + 1
    // Before the colon of two hashes nothing need stand.
    if (start <= from + (form.option === '-hashes' ? 0 : 1)) return undefined
  }
  if (before !== '') {
    const sign = lastSignAt(text, before, start, end)
    if (sign > start) end = sign
  }
  while (start < end && inSet(quoteSet, codeAt(text, start))) start++
  while (end > start && inSet(quoteSet, codeAt(text, end - 1))) end--
  while (end > start && inSet(tailSet, codeAt(text, end - 1))) end--
  // `sk-ant-...`: the beginning of a key, as documentation shows it.
  if (codeAt(text, start) === 45 || isCutShort(text, start, end)) return undefined
  if (where === 'any' && after === '' && isShare(text, start, end)) return undefined
  if (where === 'place' && start === from && inSentence(codeAt(text, start))) return undefined
  // An option that takes nothing else may hold several words.
  if ((where === 'option' ? secretsOfOption : secretWords).of(text, start, end, textNumber))
    return contextMatch(start, end)
  // Behind an option that takes only a password, an ordinary word is one as well. It is not remembered.
  return takesAnything(text, form, word, from, end) &&
    isDictionaryPassword(text, start, end) &&
    !isParticiple(text, start, end) &&
    !isNameNearby(text, from, start, end, textNumber)
    ? { start, end, confidence: 'medium' }
    : undefined
}

/** Verdicts on words, since each of many commands on a line leads to all that stands behind it. */
const secretWords = new Verdicts((text, start, end) => isSecretWord(text, start, end, false))
const secretsOfOption = new Verdicts((text, start, end) => isSecretWord(text, start, end, true))

function isSecretWord(text: string, start: number, end: number, uuids: boolean): boolean {
  return isSecretValue(text, start, end, passwordName, { quoted: true, doubtful: false, uuids })
}

/** Whether the word continues a sentence that names the command: `echo "radtest is not installed"`. */
function isParticiple(text: string, start: number, end: number): boolean {
  return codeAt(text, end) === 34 && text.endsWith('not ', start)
}

/** Whether a value that ends in a joint is followed by an ellipsis. */
function isCutShort(text: string, start: number, end: number): boolean {
  return end > start && inSet(nameJointSet, codeAt(text, end - 1)) && text.startsWith('...', end)
}

/** Whether only a password can stand there: behind an option, or as the last word behind another one. */
function takesAnything(text: string, { where, skipped }: OptionForm, word: number, from: number, end: number): boolean {
  if (where === 'glued') return !isRestOfOption(text, from - 1, end)
  if (where === 'named') return inSet(upperSet, codeAt(text, line.wordEnd(word - 1) - 1))
  return where === 'option' || where === 'last' || (where === 'place' && skipped > 0 && word === line.count - 1)
}

/** Options that begin like a short option with its value: `-properties`. */
const longOptions = new Set(
  'port path print package plugin plugins profile project prefix protocol properties progress pattern params preset pretty proxy private'.split(
    ' '
  )
)

function isRestOfOption(text: string, start: number, end: number): boolean {
  return longOptions.has(text.slice(start, end).toLowerCase())
}

function signAt(text: string, sign: string, from: number, to: number): number {
  for (let i = from; i < to; i++) if (text.startsWith(sign, i)) return i
  return -1
}

function lastSignAt(text: string, sign: string, from: number, to: number): number {
  for (let i = to - 1; i > from; i--) if (text.startsWith(sign, i)) return i
  return -1
}

/**
 * Whether a word without quotes goes on a sentence that names the command, or is a label:
 * `the ngrok authtoken (...)`, `authtoken: ...`, `[ngrok authtoken](...)`.
 */
function inSentence(code: number): boolean {
  return code === 40 || code === 58 || code === 93 || dashes.has(code) || code >= ideographsFrom
}
/** En and em dash. */
const dashes = new Set([0x2013, 0x2014])

/** Whether it is a share or a drive: `\\server\share`, `Z:`. */
function isShare(text: string, start: number, end: number): boolean {
  return text.slice(start, end).includes('\\') || codeAt(text, end - 1) === 58
}

/**
 * The passwords and tokens in the line of a shell, for whoever must know them and not only where they stand.
 * @returns each as it is written there
 */
export function secretsOfCommands(text: string): string[] {
  const secrets: string[] = []
  for (let at = 0; at < text.length; at++) {
    if (!leftClear(text, at, base62Set)) continue
    for (let one = findAll(text, at); one !== undefined; one = one.next) secrets.push(text.slice(one.start, one.end))
  }
  return secrets
}

export const commandOptionDetectors: readonly Detector[] = [
  {
    id: 'command_option',
    label: 'PASSWORD',
    title: 'password or token on a command line',
    group: 'secret',
    tier: 'medium',
    lengthMin: 12,
    anchors: commandNames.map((literal) => ({ literal, fold: true, guard: guardOf(literal) })),
    match: findAll,
    hits: () => [
      `racadm -r 10.0.0.5 -u root -p ${filler(12)} get BIOS`,
      `yt-dlp -u ana -p ${filler(12)} https://video.acme.dev/x`,
      `xh -a 'ops:${filler(12)}' get https://api.acme.dev`,
      `evil-winrm -i 10.3.0.40 -u admin -H ${filler(32, hexLetters)}`,
      `impacket-secretsdump -hashes :${filler(32, hexLetters)} ACME/admin@10.3.0.5`,
      `az vm user update -g acme -n vm-7 -u ops -p '${filler(12)}'`,
      `az keyvault secret set --vault-name kv --name sql --value '${['violet', '8841'].join('')}'`,
      `docker login -u ops -p ${filler(14)} images.acme.dev`,
      `docker login \\\n  --username ops \\\n  -p "${filler(14)}" \\\n  images.acme.dev`,
      `mysql -u root -p${filler(10)} shop`,
      `docker login -u ops -p 'it'\\''s${filler(12)}' images.acme.dev`,
      `mongodump -h db -u root -p '${filler(12)}' --gzip`,
      `redis-cli -h cache -a ${filler(12)} ping`,
      `/opt/mssql-tools/bin/sqlcmd -S db -U sa -P "${filler(12)}" -Q "select 1"`,
      `sqlplus -s shop/${filler(12)}@//db:1521/shop @report.sql`,
      `ldapsearch -x -D "cn=admin,dc=acme" -w ${filler(12)} -b dc=acme`,
      `smbclient //files/share -U 'ACME\\ops%${filler(12)}'`,
      `secretsdump.py acme/ops:${filler(12)}@10.1.2.3`,
      `net use Z: \\\\files\\share /user:acme\\ops ${filler(12)}`,
      `schtasks /Create /tn backup /ru acme\\svc /RP ${filler(12)} /tr run.cmd`,
      `plink.exe -ssh ops@host -pw ${filler(12)} uptime`,
      `lftp -u ops,${filler(12)} ftp.acme.dev`,
      `http -v -a ops:${filler(12)} https://api.acme.dev`,
      `unzip -P ${filler(12)} backup.zip`,
      `7z a -p${filler(12)} -mhe=on backup.7z data`,
      `sshpass -p '${filler(10)}' ssh ops@host`,
      `ssh-keygen -t ed25519 -N '${['violet', 'canyon', 'lantern', 'maple'].join(' ')}' -f id`,
      `htpasswd -nbB ops ${filler(12)}`,
      `rabbitmqctl add_user ops ${filler(12)}`,
      `vault login ${filler(24)}`,
      `npm config set //packages.acme.dev/:_authToken ${filler(24)}`,
      `setx API_TOKEN "${filler(20)}" /M`,
      `spawn('ipmitool', ['-U', 'root', '-P', '${filler(14)}'])`,
      `execve("/usr/bin/mysql", ["mysql", "-uroot", "-p${filler(14)}"], 0x7ffd /* 23 vars */) = 0`,
      `command: ['mysql', '-u', 'root', '-p${filler(14)}', '-e', 'select 1']`,
      `["sshpass",\n  "-p",\n  "${filler(14)}",\n  "ssh", host]`,
      `mysql -u root -p${['ti', 'ger'].join('')} shop`,
      `sshpass -p ${['light', 'house'].join('')} ssh root@10.0.0.4`,
      `htpasswd -bc .htpasswd bob ${['snow', 'ball'].join('')}`,
      `swaks --to a@acme.dev -tls -au shop -ap ${filler(12)}`,
      `llm keys set acme --value ${filler(32)}`,
      `wpa_passphrase HomeNet ${['snow', 'ball'].join('')}`,
      `setx DB_PASSWORD ${['snow', 'ball'].join('')}`,
      `vault login ‘${filler(14)}’`,
      `rabbitmqctl add_user ops ñ${filler(14)}`,
      `sh -c "mysqldump -uroot -p${filler(10)} shop > dump.sql"`
    ],
    misses: () => [
      `the ngrok authtoken (${filler(27)}_${filler(21)}) is set`,
      `"ngrok authtoken:\\n${filler(27)}_${filler(21)}\\nthanks"`,
      '[ -x /usr/bin/radtest ] || { echo "FAIL: /usr/bin/radtest not installed"; exit 1; }',
      `iVBO${filler(40)}/ExPDpEmTcq4paN200aNHc/${filler(40)}`,
      `${filler(40)} Y8tIsqL7EBeA0Sv ${filler(40)} ${filler(40)}`,
      'pulumi config set --secret relay:slackToken xoxb-...',
      'docker login -u ops -p $TOKEN images.acme.dev',
      'docker login -u ops -p <password> images.acme.dev',
      'docker login -u "$USER" -p "${PASS}"',
      'mysql -u root -p shop',
      'mysql -u root -ppassword shop',
      'mysql -u shopper -pshopper shopper',
      'pull mysql -properties "name,resource_group_name"',
      'contains isql, a command-line tool that runs SQL',
      'mysql -P 3306 -h db',
      `drivers: ["mysql", "${filler(14)}", "-properties"]`,
      'mongo -p 27017:27017 mongo',
      'redis-cli -a "$REDIS_PASSWORD" ping',
      'sqlplus / as sysdba @/opt/app/create_users2.sql',
      'unzip -P password backup.zip',
      '7z x -p$PASS backup.7z',
      `2026-08-18T17:34:45.737Z worker -p${filler(12)} started`,
      'net use Z: \\\\files\\share2024 /persistent:yes',
      'htpasswd -c /etc/nginx/.htpasswd ops',
      'vault login -method=oidc role=reader',
      'npm config set registry https://packages.acme.dev/x9',
      'setx PATH "C:\\Tools\\bin7;%PATH%"',
      'yarn config set registry https://packages.acme.dev/9x',
      `sqlcmd -S db -U SA -P 'YourStrong!Passw0rd'`,
      'Package: mariadb-plugin-mroonga9',
      'pool/m/mariadb/mariadb-plugin-connect_10.11.19-0+deb12u1_amd64.deb',
      'zip -r backup-20261103.zip data'
    ],
    source:
      'The manuals of the commands in `arguments/command-options.ts`: docker-login(1), mysql (MySQL 8.4, 6.2.4), mongodump, redis-cli, sqlcmd, SQL*Plus, ldapsearch(1), smbclient(1), net use and schtasks (Microsoft Learn), plink, lftp(1), HTTPie, unzip(1), 7-Zip, sshpass(1), htpasswd(1), rabbitmqctl(8), Vault, npm-config(1), setx.'
  }
]

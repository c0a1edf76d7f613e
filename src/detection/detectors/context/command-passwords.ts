/** Passwords in commands and statements with a form of their own, and in the credential files of clients. */
import { isTag } from '../../assignments/bare-value.ts'
import {
  charSet,
  digitSet,
  inSet,
  leftClear,
  lowerSet,
  quoteSet,
  runEnd,
  runStart,
  upperSet,
  wordSet
} from '../../text/chars.ts'
import type { Detector, Match } from '../../detector.ts'
import { filler } from '../../sample-text.ts'
import { curlAuth, isLineBreak, judged, userSet, wordEnd, wordUnitsMax } from './curl-auth.ts'
import { argumentAt, pipedPassword, pipeReaders, readsPipe } from './piped-passwords.ts'

const statements = [
  'identified by ',
  'securestring ',
  'securestring -string ',
  'securestring -asplaintext ',
  'native_password by ',
  'sha2_password by '
]
/** An encrypted parameter of Systems Manager. The option that says so may stand before or behind its value. */
const parameter = 'ssm put-parameter'
const parameterUnitsMax = 320
const valueOption = ' --value '
const sure = { isSure: true }

function secureParameter(text: string, at: number, textNumber: number): Match | undefined {
  const command = text.slice(at, at + parameterUnitsMax)
  const value = command.indexOf(valueOption)
  if (value < 0 || !command.includes('SecureString')) return undefined
  return argumentAt(text, at + value + valueOption.length, sure, textNumber)
}

const account = 'set password for '
const accountUnitsMax = 96
const hashCall = 'PASSWORD('

/** `SET PASSWORD FOR 'ops'@'%' = 'X'`, in older servers `= PASSWORD('X')`. */
function newAccountPassword(text: string, at: number, textNumber: number): Match | undefined {
  const from = at + account.length
  const sign = text.slice(from, from + accountUnitsMax).indexOf('=')
  if (sign < 0) return undefined
  const start = skipSpace(text, from + sign + 1)
  const value = text.startsWith(hashCall, start) ? start + hashCall.length : start
  return argumentAt(text, value, { isQuoted: true, isSure: true }, textNumber)
}

const statementUnitsMax = Math.max(...statements.map((one) => one.length))

const statement: Detector = {
  id: 'command_password',
  label: 'PASSWORD',
  title: 'password in a statement',
  group: 'secret',
  tier: 'medium',
  lengthMin: 12,
  anchors: [
    ...statements.map((literal) => ({ literal, fold: true as const })),
    ...pipeReaders.map((literal) => ({ literal })),
    { literal: 'requirepass ' },
    { literal: 'masterauth ' },
    { literal: parameter },
    { literal: 'net user ', fold: true },
    { literal: account, fold: true }
  ],
  match(text, at, { textNumber }) {
    const first = text.charCodeAt(at)
    if (text.startsWith(parameter, at)) return secureParameter(text, at, textNumber)
    if (readsPipe(text, at)) return pipedPassword(text, at, textNumber)
    if (first === 114 || first === 109)
      return leftClear(text, at, wordSet) ? argumentAt(text, at + 11, sure, textNumber) : undefined
    if ((first | 32) === 115 && text.charCodeAt(at + 3) === 32) return newAccountPassword(text, at, textNumber)
    if ((first | 32) === 110 && (text.charCodeAt(at + 3) | 32) === 32) return accountPassword(text, at + 9, textNumber)
    const lower = text.slice(at, at + statementUnitsMax).toLowerCase()
    const found = statements.reduce(
      (longest, one) => (lower.startsWith(one) && one.length > longest ? one.length : longest),
      0
    )
    // Behind a user name, Oracle accepts a password without quotes; elsewhere `identified by` is part of a sentence.
    const isOfUser = namesUser(text, at)
    const isQuoted = !lower.startsWith('securestring') && !isOfUser
    // In SQL backticks quote names; around a value they are Markdown.
    if (found === 0 || (isQuoted && text.charCodeAt(at + found) === 96)) return undefined
    return argumentAt(text, at + found, { isQuoted, isSure: isOfUser }, textNumber)
  },
  hits: () => [
    `ALTER USER app IDENTIFIED BY '${filler(12)}'`,
    `SQL> alter user sys identified by ${filler(10)} container=all;`,
    `$p = ConvertTo-SecureString "${filler(14)}" -AsPlainText -Force`,
    `echo "${filler(12)}" | docker login -u ops --password-stdin images.acme.dev`,
    `printf %s ${filler(12)} | helm registry login -u ops --password-stdin`,
    `net user deploy ${filler(10)} /add`,
    `SET PASSWORD FOR 'ops'@'%' = '${['Tulip', '8643'].join('.')}';`,
    `set password for ops = PASSWORD('${filler(12)}')`,
    `cmd.exe /c NET USER Backup$ ${filler(10)} /ADD /expires:never`,
    `ConvertTo-SecureString -AsPlainText "${filler(14)}" -Force`,
    `echo '${filler(12)}' | gh secret set API_TOKEN`,
    `echo ${filler(12)} | sudo -S apt-get update`,
    `pass insert -m acme/nas <<'END'\n${filler(12)}\nEND\n`,
    `podman secret create db_pass - <<< "${filler(12)}"`,
    `secret-tool store --label='NAS' server nas01 <<< ${filler(12)}`,
    `echo "root:${filler(12)}" | chpasswd`,
    `requirepass ${filler(12)}\nmasterauth ${filler(12)}`,
    `gh auth login --with-token <<< "${filler(24)}"`,
    `echo -n '${filler(12)}' | cryptsetup luksOpen /dev/sdb1 data -`,
    `bw login --apikey <<< "${filler(24)}"`,
    `aws ssm put-parameter --name /prod/pay --type SecureString --value ${filler(24)} --overwrite`,
    `ALTER USER 'app'@'%' IDENTIFIED WITH caching_sha2_password BY '${filler(12)}'`,
    `CREATE USER 'shop'@'%' IDENTIFIED BY '${['snow', 'ball'].join('')}';`,
    `echo ${['snow', 'ball'].join('')} | sudo -S apt-get update`,
    `printf '${filler(12)}\\n${filler(12)}\\n' | smbpasswd -s -a ana`,
    `(echo '${['snow', 'ball'].join('')}'; echo '${['snow', 'ball'].join('')}') | sudo passwd ana`,
    `yes '${filler(12)}' | passwd ana`,
    `chpasswd <<EOF\nana:${filler(12)}\nben:${['snow', 'ball'].join('')}\nEOF`,
    `sudo chpasswd <<< 'root:${filler(12)}'`,
    `echo '${filler(12)}' | gpg --batch --passphrase-fd 0 -c notes`,
    `CREATE DATABASE LINK hq CONNECT TO ops IDENTIFIED BY ${filler(12)} USING 'HQ'`
  ],
  misses: () => [
    'IDENTIFIED BY $1',
    "// a field that is identified by 'parent'",
    'Controller 3 is identified by `SPQ3_HOST` (also called VSPI)',
    "CREATE USER 'shopper'@'%' IDENTIFIED BY 'shopper'",
    'SSM writes a SecureString instead of a String',
    `aws ssm put-parameter --name /prod/ami --type String --value ${filler(24)}`,
    'The link is identified by %NL80211_ATTR_MLO_LINK_ID.',
    'ConvertTo-SecureString $password',
    'echo "$TOKEN" | docker login -u ops --password-stdin',
    'cat token.txt | docker login -u ops --password-stdin',
    'net user deploy /delete',
    'net user - Queries or changes accounts',
    'the page to set password for new users = a form',
    "SET PASSWORD FOR 'ops'@'%' = @new",
    `an internet user named ${filler(10)}`,
    'net user deploy * /add',
    'echo "$TOKEN" | gh secret set API_TOKEN',
    'echo "root:$PASSWORD" | chpasswd',
    'echo done | tee log; sudo -S ls',
    '# requirepass foobared',
    'gh auth login --with-token <<< "$TOKEN"',
    'gh auth login --with-token < token.txt',
    "printf '$PW\\n$PW\\n' | smbpasswd -s -a ana",
    'yes | passwd -l ana',
    'chpasswd <<EOF\nana:$PASSWORD\nEOF',
    'chpasswd < users.txt\nana: a user\n',
    'echo done | tee log\nchpasswd reads a user:password of each line'
  ],
  source:
    'The manuals of MySQL, PowerShell, Docker (docker login), Redis (redis.conf), chpasswd(8), sudo(8) and Windows (net user). The net user and docker forms are from memory.'
}

const userUnitsMax = 48

/** Whether `alter user NAME`, `create user NAME` or `create database link NAME connect to NAME` stands before. */
function namesUser(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - userUnitsMax), at).toLowerCase()
  return before.includes('user ')
    ? before.includes('alter ') || before.includes('create ')
    : before.includes('link ') && before.includes('connect to ')
}

/** `net user NAME PASSWORD`. */
function accountPassword(text: string, from: number, textNumber: number): Match | undefined {
  const to = runEnd(text, from, userSet, 64)
  // A hidden account.
  const name = text.charCodeAt(to) === 36 ? to + 1 : to
  const start = name + 1
  if (!leftClear(text, from - 9, wordSet)) return undefined
  if (name === from || text.charCodeAt(name) !== 32 || text.charCodeAt(start) === 47) return undefined
  const found = argumentAt(text, start, sure, textNumber)
  // A sentence about the command: `NET USER begins like net use`, `net user - Queries or changes accounts`.
  const first = inSet(upperSet, text.charCodeAt(start)) ? start + 1 : start
  const isProse = found !== undefined && runEnd(text, first, lowerSet, userUnitsMax) === found.end
  return isProse && text.charCodeAt(found.end) === 32 && inSet(lowerSet, text.charCodeAt(found.end + 1))
    ? undefined
    : found
}

const hostSet = charSet('A-Z', 'a-z', '0-9', '.-_*')
const fieldSet = charSet('A-Z', 'a-z', '0-9', '.-_*$')

const anyPort = ':*:*:'

/**
 * The end of the password of a credentials file, which is at the next blank: other marks are part of it.
 * @param before the character before the entry; if it is a quote, the entry ends with it
 * @param colons whether the first colon without a backslash before it ends the password
 */
function passwordEnd(text: string, start: number, before: number, colons: boolean): number {
  const quote = inSet(quoteSet, before) ? before : 0
  const limit = Math.min(text.length, start + wordUnitsMax)
  let i = start
  for (; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code <= 32 || code === quote || isLineBreak(text, i) || (code === 60 && isTag(text, i, limit))) break
    if (colons && code === 58 && text.charCodeAt(i - 1) !== 92) break
  }
  // What closes the string or the command around it.
  return quote === 0 ? runStart(text, i, closersSet, i - start) : i
}
const closersSet = charSet('"\'`|;<>,)')

/** A line `host:port:database:user:password` around the port (`.pgpass`). */
function pgpass(text: string, at: number): Match | undefined {
  const from = runStart(text, at, hostSet, 80)
  const before = text.charCodeAt(from - 1)
  if (from === at || (from > 0 && before !== 10 && before !== 34 && before !== 39 && before !== 32)) return undefined
  const port = text.startsWith(anyPort, at) ? at + 2 : runEnd(text, at + 1, digitSet, 6)
  const database = runEnd(text, port + 1, fieldSet, 64)
  const user = runEnd(text, database + 1, fieldSet, 64)
  if (text.charCodeAt(port) !== 58 || text.charCodeAt(database) !== 58 || text.charCodeAt(user) !== 58) return undefined
  const start = user + 1
  const found = judged(text, start, passwordEnd(text, start, before, true))
  // For a server on this machine it is a sample.
  return found?.tier === 'medium' && !text.slice(from, at).includes('.') ? undefined : found
}

/** `machine h login u password p` on one line or several (`.netrc`). */
function netrc(text: string, at: number): Match | undefined {
  if (!leftClear(text, at, wordSet)) return undefined
  let isSample = false
  let i = at + 8
  for (let word = 0; word < 8; word++) {
    i = skipSpace(text, i)
    const end = wordEnd(text, i)
    if (end === i) return undefined
    if (word > 0 && text.startsWith('password', i) && end === i + 8) {
      const start = skipSpace(text, end)
      // A template: `password {client.token}`.
      const to = passwordEnd(text, start, text.charCodeAt(at - 1), false)
      if (text.charCodeAt(start) === 123 && text.slice(start, to).includes('}')) return undefined
      const found = judged(text, start, to)
      return found !== undefined && isSample ? { ...found, confidence: 'medium', tier: 'medium' } : found
    }
    // A host; a sentence about a machine has another word there.
    if (word === 0) {
      if (!text.slice(i, end).includes('.')) return undefined
      isSample = text.startsWith('example', i)
    }
    if (word === 1 && !text.startsWith('login', i) && !text.startsWith('account', i)) return undefined
    i = end
  }
  return undefined
}

function skipSpace(text: string, from: number): number {
  let i = from
  while (i < from + 12) {
    const code = text.charCodeAt(i)
    if (code !== 32 && code !== 9 && code !== 10 && code !== 13) break
    i++
  }
  return i
}

const clientFiles: Detector = {
  id: 'netrc_pgpass_gitcredentials',
  label: 'PASSWORD',
  title: 'password in a credentials file',
  group: 'secret',
  tier: 'high',
  lengthMin: 12,
  anchors: [
    { literal: 'machine ' },
    { literal: ':5432:' },
    { literal: ':5433:' },
    { literal: ':6432:' },
    { literal: anyPort }
  ],
  match: (text, at) => (text.charCodeAt(at) === 58 ? pgpass(text, at) : netrc(text, at)),
  hits: () => [
    `machine git.acme.dev login ops password ${filler(16)}`,
    `machine git.acme.dev\n  login ops\n  password ${filler(16)}\n`,
    `db.acme.dev:5432:shop:app:${filler(14)}`,
    `*:*:*:app:${filler(14)}`
  ],
  misses: () => [
    'machine learning login page password form',
    'machine git.acme.dev login ops password $TOKEN',
    "f'machine {self.host} login token password {self.subject.auth_token}\\n'",
    'db:5432:shop:app:',
    'the machine login failed'
  ],
  source: 'curl manual, .netrc; PostgreSQL documentation, "The Password File".'
}

export const commandPasswordDetectors: readonly Detector[] = [curlAuth, statement, clientFiles]

/** Passwords in the settings of routers, servers and installers, recognised by the words before them on the line. */
import {
  beforeNext,
  behindLast,
  blankSet,
  charSet,
  codeAt,
  hexSet,
  inSet,
  leftClear,
  lineBreakSet,
  placeOf,
  runEnd,
  runStart,
  stringQuoteSet,
  wordSet
} from '../../text/chars.ts'
import { NameIndex } from '../../text/name-index.ts'
import { contextMatch, type Detector, type Match, withNext } from '../../detector.ts'
import { base32Letters, filler, hexLetters } from '../../sample-text.ts'
import { delimitedPassword } from '../../values/delimited-password.ts'

/**
 * What precedes the password. `*` is any word; `!` is the number of a weak encoding that can be reversed without a key.
 */
const lines = [
  'password 0 ',
  'secret 0 ',
  'key 0 ',
  'password 7 !',
  'key 7 !',
  'key-string 7 !',
  'key-string ',
  'set password enc ',
  'set passwd enc ',
  'set psksecret enc ',
  'username * password ',
  'username * secret ',
  'username * privilege * secret ',
  'username * privilege * password ',
  'neighbor * password ',
  'snmp-server community ',
  'set snmp community ',
  'snmp community is ',
  'snmp_community: ',
  'community string is ',
  'community string: ',
  'tacacs-server key ',
  'radius-server key ',
  'tacacs-server host * key ',
  'radius-server host * key ',
  'isakmp key ',
  'plain-text-password-value ',
  'authentication-key ',
  'message-digest-key * md5 ',
  'set psksecret ',
  'ntp authentication-key * md5 ',
  'passwd/root-password password ',
  'passwd/user-password password ',
  'pre-shared-key local ',
  'pre-shared-key remote ',
  'pre-shared-key ascii-text ',
  'wpa-psk ascii 0 ',
  'wpa-psk hex 0 ',
  'set-key ascii 0 ',
  'set-key hex 0 ',
  'rootpw --plaintext ',
  'bindpw ',
  '-setcookie ',
  'enable secret ',
  'enable password ',
  'sqlconnectinfo * * ',
  'rootpw ',
  'insecure-password ',
  ': psk ',
  ': eap ',
  ': xauth ',
  ': rsa * ',
  ': ecdsa * ',
  'ldap_default_authtok = ',
  'rocommunity ',
  'rwcommunity ',
  'com2sec * * ',
  'createuser * md5 ',
  'createuser * sha ',
  'createuser * * * aes ',
  'createuser * * * des ',
  'cleartext-password := ',
  'userpassword:: ',
  '{plain}',
  '{cleartext}'
]

interface Line {
  /** The words that follow the first one. */
  readonly rest: readonly string[]
  readonly isEncoded: boolean
}

/** The lines by their beginning, up to the first `*`. */
const byHead = new Map<string, Line[]>()
for (const line of lines) {
  const isEncoded = line.endsWith('!')
  const [head = '', ...rest] = (isEncoded ? line.slice(0, -1) : line).split('* ')
  byHead.set(head, [...(byHead.get(head) ?? []), { rest, isEncoded }])
}
const index = new NameIndex(byHead)

const wordUnitsMax = 128
const sentenceSignSet = charSet('.,')
const stopSet = charSet(' \t\r\n"\'`;')

/** Behind the word at `from`, or behind the quotes that open there. */
function fieldEnd(text: string, from: number): number {
  const closed = closingQuote(text, from)
  return closed < 0 ? wordEnd(text, from) : closed + 1
}

/** The quote that closes the one at `from`; -1 if none opens there or the line ends first. */
function closingQuote(text: string, from: number): number {
  const quote = codeAt(text, from)
  if (!inSet(stringQuoteSet, quote)) return -1
  const end = placeOf(text, quote, from + 1, wordUnitsMax)
  return end < 0 || placeOf(text, 10, from, end - from) >= 0 ? -1 : end
}

function wordEnd(text: string, from: number): number {
  return beforeNext(text, from, stopSet, wordUnitsMax)
}

/**
 * Where the password at `start` ends. What ends a sentence, or a part of it, does not belong to it, unless a line of
 * settings ends with it.
 */
function unquotedEnd(text: string, start: number): number {
  const end = wordEnd(text, start)
  const isLast = end === text.length || inSet(lineBreakSet, codeAt(text, end))
  return isLast && isSetting(text, start) ? end : runStart(text, end, sentenceSignSet, 1)
}

/** Whether the line begins with words before a password. */
function isSetting(text: string, at: number): boolean {
  const line = behindLast(text, at, lineBreakSet, wordUnitsMax)
  return index.at(text, runEnd(text, line, blankSet, wordUnitsMax)) !== undefined
}

function valueOf(text: string, from: number, { rest, isEncoded }: Line): Match | undefined {
  let start = from
  // How a certificate is signed: `: RSA with SHA1`.
  if (text.startsWith('with ', from)) return undefined
  for (const words of rest) {
    start = fieldEnd(text, start) + 1
    if (codeAt(text, start - 1) !== 32 || text.slice(start, start + words.length).toLowerCase() !== words)
      return undefined
    start += words.length
  }
  const closed = closingQuote(text, start)
  if (inSet(stringQuoteSet, codeAt(text, start))) start++
  // What follows a colon is the next field of the account.
  const field = codeAt(text, from - 1) === 125 ? text.slice(start, start + wordUnitsMax).indexOf(':') : -1
  const word = closed < 0 ? unquotedEnd(text, start) : closed
  const end = Math.min(word, field < 0 ? text.length : start + field)
  // A remark: `hash of boot key 0 (ECC)`.
  if (codeAt(text, start) === 40 && codeAt(text, end - 1) === 41) return undefined
  if (!isEncoded) return delimitedPassword(text, start, end)
  const digits = runEnd(text, start, hexSet, wordUnitsMax)
  return digits === end && end - start >= 8 && (end - start) % 2 === 0 ? contextMatch(start, end) : undefined
}

export const devicePasswordDetectors: readonly Detector[] = [
  {
    id: 'device_password',
    label: 'PASSWORD',
    title: 'password in the settings of a device',
    group: 'secret',
    tier: 'medium',
    lengthMin: 12,
    anchors: [...byHead.keys()].map((literal) => ({ literal, fold: true })),
    match(text, at) {
      const found = index.at(text, at)
      if (found === undefined || !leftClear(text, at, wordSet) || codeAt(text, at - 1) === 46) return undefined
      const [head, forms] = found
      // A line may hold two: for authentication and for privacy.
      return forms.reduceRight<Match | undefined>((next, form) => {
        const match = valueOf(text, at + head.length, form)
        return match === undefined ? next : withNext(match, next)
      }, undefined)
    },
    hits: () => [
      `ntp authentication-key 1 md5 ${filler(12)}`,
      ` security wpa psk set-key ascii 0 ${filler(12)}`,
      ` wpa-psk hex 0 ${filler(64, hexLetters)}`,
      ` ip ospf message-digest-key 1 md5 ${filler(12)}`,
      `set psksecret ${filler(12)}`,
      `username ops password 0 ${filler(12)}`,
      `username admin privilege 15 secret ${filler(12)}`,
      `username old password 7 ${['0822455D', '0A16544541'].join('')}`,
      ` neighbor 10.0.0.2 password ${filler(12)}`,
      `snmp-server community ${filler(10)} RO`,
      `tacacs-server key ${filler(12)}`,
      `rootpw --plaintext ${filler(12)}`,
      `bindpw ${filler(12)}\nbase dc=acme,dc=dev`,
      `enable secret ${filler(12)}`,
      `## Cookie for distributed Erlang\n-setcookie ${filler(20, base32Letters)}`,
      `SQLConnectInfo ftp@localhost ftpuser ${filler(12)}`,
      `tacacs-server host 10.0.0.50 key ${filler(12)}`,
      `crypto isakmp key ${filler(12)} address 203.0.113.9`,
      `ops:{PLAIN}${filler(12)}:1000:1000::/home/ops::`,
      `203.0.113.1 198.51.100.2 : PSK "${filler(14)}"`,
      `: PSK "${filler(8)};${filler(8)}"`,
      `rocommunity ${filler(12)} 10.0.0.0/8`,
      `com2sec readonly default ${filler(12)}`,
      `createUser ops SHA "${filler(12)}" AES "${filler(14, undefined, 3)}"`,
      `ops Cleartext-Password := "${filler(12)}"`,
      `ldap_default_authtok = ${filler(12)}`,
      `The SNMP community is ${filler(10)} on all switches.`,
      `snmp community string: ${filler(10)}`,
      `snmp_community: "${filler(10)}"`,
      `   key-string ${filler(12)}`,
      `key-string 7 ${['0822455D', '0A16544541'].join('')}`,
      `set psksecret ENC ${filler(40)}=`
    ],
    misses: () => [
      'signed using      : RSA with SHA1\\nRSA key size      : 2048 bits',
      'snmp-server community public RO',
      'the community string is not set, and the SNMP community is public',
      'rocommunity public 10.0.0.0/8',
      'com2sec notConfigUser default public',
      'createUser ops SHA authentication and privacy',
      'username admin privilege 15 secret 5 $1$abc',
      'username ops password prompt',
      'password 7 characters long',
      'enable secret 5 $1$abc',
      `## @param ldap.bindpw ${filler(12)} bind password`,
      'enable secret scanning for the repository',
      'password 0 or more',
      '/*!< SHA-256 hash of boot key 0 (QXC) */',
      'rootpw --lock',
      'erl -sname shop -setcookie monster',
      'the isakmp key exchange',
      'auth {plain} or {digest}',
      'Pre-Shared-Key (\\u043d\\u0430\\u043f\\u0440, 42)',
      ': PSK is disabled',
      'neighbor 10.0.0.2 password encryption on',
      'key-string 7 characters long',
      'set password enc on'
    ],
    source:
      'Cisco IOS Security Command Reference, "username" and "service password-encryption"; FortiOS CLI Reference; strongSwan, ipsec.secrets; FreeRADIUS, users; snmpd.conf(5) and snmpd.examples(5); Kickstart, rootpw; sssd-ldap(5); Erlang, erl(1).'
  }
]

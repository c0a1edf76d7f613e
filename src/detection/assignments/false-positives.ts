/** Text that looks like the assignment of a secret and is something else: a verb, a test result, a list of words. */
import {
  backslashSet,
  base62Set,
  blankSet,
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  dottedNameSet,
  hexSet,
  identifierSet,
  inSet,
  isAscii,
  letterSet,
  quoteSet,
  runEnd,
  runStart,
  spaceSet,
  stringQuoteSet,
  upperHexSet,
  upperSet
} from '../text/chars.ts'
import { endsIn } from './assigned-names.ts'
import type { Assignment } from './assignments.ts'
import { isCodeFalsePositive } from './code-false-positives.ts'
import { operators } from './operators.ts'
import { isShownSecret } from '../values/generic-value.ts'
import { isTitle } from '../values/language-words.ts'
import { isAddress, isHexDigest, isUuid } from '../values/non-secret-formats.ts'
import { isRelease, isTicket } from '../values/program-identifiers.ts'
import { rarity } from '../values/rarity.ts'
import { isAdjacentSecret } from '../values/stated-value.ts'

/**
 * Whether the assignment is not one: `pass` is a verb in `... learned to pass "-v"` and a test result in
 * `PASS: objdump -f`, the token of `badge.svg?token=...` is public, the quote behind `"PWD="+tc.dir` closes a string
 * instead of opening one, and the value of `ldap_pass=ldappass` is a variable or sample.
 */
export function isFalsePositive(text: string, assigned: Assignment): boolean {
  const { nameStart, nameEnd, nameQuoted, operator, quoted, start, end } = assigned
  if (nameEnd - nameStart === 4) {
    // A setup pass in Windows answer files.
    if (text.startsWith('<settings ', nameStart - 10) || text.slice(start, end) === 'oobeSystem') return true
    if (operator === operators.beside || text.startsWith('ward ', nameStart - 5)) return true
    if (hasFailBeside(text, assigned)) return true
    const isApart = operator === operators.colon && !quoted && start > nameEnd + 1
    if (
      isApart &&
      isVerdict(text, nameStart, end) &&
      (isTicket(text, start, end) || !isAdjacentSecret(text, start, end))
    )
      return true
  }
  // `"tokenizer.ggml.tokens": "..."`: the digest of a vocabulary.
  if (text.startsWith('tokens', nameEnd - 6) && isHexDigest(text, start, end)) return true
  if (isContract(text, assigned) || isKeyOfSigner(text, assigned)) return true
  if (nameEnd - nameStart === 2 && operator === operators.comma) return true
  // `KEY `FK60388cvbhb1` (`section_id`)`: an index of a table.
  if (nameEnd - nameStart === 3 && operator === operators.beside && text.startsWith('` (`', end)) return true
  // `${DB_PASSWORD:?must be set}`: what a shell says if the variable is not set.
  if (operator === operators.colon && codeAt(text, start) === 63 && text.startsWith('${', nameStart - 2)) return true
  if (isOfCluster(text, nameStart, nameEnd)) return true
  if (text.startsWith('.svg?', nameStart - 5)) return true
  if (quoted && !nameQuoted && joinSet[text.charCodeAt(start)] === 1) {
    if (text.charCodeAt(start - 1) === codeAt(text, nameStart - 1)) return true
  }
  if (leadsSentence(text, assigned) || isRelease(text, start, end)) return true
  if (quoted ? isEscapedText(text, start, end) || isLabel(text, start, end) : holdsEscape(text, start, end)) return true
  if (quoted ? operator === operators.comma && isKeyOf(text, end) : isCutOrLabel(text, start, end)) return true
  if (isCodeFalsePositive(text, assigned)) return true
  // `case"Password":` in a switch.
  if (
    operator === operators.colon &&
    nameQuoted &&
    text
      .slice(nameStart - 6, nameStart - 1)
      .trimEnd()
      .endsWith('case')
  )
    return true
  // `data "nsx_credentials" "main" {`, `oci_credentials "ghcr.io" {`: the labels of a Terraform block.
  if (quoted && text.startsWith(' {', end + 1) && (nameQuoted || start === nameEnd + 2)) return true
  if (operator === operators.comma && (isNameOfList(text, assigned) || isOfRow(text, assigned))) return true
  if (operator === operators.call && isShortWord(text, start, end)) return true
  if (operator === operators.colon && isOfGroup(text, start, end)) return true
  // `key="yubikey"in e?e.yubikey:""`: whether an object has a member.
  if (quoted && text.startsWith('in ', end + 1)) return true
  // `gcloud secrets versions access latest --secret=smtp-pass`: the name of a secret.
  if (text.startsWith('--secret', nameStart) && nameEnd - nameStart === 8 && isOfCloud(text, nameStart)) return true
  // `WITH PASSWORD :'name'`: a variable of psql.
  if (operator === operators.colon && quoted && text.startsWith(" :'", start - 3)) return true
  if (operator === operators.equals && !quoted && isRepetition(text, start, end)) return true
  // `jwt:PyJWT`.
  if (quoted ? isNamedAlike(text, assigned) : isPrefixed(text, assigned)) return true
  return end - start <= nameEnd - nameStart && endsIn(text, nameStart, nameEnd, text, start, end)
}

/** Whether it is a rule of a grammar in ABNF, as RFCs have them, and reads like one: `password = 1*UTF8-SAFE`. */
function isRepetition(text: string, start: number, end: number): boolean {
  const star = runEnd(text, start, digitSet, 3)
  if (codeAt(text, star) !== 42 || codeAt(text, start - 1) !== 32) return false
  const ruleSet = inSet(upperSet, codeAt(text, star + 1)) ? upperRuleSet : lowerRuleSet
  return runEnd(text, star + 1, ruleSet, end - star) === end && rarity(text, star + 1, end) < ruleBitsMax
}
const upperRuleSet = charSet('A-Z', '0-9', '-')
const lowerRuleSet = charSet('a-z', '-')
/** Names of rules are words. */
const ruleBitsMax = 6

/**
 * Whether `pass` is one of two outcomes, as tables of tests have them, with strings that are written alike:
 * `pass: '0bla23', fail: 'la'`.
 */
function hasFailBeside(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  if (!inSet(stringQuoteSet, codeAt(text, start - 1)) || start - nameEnd > outcomeJointMax) return false
  const fail = `fail${text.slice(nameEnd, start)}`
  return (
    holdsName(text.slice(Math.max(0, nameStart - outcomeUnitsMax), nameStart), fail) ||
    holdsName(text.slice(end + 1, end + outcomeUnitsMax), fail)
  )
}
/** Quotes, a colon and blanks. */
const outcomeJointMax = 5
const outcomeUnitsMax = 64

/** Whether a text holds what begins with a name, and the name is no part of a longer one: not `on_fail`. */
function holdsName(text: string, joined: string): boolean {
  const at = text.indexOf(joined)
  return at >= 0 && !inSet(dottedNameSet, codeAt(text, at - 1))
}

/**
 * Whether the value is the label that its name says: `CargoDataKey = "GmcCargoData"`. Its letters are those of the name
 * without its last word, perhaps behind others.
 */
function isNamedAlike(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  const tail = labelTails.find((one) => text.startsWith(one, nameEnd - one.length))
  if (tail === undefined || !consistsOf(text, start, end, labelSet)) return false
  const to = nameEnd - tail.length
  if (to - nameStart < labelUnitsMin || !endsIn(text, start, end, text, nameStart, to)) return false
  // What is before these letters is a word as well, or short.
  const head = end - (to - nameStart)
  return head - start <= labelHeadMax || rarity(text, start, head) < labelBitsMax
}
const labelTails = ['Key', '_KEY', '_key', 'Token', '_TOKEN', '_token']
const labelSet = charSet('A-Z', 'a-z', '_-.:')
const labelUnitsMin = 6
const labelHeadMax = 4
const labelBitsMax = 9

/** The ID or fingerprint of the key with which git signs: `user.signingkey=`, `signingKey = ` below `[user]`. */
function isKeyOfSigner(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  const length = end - start
  if (nameEnd - nameStart !== signer.length || (length !== 16 && length !== 40)) return false
  if (text.slice(nameStart, nameEnd).toLowerCase() !== signer || runEnd(text, start, upperHexSet, length) < end)
    return false
  return (
    text.startsWith('user.', nameStart - 5) ||
    text.slice(Math.max(0, nameStart - sectionUnitsMax), nameStart).includes('[user]')
  )
}
const sectionUnitsMax = 160
const signer = 'signingkey'

/** Whether a token of Ethereum stands there by its address: `token: "0x5FbD..."`, `?token=0x5FbD...`. */
function isContract(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  return (
    nameEnd - nameStart === 5 && isAddress(text, start, end) && text.slice(nameStart, nameEnd).toLowerCase() === 'token'
  )
}

/** Whether the value is the name behind a few letters. */
function isPrefixed(text: string, { operator, nameStart, nameEnd, start, end }: Assignment): boolean {
  const prefix = end - start - (nameEnd - nameStart)
  if (operator !== operators.colon || prefix < 1 || prefix > prefixUnitsMax) return false
  return consistsOf(text, start, end, letterSet) && endsIn(text, start, end, text, nameStart, nameEnd)
}
const prefixUnitsMax = 3

/**
 * Whether a string is itself the key of what follows: `'ldap_pw_sync' => 'Cache passwords',` and on the next line
 * `'ldap_help' => ...`.
 * @param end the end of the string, before its closing quote
 */
function isKeyOf(text: string, end: number): boolean {
  const sign = runEnd(text, runEnd(text, end, backslashSet, 4) + 1, blankSet, 40)
  return text.charCodeAt(sign) === 58 || text.startsWith('=>', sign)
}

/**
 * One of the names in a source map, `,"parseOnly","tokens","soFar",`, or in a list: `'cert_key', 'password',
 * 'advskew', 'subnet'`.
 */
function isNameOfList(text: string, { nameStart, nameQuoted, start, end }: Assignment): boolean {
  if (!nameQuoted || !consistsOf(text, start, end, identifierSet)) return false
  const isFirst = codeAt(text, nameStart - 2) === 91
  const isBetween =
    (isFirst || isElementEnd(text, nameStart - 2)) && runEnd(text, end + 1, separatorSet, separatorUnits) > end + 2
  if (isBetween && inSet(quoteSet, codeAt(text, runEnd(text, end + 1, separatorSet, separatorUnits)))) return true
  if (!consistsOf(text, start, end, letterSet)) return false
  const before = text.slice(Math.max(0, nameStart - 3), nameStart - 1)
  const after = text.slice(end, end + 3)
  return before.includes(',') && (after.startsWith('",') || after.startsWith("',") || after === '\\",')
}

/** One of several values: the id behind `'a1b2', 'password', `, a command behind `'; cat /etc/passwd', `. */
function isOfRow(text: string, { nameStart, nameQuoted, start, end }: Assignment): boolean {
  if (codeAt(text, nameStart - 1) === 47) return true
  return nameQuoted && isUuid(text, start, end) && isElementEnd(text, nameStart - 2)
}

const separatorSet = charSet(', \n')
const separatorUnits = 3

/** Whether another element ends before `at`, behind its comma and blanks. */
function isElementEnd(text: string, at: number): boolean {
  const comma = runStart(text, at + 1, spaceSet, 16)
  return codeAt(text, comma - 1) === 44 && inSet(quoteSet, codeAt(text, comma - 2))
}

const wordUnitsMax = 6

/** A short string among other arguments of a call: `addFormatToken('MMMM', 0)`. */
function isShortWord(text: string, start: number, end: number): boolean {
  return end - start <= wordUnitsMax && consistsOf(text, start, end, letterSet)
}

/** `--initial-cluster-token`: the name that the members of an etcd cluster have in common. */
function isOfCluster(text: string, nameStart: number, nameEnd: number): boolean {
  const from = nameEnd - clusterName.length
  return from >= nameStart && text.slice(from, nameEnd).toLowerCase().replaceAll('_', '-') === clusterName
}
const clusterName = 'initial-cluster-token'

/** Whether the command on this line keeps secrets under names. */
function isOfCloud(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - commandUnitsMax), at)
  return before.slice(before.lastIndexOf('\n') + 1).includes('gcloud ')
}
const commandUnitsMax = 120

/**
 * Whether a bare value is shortened (`16C7x...`, `eyJra. . .`), a label (`password: debug2: channel 2`), or a role in
 * reStructuredText (`` :see:`x_password` :zq4:attr:`&set` ``).
 */
function isCutOrLabel(text: string, start: number, end: number): boolean {
  if (isOfLanguage(text, start, end)) return true
  if (text.startsWith('...', end) || text.startsWith('. . .', end)) return !isShownSecret(text, start, end)
  return text.startsWith(': ', end) || text.startsWith(':`', end)
}

/**
 * Whether it is a word of a sentence in another language: `secret_key: Tajný klíč`, `new_password=Nytt lösenord`. A word
 * without letters beyond ASCII is one only as the first of a label; others may be a password before a remark.
 */
function isOfLanguage(text: string, start: number, end: number): boolean {
  const isPlain = isAscii(text, start, end)
  if (isPlain && !isTitle(text, start, end)) return false
  const next = !isPlain && text.startsWith(', ', end) ? end + 2 : end + 1
  if (codeAt(text, next - 1) !== 32 || countOf(text, start, end, digitSet) > 0) return false
  let to = next
  while (to - next < wordUnitsMax * 4 && (inSet(letterSet, codeAt(text, to)) || codeAt(text, to) >= latinFrom)) to++
  return to > next && !(isPlain && isAscii(text, next, to))
}
/** First code unit of letters beyond ASCII. */
const latinFrom = 0xc0

/** Whether it is the rest of a line of `/etc/group`: `ssh_keys:x:997:`. */
function isOfGroup(text: string, start: number, end: number): boolean {
  return text.startsWith('x:', start) && runEnd(text, start + 2, digitSet, end - start) === end
}

/** String concatenation operators. */
const joinSet = charSet('+.')

/**
 * Whether a sentence begins: a single word behind a colon, or several blanks behind an option, and more words:
 * `passwd:   OpenPGP Key Management`, `--key-passphrase  SFTP private key passphrase`.
 */
function leadsSentence(text: string, { operator, quoted, nameEnd, start, end }: Assignment): boolean {
  const isApart = operator === operators.option && start > nameEnd + 1
  if (quoted || !(operator === operators.colon || isApart) || text.charCodeAt(end) !== 32) return false
  return inSet(base62Set, codeAt(text, end + 1)) && runEnd(text, start, letterSet, 64) === end
}

/** Whether it is a word in camelCase that a colon makes the label of a value: `if (token == "VmPeak:")`. */
function isLabel(text: string, start: number, end: number): boolean {
  return codeAt(text, end - 1) === 58 && runEnd(text, start, letterSet, end - start) === end - 1
}

/** Whether it contains escaped letters of another language, as in message files: `Ung\u00FCltig`. */
function holdsEscape(text: string, start: number, end: number): boolean {
  for (let i = start; i + 6 <= end; i++) if (isEscape(text, i)) return true
  return false
}

function isEscape(text: string, at: number): boolean {
  return text.charCodeAt(at) === 92 && text.charCodeAt(at + 1) === 117 && runEnd(text, at + 2, hexSet, 4) === at + 6
}

/** Whether it is text in another language: letters, some of them escaped, and no other digits. */
export function isEscapedText(text: string, start: number, end: number): boolean {
  let escapes = 0
  let digits = countOf(text, start, end, digitSet)
  for (let i = start; i + 6 <= end; i++)
    if (isEscape(text, i)) {
      // Control characters, which no language uses.
      if (text.startsWith('00', i + 2) && text.charCodeAt(i + 4) < 56) return false
      escapes++
      digits -= countOf(text, i, i + 6, digitSet)
    }
  return escapes > 0 && digits === 0
}

/** Whether `pass` is a test result, and the test follows: several words, or anything behind `PASS`. */
function isVerdict(text: string, nameStart: number, end: number): boolean {
  if (text.startsWith('PASS', nameStart)) return true
  const after = text.charCodeAt(end + 1)
  return text.charCodeAt(end) === 32 && (letterSet[after] === 1 || after === 45 || after === 40)
}

/**
 * Whether it is a list of words: a comma at the end of a line more often separates words than a name and its value,
 * except for command options.
 */
export function isWordList(text: string, { operator, nameStart, nameEnd, start }: Assignment): boolean {
  if (codeAt(text, nameStart) === 45) return false
  if (operator !== operators.comma) return false
  const between = text.slice(nameEnd, start)
  // `"name": "DB_PASSWORD",` above `"value": "..."` are members of one object.
  return between.includes('\n') && !between.includes(':')
}

/** Whether name and value are two strings of a list with one per line: `[..., "libsecret-1", <newline> "libvpx9"]`. */
export function isListed(text: string, assigned: Assignment): boolean {
  if (!isWordList(text, assigned) || !assigned.nameQuoted) return false
  // Headers as a program receives them: names and values alternate.
  if (text.slice(assigned.nameStart, assigned.nameStart + 2).toLowerCase() === 'x-') return false
  let before = assigned.nameStart - 2
  while (before > 0 && text.charCodeAt(before) <= 32) before--
  const sign = text.charCodeAt(before)
  return (sign === 44 || sign === 91) && text.slice(before, assigned.nameStart).includes('\n')
}

/**
 * Passwords that are an ordinary word or two, such as `sunshine` and `maple-dragon`. Nothing in the value distinguishes
 * it from a label, a type or a name. The caller knows from the place that a password stands there, and learns here
 * whether it is one of the words that people write in place of a password (decision 144).
 */
import {
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  foldCode,
  inSet,
  letterSet,
  lowerSet,
  runEnd,
  upperSet
} from '../text/chars.ts'
import { WordList } from '../text/word-list.ts'
import { isNumberedWord } from './chosen-passwords.ts'
import { isDummyValue } from './generic-value.ts'
import { isConstant, isKeyName } from './program-identifiers.ts'
import { isPlainWord } from './passphrases.ts'
import { passwordName } from './key-names.ts'
import { touchesOwnPlaceholder } from './placeholders.ts'
import { isNameChain, isPathLike, isReference } from './references.ts'

const unitsMin = 4
const unitsMax = 40
const lettersMin = 3
const wordsMax = 4
/** Characters of such a password besides letters and digits. */
const jointSet = charSet('-_.!@#$*+&^?%~ ')
const firstSet = charSet('A-Z', 'a-z', '0-9', '!@#$*+&^')
/** First code unit of letters beyond ASCII. */
const foreignFrom = 0xc0
const foreignTo = 0xd800

/** Stems of placeholders, anywhere in the value. */
const stems = new WordList([
  ...[
    'pass',
    'pwd',
    'passw',
    'secret',
    'sekret',
    'token',
    'credential',
    'change',
    'example',
    'sample',
    'dummy',
    'testuser',
    'your'
  ],
  ...[
    'admin',
    'fake',
    'foobar',
    'hidden',
    'redact',
    'xxx',
    'placeholder',
    'replace',
    'insert',
    'encrypt',
    'hash',
    'asdf',
    'pa$$',
    'p@ss',
    'secur',
    'protected',
    'correct'
  ],
  ...['contrase', 'wachtwoord', 'passwort', 'kennwort', 'senha', 'parola', 'heslo', 'haslo', 'lozinka', 'salasana'],
  ...[
    'geheim',
    'secreto',
    'segreto',
    'segredo',
    'sandi',
    'clave',
    'parol',
    'motdepasse',
    'jelszo',
    'sifre',
    'adgangskode'
  ]
])

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Words that stand for a value, describe it, or name a service; as part of the value they are enough to reject it. */
const standIns = words(
  'test tests testing tester user users username root guest demo none null nil undefined unset true false yes no on off enabled ' +
    'disabled enable disable default defaults empty blank optional required mandatory missing invalid valid wrong right correct ' +
    'incorrect bad good short long weak strong random generated unknown anonymous nobody someone anything something whatever ' +
    'nothing everything string str text number integer int float bool boolean byte bytes char varchar object array list dict map ' +
    'any void auto manual prompt input output field form type kind value values val var variable param arg args option options ' +
    'name key keys id ids uuid data raw plain plaintext cleartext base basic bearer digest md sha sha256 crypt bcrypt scrypt argon ' +
    'utf ascii hex binary json yaml xml file path env environment vault kms ssm stdin keyring keychain keystore truststore ' +
    'keyboard interactive publickey login logon signin logout auth host server client service app application web http https ' +
    'url uri email mail phone address foo bar baz qux quux foobarbaz hello world abc abcd xyz asdf qwerty qwertz letmein ' +
    'welcome homestead laravel symfony django rails spring postgres postgresql pgsql mysql mariadb mongo mongodb mssql oracle ' +
    'sqlite redis rabbitmq rabbit kafka zookeeper elastic elasticsearch kibana logstash grafana prometheus influx influxdb ' +
    'jenkins nexus sonar sonarqube gitlab github gitea bitbucket docker kubernetes kube minio minioadmin keycloak ldap openldap ' +
    'samba kerberos smtp imap pop ftp sftp ssh vnc rdp radius snmp wordpress drupal joomla magento odoo nextcloud airflow ' +
    'superset metabase neo4j cassandra couchdb couchbase clickhouse cockroach memcached vagrant ansible terraform puppet chef ' +
    'ubuntu debian centos fedora alpine linux windows macos android azure aws gcp cloud local localhost remote internal ' +
    'word words development production staging dev prod stage qa ci live temp tmp temporary old new current previous next first second ' +
    'private public master slave primary secondary main backup superuser operator manager owner supervisor system ' +
    'database schema table column see here there below above todo tbd fixme same the and for not with from this that ' +
    'alice bob john jane doe foo1 me you my mine pw twopw toor bitnami commented supersecure different begin lambda await function self proc async def case'
)

/** Whether it is letters and separators beginning with a capital, as form labels and headings are. */
export function isTitle(text: string, start: number, end: number): boolean {
  return inSet(upperSet, codeAt(text, start)) && consistsOf(text, start, end, titleSet)
}
const titleSet = charSet('A-Z', 'a-z', '-_. ')

/**
 * Whether nothing speaks against a password of ordinary words: letters, perhaps a number, joined by a symbol or a
 * blank.
 */
export function isDictionaryPassword(text: string, start: number, end: number): boolean {
  if (end - start < unitsMin || end - start > unitsMax || !mayBegin(codeAt(text, start))) return false
  if (isStandIn(text, start, end)) return false
  return !isReference(text, start, end) && !isPathLike(text, start, end) && !isNameChain(text, start, end)
}

/** Whether a value is a placeholder, or not made of words. */
function isStandIn(text: string, start: number, end: number): boolean {
  if (stems.standsIn(text, start, end)) return true
  const isNumbered = countOf(text, start, end, digitSet) > 0
  let letters = 0
  let count = 0
  let blanks = 0
  for (let i = start; i < end;) {
    const code = text.charCodeAt(i)
    if (!isLetter(code)) {
      if (!inSet(jointSet, code) && !inSet(digitSet, code)) return true
      if (code === 32 && ++blanks > 1) return true
      i++
      continue
    }
    const stop = wordEnd(text, i, end)
    const word = text.slice(i, stop).toLowerCase()
    if (++count > wordsMax || standIns.has(word) || (stop - i > 2 && isPlainWord(word))) return true
    if (isNumbered && isNumberedWord(word)) return true
    letters += stop - i
    i = stop
  }
  // `mypw`: an abbreviation of `password` behind a word that says whose.
  if (foldCode(codeAt(text, end - 2)) === 112 && foldCode(codeAt(text, end - 1)) === 119) return true
  if (letters < lettersMin || isDummyValue(text, start, end) || touchesOwnPlaceholder(text, start, end)) return true
  return isConstant(text, start, end, passwordName, true) || isKeyName(text, start, end) || isCamel(text, start, end)
}

/** Whether it is an identifier in camelCase, without symbols and digits: `inputValue`, `userInput`. */
function isCamel(text: string, start: number, end: number): boolean {
  if (!inSet(lowerSet, codeAt(text, start)) || !consistsOf(text, start, end, letterSet)) return false
  const hump = runEnd(text, start, lowerSet, end - start)
  // A single capital at the end does not count.
  return hump < end - 1 && inSet(upperSet, codeAt(text, hump)) && inSet(lowerSet, codeAt(text, hump + 1))
}

/** The end of the word at `at`: of one case throughout, or lower case behind a capital. */
function wordEnd(text: string, at: number, end: number): number {
  let i = at + 1
  const isUpper = inSet(upperSet, codeAt(text, at)) && inSet(upperSet, codeAt(text, i))
  for (; i < end; i++) {
    const code = text.charCodeAt(i)
    if (!isLetter(code) || inSet(upperSet, code) !== isUpper) break
  }
  return i
}

function isLetter(code: number): boolean {
  return inSet(letterSet, code) || (code >= foreignFrom && code < foreignTo)
}

function mayBegin(code: number): boolean {
  return inSet(firstSet, code) || (code >= foreignFrom && code < foreignTo)
}

/** Whether the value is part of the variable's own name in any case, as `grafana` in `GRAFANA_PASSWORD`. */
export function isPartOfName(text: string, start: number, end: number, nameStart: number, nameEnd: number): boolean {
  const length = end - start
  for (let from = nameStart; from + length <= nameEnd; from++) {
    let i = 0
    while (i < length && foldCode(codeAt(text, from + i)) === foldCode(codeAt(text, start + i))) i++
    if (i === length) return true
  }
  return false
}

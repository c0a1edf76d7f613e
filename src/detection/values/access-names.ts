/** Words in the names of calls, types and lists that grant access, or hold what does (decision 138). */
import { charSet, codeAt, inSet, runStart, wordSet } from '../text/chars.ts'
import { WordSet } from '../text/word-set.ts'
import { nameParts } from './key-names.ts'

const words = (list: string): WordSet => new WordSet(list.split(' '))

/** Names that take a password or key as their only argument. */
const openingWords = words(
  'connect connects connection connector dbconnect login logon signin relogin logging auth authenticate authenticator authentication ' +
    'authenticated authorize authorise authorization credential credentials creds cred dial bind unlock unseal decrypt decryptor ' +
    'encrypt encryptor hmac sign signer signing cipher secret secrets password passwords passwd pwd pw passphrase keystore vault ' +
    'wallet license licence token tokens apikey protect unprotect oauth jwt sso signup enroll enrol impersonate su sudo ' +
    'unzip keyring keychain truststore fernet aes webhook activate rcon'
)
/** Names that take it behind another argument, such as an address or a user. */
const servingWords = words(
  'client session api sdk account accounts user users gateway smtp imap pop ftp sftp ssh ldap telnet mqtt amqp rabbit redis mongo ' +
    'mysql postgres pg db database datasource jdbc odbc broker relay mailer mail proxy tunnel vpn wifi merchant payment ' +
    'remote server driver pool service provider manager adapter backend sms registry kafka cache repo repository ' +
    'config settings options conn member customer admin operator principal identity storage queue transport mount channel ' +
    'device router camera printer nvr controller snmp vnc rdp winrm radius kerberos s blob minio handler link endpoint bot ' +
    'store source erp crm shop portal tenant vendor partner integration exporter importer uploader downloader fetcher scraper ' +
    'sync syncer worker agent hub bus cluster node instance dsn init initialize initialise setup target profile person employee owner key info stripe ' +
    'twilio sendgrid mailgun telegram slack discord openai github gitlab jira sentry datadog algolia paypal'
)
/** Names of what a passphrase unlocks. */
const phraseWords = words(
  'unlock unseal passphrase decrypt wallet vault keystore keyring password seed mnemonic luks restic borg'
)
/** Words about something other than access. A name that contains one promises no secret. */
const otherWords = words(
  'describe it id ids hash hashed digest checksum commit version color colour regex match log print error translate label ' +
    'message msg format parse type enum mock name names path file url uri icon image css class style public event metric i18n ip ' +
    'validate valid attribute attr column field sha md uuid guid block tx transaction address contract snapshot revision text texts ' +
    'data is has find get count assertion design signature assign assert bucket namespace role roles scope status state ' +
    'stream frame socket header headers cookie page element flag feature pod container tokenize tokenizer lexer syntax ' +
    'cost price component env locale lang language font theme model dataset tag branch ref'
)

/** Members whose names say nothing by themselves; the object that they belong to decides. */
const memberCalls = words(
  'new open create init of build put with start make from use setup begin launch attach start_link for'
)

/**
 * What a name says of the arguments behind it. `opens`: any may be a secret. `serves`: one may be, behind another
 * argument. `unlocks`: like `opens`, and a passphrase counts too.
 */
export type Access = 'none' | 'serves' | 'opens' | 'unlocks'

const segmentUnitsMax = 64
const segmentSet = charSet('A-Z', 'a-z', '0-9', '_-!?')
const jointSet = charSet('.:>-!?')

/**
 * Rates the name of a call or type that ends before `end`. For a member whose name says nothing, the name of its object
 * is rated.
 */
export function accessOf(text: string, end: number): Access {
  const start = runStart(text, end, segmentSet, segmentUnitsMax)
  const own = accessOfName(text, start, end)
  if (own === 'none' && memberCalls.has(firstPart(text, start, end))) {
    const joint = runStart(text, start, jointSet, 3)
    return joint === start ? 'none' : accessOfName(text, runStart(text, joint, wordSet, segmentUnitsMax), joint)
  }
  return own
}

function firstPart(text: string, start: number, end: number): string {
  const name = text.slice(start, end).toLowerCase()
  return memberCalls.has(name) ? name : (nameParts(text, start, end)[0] ?? '')
}

function accessOfName(text: string, start: number, end: number): Access {
  let access: Access = 'none'
  const parts = nameParts(text, start, end)
  // `KeyStore` is one word.
  if (parts.some((part, i) => part === 'store' && storeHeads.has(parts[i - 1] ?? ''))) access = 'unlocks'
  for (const part of parts) {
    if (otherWords.has(part) && !(part === 'hash' && parts.at(-1) === 'password')) return 'none'
    if (phraseWords.has(part) || passwordTails.some((tail) => part.endsWith(tail))) access = 'unlocks'
    else if (openingWords.has(part)) access = access === 'unlocks' ? access : 'opens'
    else if (access === 'none' && isServing(part)) access = 'serves'
  }
  return access
}

const storeHeads = words('key trust')
const passwordTails = ['password', 'passwd', 'passphrase']
/** Ends of library names: `epgsql`, `hiredis`, `paramikossh`. */
const servingTails = ['sql', 'redis', 'mongo', 'ssh', 'ftp', 'ldap', 'smtp', 'mqtt', 'client', 'conn']

function isServing(part: string): boolean {
  return servingWords.has(part) || servingTails.some((tail) => part.endsWith(tail))
}

/** Words in the names of fields and parameters that hold no secret. */
const fieldWords = words(
  'access user username login email host hostname addr port alias key keys kid realm issuer audience description title algorithm ' +
    'alg method mode kind sort platform release challenge nonce state region zone tenant project org organization organisation ' +
    'client app appname xsappname domain database db schema table bucket product sku plan group team label model device os iss ' +
    'site body prefix suffix qualifiers'
)
const fieldTails = ['id', 'name', 'url']
/** Whether the name of a field or parameter in `[start, end)` says that its value is something else. */
export function isOtherField(text: string, start: number, end: number): boolean {
  return nameParts(text, start, end).some(
    (part) => otherWords.has(part) || fieldWords.has(part) || fieldTails.some((tail) => part.endsWith(tail))
  )
}

/** Whether a lower-case word names such things in programs, and is therefore not part of a password. */
export const isAccessWord = (word: string): boolean =>
  openingWords.has(word) || servingWords.has(word) || otherWords.has(word)

/** Names of lists and maps of credentials, in lower case. */
const secretLists = words(
  'creds credentials credential cred tokens passwords passwds passes secrets apikeys logins login auth auths authn'
)
const personLists = words(
  'users accounts accts account admins user operators members principals people students testers ' +
    'hosts servers routers switches cameras devices machines'
)

/** What the name in `[start, end)` promises of a list: secrets, people (who may have some), or neither. */
export function listOf(text: string, start: number, end: number): 'none' | 'people' | 'secrets' {
  let list: 'none' | 'people' | 'secrets' = 'none'
  for (const part of nameParts(text, start, end)) {
    if (otherWords.has(part)) return 'none'
    if (secretLists.has(part) || (part === 'keys' && list === 'none' && end - start > 4)) list = 'secrets'
    else if (list === 'none' && personLists.has(part)) list = 'people'
  }
  return list
}
export const listWords: readonly string[] = [
  ...[
    'creds',
    'credentials',
    'tokens',
    'passwords',
    'secrets',
    'apikeys',
    'api_keys',
    'logins',
    'users',
    'accounts',
    'accts'
  ],
  ...['admins', 'operators', 'members', 'pairs', 'hosts', 'servers', 'routers', 'switches', 'cameras', 'machines']
]

/** The anchors: lower-case words, each the beginning of a word above. */
export const accessWords: readonly string[] = [
  ...[
    'connect',
    'login',
    'logon',
    'signin',
    'sign_in',
    'auth',
    'credential',
    'creds',
    'dial',
    'bind',
    'unlock',
    'unseal'
  ],
  ...['crypt', 'hmac', 'sign', 'cipher', 'secret', 'password', 'passwd', 'pwd', 'passphrase', 'keystore', 'truststore'],
  ...['keyring', 'keychain', 'vault', 'wallet', 'license', 'licence', 'token', 'apikey', 'protect', 'signup'],
  ...['enroll', 'impersonate', 'sudo', 'fernet', 'webhook', 'activate', 'rcon'],
  ...['client', 'session', 'api', 'sdk', 'account', 'user', 'gateway', 'smtp', 'imap', 'ftp', 'ssh'],
  ...[
    'ldap',
    'mqtt',
    'amqp',
    'redis',
    'mongo',
    'mysql',
    'postgres',
    'database',
    'datasource',
    'broker',
    'relay',
    'mailer'
  ],
  ...['tunnel', 'wifi', 'merchant', 'server', 'pool', 'link', 'service', 'provider', 'manager', 'adapter', 'config'],
  ...[
    'driver',
    'backend',
    'registry',
    'repository',
    'settings',
    'options',
    'storage',
    'queue',
    'transport',
    'mount',
    'channel'
  ],
  ...[
    'device',
    'router',
    'controller',
    'handler',
    'endpoint',
    'portal',
    'tenant',
    'integration',
    'exporter',
    'uploader'
  ],
  ...[
    'sync',
    'worker',
    'agent',
    'cluster',
    'init',
    'setup',
    'admin',
    'member',
    'customer',
    'kafka',
    'store',
    'key',
    'from_hex',
    'fromhex',
    'from_string',
    'fromstring'
  ]
]
/** Members whose names say nothing, with what precedes them. */
export const memberAnchors: readonly string[] = [
  ...['.new(', '::new(', '.open(', '::open(', '.create(', '::create(', '->open(', '.of(', '.build(', ':start_link('],
  ...[
    '.with(',
    '.start(',
    '.make(',
    '.use(',
    '.attach(',
    '::with(',
    '.for(',
    '->create(',
    '::from(',
    '.begin(',
    '.put('
  ]
]

export const bracketAt = (text: string, at: number): boolean => inSet(bracketSet, codeAt(text, at))
const bracketSet = charSet('({')

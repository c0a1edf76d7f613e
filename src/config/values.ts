/**
 * Converts the text of a variable to its value, with one function per type. A fault is a rule and never contains the
 * text: what an operator pasted into the wrong variable may be a secret.
 */
import { isIP } from 'node:net'
import { isRole, roles, type Role } from '../protocol/roles.ts'
import { isWorkspaceId } from '../protocol/workspace-id.ts'
import { Secret } from './secret.ts'

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly rule: string }

const good = <T>(value: T): Parsed<T> => ({ ok: true, value })
const bad = (rule: string): Parsed<never> => ({ ok: false, rule })

/** Decimal digits only: `1e3`, `0x10`, `10_000` and `10s` are mistakes more often than intended. */
export function parseInteger(text: string, min: number, max: number): Parsed<number> {
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? good(value) : bad(`must be an integer from ${min} to ${max}, in decimal digits`)
}

/** Accepts only two words: otherwise `False`, `0` and `fasle` would switch on what somebody wants off. */
export function parseSwitch(text: string): Parsed<boolean> {
  return text === 'true' || text === 'false' ? good(text === 'true') : bad('must be true or false')
}

/** One of the words of a list, case-sensitive. */
export function parseEnum(text: string, values: readonly string[]): Parsed<string> {
  return values.includes(text) ? good(text) : bad(`must be one of ${values.join(', ')}`)
}

/** A host name or address to bind to, without brackets, scheme or port. */
export function parseHost(text: string): Parsed<string> {
  // After a name, a colon starts a port, which has its own variable.
  const isHost = text.includes(':')
    ? isIP(text) === 6
    : // A name that ends in a number is an address, and 127.0.0.256 is none.
      /^[0-9A-Za-z._-]{1,255}$/.test(text) && URL.canParse(`http://${text}`)
  return isHost ? good(text) : bad('must be a host name or an IP address, without a scheme, brackets or a port')
}

/** A name, of characters that an event may carry. */
export function parseName(text: string): Parsed<string> {
  return /^[^\p{Cc}]{1,128}$/u.test(text) && text.isWellFormed()
    ? good(text)
    : bad('must be at most 128 characters without control characters')
}

/** A path on this machine. Whether something exists there is only known when it is opened. */
export function parsePath(text: string): Parsed<string> {
  if (text.includes('\0')) return bad('must be a path')
  // Env files and agents' settings pass it on literally, and a folder of that name would be created.
  return /^~(?:\/|$)/.test(text)
    ? bad('must not begin with ~, which only a shell takes for the home folder')
    : good(text)
}

/** A base URL, with trailing slashes removed, so that a path can be appended. */
export function parseBase(text: string): Parsed<string> {
  // URL parsers remove line breaks and add missing slashes.
  const url = /^https?:\/\/\S+$/i.test(text.trim()) ? URL.parse(text) : null
  if (url === null) return bad('must be an http or https URL')
  if (url.username !== '' || url.password !== '')
    return bad('must not contain credentials; set the key variable instead')
  if (url.search !== '' || text.includes('?')) return bad('must not have a query')
  if (url.hash !== '' || text.includes('#')) return bad('must not have a fragment')
  return good(url.href.replace(/(?<!\/)\/+$/, ''))
}

/** Text on one line. */
export function parseLine(text: string): Parsed<string> {
  return /^\P{Cc}{1,1000}$/u.test(text) ? good(text) : bad('must be one line of at most 1000 characters')
}

/**
 * Addresses of Microsoft Entra ID that stand for all of its tenants
 * (https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc): the OpenID library takes a token of any.
 */
const anyTenant =
  /^https:\/\/login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn)\/(?:common|organizations|consumers)(?:\/|$)/i

/** The issuer of an OpenID provider, kept character by character, since that is how it is compared. */
export function parseIssuer(text: string): Parsed<string> {
  const base = parseBase(text)
  if (!base.ok) return base
  if (anyTenant.test(base.value)) return bad('must name one tenant by its ID, or those of all tenants could sign in')
  const isSafe = text.startsWith('https:') || isLoopback(text)
  return isSafe && text === text.trim() ? good(text) : bad('must be an https URL')
}

/** A workspace id. */
export function parseWorkspace(text: string): Parsed<string> {
  return isWorkspaceId(text) ? good(text) : bad('must be 1 to 63 lower-case letters, digits and hyphens')
}

/** Addresses, each with or without a prefix length. */
export function parseNetworks(text: string): Parsed<string> {
  const isNetwork = (part: string): boolean => {
    const [address = '', prefix = '', ...more] = part.trim().split('/')
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    return (
      bits > 0 && more.length === 0 && (part.includes('/') ? /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits : true)
    )
  }
  return text.split(',').every(isNetwork)
    ? good(text)
    : bad('must be a comma-separated list of IP addresses or networks such as 10.0.0.0/8')
}

const roleMapRule = `must be of the form group=role, comma-separated, or a JSON object, with a role of ${roles.join(', ')}`

/** Roles by group. An empty text is an empty map. */
export function parseRoleMap(text: string): Parsed<ReadonlyMap<string, Role>> {
  const pairs = text.trim().startsWith('{') ? jsonPairs(text) : wordPairs(text)
  const map = new Map<string, Role>()
  for (const [group, role] of pairs ?? [['', '']]) {
    if (group === '' || typeof role !== 'string' || !isRole(role)) return bad(roleMapRule)
    map.set(group, role)
  }
  return good(map)
}

function jsonPairs(text: string): [string, unknown][] | undefined {
  try {
    return Object.entries(JSON.parse(text) as Record<string, unknown>)
  } catch {
    return undefined
  }
}

const wordPairs = (text: string): [string, string][] =>
  text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const at = part.lastIndexOf('=')
      return [part.slice(0, Math.max(0, at)).trim(), part.slice(at + 1).trim()]
    })

/** Names to be added to a vocabulary, comma-separated. */
export function parseNames(text: string): Parsed<readonly string[]> {
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => /^[a-z0-9][a-z0-9-]{0,31}$/.test(name))) return good(names)
  return bad('must be a comma-separated list of names of the form [a-z0-9][a-z0-9-]{0,31}')
}

/** Names of a server: host names or addresses, each with or without a port. */
export function parseHosts(text: string): Parsed<readonly string[]> {
  const hosts = text.split(',').map((host) => host.trim().toLowerCase())
  const isHost = (host: string): boolean => /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/.test(host)
  return hosts.every(isHost)
    ? good(hosts)
    : bad('must be a comma-separated list of host names, each with or without :port')
}

/** A secret for a header: visible ASCII without spaces. Anything else is a faulty paste. */
export function parseHeaderSecret(text: string): Parsed<Secret> {
  // As in the example of a vendor's documentation; each upstream has its own header, to which the scheme is added.
  if (/^bearer\s/i.test(text)) return bad('must be the key alone, without Bearer before it')
  if (!/^[\x21-\x7e]{1,4096}$/.test(text)) return bad('must be visible ASCII characters without spaces')
  // An env file that no shell reads passes quotes on, and they would be sent to the upstream.
  return /^(["']).*\1$/.test(text) ? bad('must not be in quotes') : good(new Secret(text))
}

const headerListRule = 'must be a comma-separated list of name=value, with percent-encoded values'

/** The headers in a text of the form `name=value,...`, in lower case; undefined if it has another form. */
export function readHeaderList(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const part of text.split(',')) {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]{1,128})\s*=\s*(\S(?:.*\S)?)\s*$/.exec(part) ?? []
    const plain = decoded(value)
    if (name === undefined || plain === undefined || !/^[\x20-\x7e]{1,4096}$/.test(plain)) return undefined
    headers[name.toLowerCase()] = plain
  }
  return headers
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The text of a list of headers, once it is known to be valid. */
export function parseHeaderList(text: string): Parsed<Secret> {
  return readHeaderList(text) ? good(new Secret(text)) : bad(headerListRule)
}

/** The 32 bytes of a key: 64 hexadecimal characters, or base64 or base64url with or without padding. */
export function parseKeyBytes(text: string): Parsed<Uint8Array> {
  if (/^[0-9A-Fa-f]{64}$/.test(text)) return good(Buffer.from(text, 'hex'))
  // 43 digits hold 258 bits; the two spare bits of the last digit must be zero, or two spellings would give the same
  // key.
  if (/^(?:[0-9A-Za-z+/]{42}|[0-9A-Za-z_-]{42})[AEIMQUYcgkosw048]=?$/.test(text)) {
    return good(Buffer.from(text, 'base64'))
  }
  return bad('must be 32 bytes, as 64 hexadecimal characters or as base64')
}

/** The text of a key, once it is known to be valid. */
export function parseKeySecret(text: string): Parsed<Secret> {
  const key = parseKeyBytes(text)
  return key.ok ? good(new Secret(text)) : key
}

/** How a connection to PostgreSQL is protected, as named in its URLs. The last four all encrypt. */
const sslModes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']
/** Supported parameters of a PostgreSQL URL; any other would be ignored, which nobody who writes it intends. */
const postgresParameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host', 'application_name', 'options']

/** The URL of a database with all connection settings; a secret, since it may hold a password. */
export function parsePostgresUrl(text: string): Parsed<Secret> {
  const url = URL.parse(text)
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    return bad('must be a URL of the form postgres://user:password@host:port/database')
  }
  if (url.hash !== '') return bad('must not have a fragment; write # in a password as %23')
  if (url.hostname.includes(',')) return bad('must name one host')
  if (url.pathname.length < 2) return bad('must name a database after the host')
  if ([...url.searchParams.keys()].some((name) => !postgresParameters.includes(name))) {
    return bad(`must have no other parameters than ${postgresParameters.join(', ')}`)
  }
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !sslModes.includes(mode)) return bad(`must have an sslmode of ${sslModes.join(', ')}`)
  try {
    decodeURIComponent(`${url.username}${url.password}${url.hostname}${url.pathname}`)
  } catch {
    return bad('must write % in a name or password as %25')
  }
  return good(new Secret(text))
}

/** Whether a PostgreSQL connection goes to another machine without encryption. */
export function isPlainPostgres(text: string): boolean {
  const url = new URL(text)
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  if (host === '' || host.startsWith('/') || (URL.canParse(`http://${host}`) && isLoopback(`http://${host}`)))
    return false
  return ['disable', null].includes(url.searchParams.get('sslmode'))
}

/** Whether a URL stays on this machine, so that plain http is no risk. */
export function isLoopback(base: string): boolean {
  return isLoopbackHost(new URL(base).hostname.replaceAll(/[[\]]/g, ''))
}

/** Whether a host name or an address, without brackets, is of this machine. */
export function isLoopbackHost(name: string): boolean {
  const host = name.toLowerCase()
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.[0-9]+\.[0-9]+\.[0-9]+$/.test(host)
  )
}

/**
 * From the text of a variable to its value, one function a type. A fault is a rule in words and never holds the text:
 * what an operator pasted into the wrong variable may be a secret.
 */
import { isIP } from 'node:net'
import { isRole, roles, type Role } from '../protocol/roles.ts'
import { isWorkspaceId } from '../protocol/workspace-id.ts'
import { Secret } from './secret.ts'

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly rule: string }

const good = <T>(value: T): Parsed<T> => ({ ok: true, value })
const bad = (rule: string): Parsed<never> => ({ ok: false, rule })

/** Decimal digits alone: `1e3`, `0x10`, `10_000` and `10s` are mistakes more often than they are meant. */
export function parseInteger(text: string, min: number, max: number): Parsed<number> {
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? good(value) : bad(`must be an integer from ${min} to ${max}, in decimal digits`)
}

/** Nothing but two words: `False`, `0` and `fasle` would else turn on what somebody wants off. */
export function parseSwitch(text: string): Parsed<boolean> {
  return text === 'true' || text === 'false' ? good(text === 'true') : bad('must be true or false')
}

/** One of the words of a list, in its letters. */
export function parseEnum(text: string, values: readonly string[]): Parsed<string> {
  return values.includes(text) ? good(text) : bad(`must be one of ${values.join(', ')}`)
}

/** A name or address to bind to, without brackets, scheme or port. */
export function parseHost(text: string): Parsed<string> {
  // Behind a name a colon is the beginning of a port, which stands in a variable of its own.
  const isHost = text.includes(':') ? isIP(text) === 6 : /^[0-9A-Za-z._-]{1,255}$/.test(text)
  return isHost ? good(text) : bad('must be a host name or an IP address, without a scheme, brackets or a port')
}

/** What something is called, in words that an event may carry. */
export function parseName(text: string): Parsed<string> {
  return /^[^\p{Cc}]{1,128}$/u.test(text) && text.isWellFormed()
    ? good(text)
    : bad('must be at most 128 characters without control characters')
}

/** A path of the machine. Whether something is there shows when it is opened. */
export function parsePath(text: string): Parsed<string> {
  if (text.includes('\0')) return bad('must be a path')
  // Files of variables and the settings of agents hand it on as it is, and a folder of that name would be made.
  return /^~(?:\/|$)/.test(text)
    ? bad('must not begin with ~, which only a shell takes for the home folder')
    : good(text)
}

/** A base address, with the trailing slashes taken off, so that a path can be appended to it. */
export function parseBase(text: string): Parsed<string> {
  // A parser of URLs takes line breaks out of the middle of a text and puts in slashes that are missing.
  const url = /^https?:\/\/\S+$/i.test(text.trim()) ? URL.parse(text) : null
  if (url === null) return bad('must be an http or https URL')
  if (url.username !== '' || url.password !== '')
    return bad('must not contain credentials; set the key variable instead')
  if (url.search !== '' || text.includes('?')) return bad('must not have a query')
  if (url.hash !== '' || text.includes('#')) return bad('must not have a fragment')
  return good(url.href.replace(/\/+$/, ''))
}

/** Words on one line. */
export function parseLine(text: string): Parsed<string> {
  return /^\P{Cc}{1,1000}$/u.test(text) ? good(text) : bad('must be one line of at most 1000 characters')
}

/** The issuer of an OpenID provider, letter by letter, since it is compared so. */
export function parseIssuer(text: string): Parsed<string> {
  const base = parseBase(text)
  if (!base.ok) return base
  const isSafe = text.startsWith('https:') || isLoopback(text)
  return isSafe && text === text.trim() ? good(text) : bad('must be an https URL')
}

/** The id of a workspace. */
export function parseWorkspace(text: string): Parsed<string> {
  return isWorkspaceId(text) ? good(text) : bad('must be 1 to 63 lower-case letters, digits and hyphens')
}

/** Addresses, each with or without the length of its network's prefix. */
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

/** Names that a vocabulary gets beside its own, comma-separated. */
export function parseNames(text: string): Parsed<readonly string[]> {
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => /^[a-z0-9][a-z0-9-]{0,31}$/.test(name))) return good(names)
  return bad('must be a comma-separated list of names of the form [a-z0-9][a-z0-9-]{0,31}')
}

/** Names by which a server is called: host names or addresses, each with or without a port. */
export function parseHosts(text: string): Parsed<readonly string[]> {
  const hosts = text.split(',').map((host) => host.trim().toLowerCase())
  const isHost = (host: string): boolean => /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/.test(host)
  return hosts.every(isHost)
    ? good(hosts)
    : bad('must be a comma-separated list of host names, each with or without :port')
}

/** What can stand in a header: visible ASCII without spaces. Anything else is a paste gone wrong. */
export function parseHeaderSecret(text: string): Parsed<Secret> {
  if (!/^[\x21-\x7e]{1,4096}$/.test(text)) return bad('must be visible ASCII characters without spaces')
  // A file of variables that no shell reads hands quotes on, and the upstream would be sent them.
  return /^(["']).*\1$/.test(text) ? bad('must not stand in quotes') : good(new Secret(text))
}

const headerListRule = 'must be a comma-separated list of name=value, with percent-encoded values'

/** The headers that a text of the form `name=value,...` lists, in lower case; undefined where it is not of that form. */
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

/** The text of a list of headers, once it is known to be one. */
export function parseHeaderList(text: string): Parsed<Secret> {
  return readHeaderList(text) ? good(new Secret(text)) : bad(headerListRule)
}

/** The bytes of a key of 32: 64 hexadecimal characters, or base64 or base64url with or without padding. */
export function parseKeyBytes(text: string): Parsed<Uint8Array> {
  if (/^[0-9A-Fa-f]{64}$/.test(text)) return good(Buffer.from(text, 'hex'))
  // 43 digits hold 258 bits; the last digit's two spare bits must be zero, or two spellings would name one key.
  if (/^(?:[0-9A-Za-z+/]{42}|[0-9A-Za-z_-]{42})[AEIMQUYcgkosw048]=?$/.test(text)) {
    return good(Buffer.from(text, 'base64'))
  }
  return bad('must be 32 bytes, as 64 hexadecimal characters or as base64')
}

/** The text of a key, once it is known to be one. */
export function parseKeySecret(text: string): Parsed<Secret> {
  const key = parseKeyBytes(text)
  return key.ok ? good(new Secret(text)) : key
}

/** How a connection to PostgreSQL is protected, by the names of its own URLs. The last four all encrypt. */
const sslModes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']
/** Parameters of a PostgreSQL URL that are understood; any other would be ignored, which nobody who writes it means. */
const postgresParameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host', 'application_name', 'options']

/** The address of a database with everything that a connection needs; a secret, since it may hold a password. */
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

/** Whether an address stays on this machine, so that plain http is no risk. */
export function isLoopback(base: string): boolean {
  const host = new URL(base).hostname
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    /^127\.[0-9]+\.[0-9]+\.[0-9]+$/.test(host)
  )
}

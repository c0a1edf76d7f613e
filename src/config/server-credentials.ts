/** Credentials that an MCP proxy hands to its servers. It must know them only to recognise them in a text. */
import { secretsOfCommands } from '../detection/detectors/context/command-options.ts'
import { likelyName, rateName } from '../detection/values/key-names.ts'
import { isGranting, ofHeader } from './credentials-of.ts'
import type { McpServer } from './mcp-servers.ts'
import type { Environment } from './reader.ts'
import { Secret } from './secret.ts'

/**
 * The credentials that MCP servers get: in headers and addresses, in arguments of commands, and in their environment,
 * which is that of the proxy as well.
 */
export function serverCredentials(servers: readonly McpServer[], env: Environment): Secret[] {
  const hasCommand = servers.some(({ command }) => command !== undefined)
  const texts = [...servers.flatMap(ofServer), ...(hasCommand ? ofVariables(env) : [])]
  return texts.map((text) => new Secret(text))
}

function ofServer({ url, headers = {}, command = [], env = {} }: McpServer): string[] {
  return [
    ...(url === undefined ? [] : [url]),
    ...Object.entries(headers).flatMap(([name, value]) => ofNamedHeader(name, value)),
    ...command.flatMap((word, at) => ofArgument(word, command[at - 1])),
    ...secretsOfCommands(command.map(quoted).join(' ')),
    ...ofVariables(env)
  ]
}

/** Most headers are settings: only what a name or a scheme promises counts. */
function ofNamedHeader(name: string, value: string): string[] {
  return isGranting(name) || hasScheme(value) ? [value, ...ofHeader({ name, value })] : []
}

/** Whether it is a header's value whatever its name: `Bearer X`. */
const hasScheme = (value: string): boolean => /^(?:basic|bearer|token) +\S+$/i.test(value)

/**
 * `--api-key X`, `--api-key=X`, `--env=API_KEY=X`, `--header 'Authorization: Bearer X'`, the password of an address, and
 * all of these in the line that a shell is given.
 */
function ofArgument(word: string, before = ''): string[] {
  if (shellOption.test(before))
    return [
      ...word
        .split(/\s+/)
        .map(unquoted)
        .flatMap((part, at, all) => ofArgument(part, all[at - 1])),
      ...secretsOfCommands(word)
    ]
  const [, name = '', value = ''] = /^([A-Za-z0-9_-]+)=(.*)$/s.exec(word) ?? []
  return [
    ...ofVariable(name, value),
    ...(/^--?[A-Za-z]/.test(before) ? ofVariable(before, word) : []),
    ...(headerOption.test(before) ? ofHeaderLine(word) : []),
    ...(headerOption.test(name) ? ofHeaderLine(value) : []),
    ...(variableOption.test(name) ? ofArgument(value) : []),
    ...ofSettings(word),
    ...ofAddress(word)
  ]
}

/** Before a line for a shell. */
const shellOption = /^(?:-[a-z]*c|\/c|-command)$/i
const variableOption = /^(?:-e|--env)$/
const headerOption = /^(?:-H|--headers?)$/
const quoted = (word: string): string => (/\s/.test(word) ? `'${word}'` : word)
const unquoted = (word: string): string => word.replaceAll(/^["']|["']$/g, '')

function ofHeaderLine(line: string): string[] {
  const colon = line.indexOf(':')
  return colon < 0 ? [] : ofNamedHeader(line.slice(0, colon).trim(), line.slice(colon + 1).trim())
}

const ofVariables = (env: Environment): string[] =>
  Object.entries(env).flatMap(([name, value = '']) => ofVariable(name, value))

/** The value if its name promises a secret; in any case the password of an address, and what stands in a header. */
function ofVariable(name: string, text: string): string[] {
  // What was read from a file ends in a line break, which is no part of it.
  const value = text.trim()
  if (hasScheme(value)) return ofNamedHeader(name, value)
  const members = value.startsWith('{') ? ofJson(value) : []
  const parts = [...members, ...ofSettings(value)]
  if (isSecretName(name)) return [...[value, ...listed(value)].filter((one) => !namesKey(name, one)), ...parts]
  return [...parts, ...ofAddress(value)]
}

/**
 * What a connection string names a password or a key: `Server=db;Password=X` of ODBC and others, `host=db password=X` of
 * PostgreSQL, `cache:6380,password=X,ssl=True` of Redis.
 */
function ofSettings(text: string): string[] {
  const separator = text.includes(';') ? ';' : /\s/.test(text) ? /\s+/ : ','
  const settings = text.split(separator).flatMap((part) => {
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(at, 0)).trim().replaceAll(' ', '_')
    return /^[A-Za-z][\w.-]*$/.test(name) ? [{ name, value: unquoted(part.slice(at + 1).trim()) }] : []
  })
  return settings.length < 2 ? [] : settings.flatMap(({ name, value }) => (isSecretName(name) ? [value] : []))
}

/** The keys of a list, `API_KEYS=X,Y`: each of them gives access. */
const listed = (value: string): string[] =>
  value.includes(',') && !value.startsWith('{') ? value.split(',').map((one) => one.trim()) : []

/** Headers that a server takes as an object, and logins of registries, which lie deeper. */
function ofJson(text: string): string[] {
  try {
    return ofMembers(JSON.parse(text))
  } catch {
    return []
  }
}

function ofMembers(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (typeof member !== 'string') return ofMembers(member)
    return /^(?:auth|authorization|cookie)$/i.test(name) ? ofNamedHeader(name, member) : ofVariable(name, member)
  })
}

/** Whether it says which key to take: an id or fingerprint of OpenPGP, as in `GPG_SIGNING_KEY`, or the file of an SSH key. */
const namesKey = (name: string, value: string): boolean =>
  (/gpg|pgp|sign/i.test(name) && /^(?:0x)?(?:[0-9A-F]{16}|[0-9A-F]{40})$/.test(value)) ||
  /^id_(?:rsa|dsa|ecdsa|ed25519)/.test(value)

/** An address alone is a text of its own; see `credentialsOf`. */
function ofAddress(text: string): string[] {
  const address = text.replace(/^jdbc:/i, '')
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\s]/i.test(address) ? [address] : []
}

const secretWords = /pass|pwd|token|secret|key|auth|credential|(?<![a-z])pat(?![a-z])/gi

/** Whether a name says that its value is a secret. */
function isSecretName(name: string): boolean {
  return [...name.matchAll(secretWords)].some(({ index }) => rateName(name, 0, name.length, index) >= likelyName)
}

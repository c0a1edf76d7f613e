/**
 * Credentials that a sensor can see: its own, those that it hands to MCP servers, and those of a service whose environment
 * it shares. It must know them only to recognise them in a text.
 */
import { likelyName, rateName } from '../detection/values/key-names.ts'
import { isGranting, ofHeader } from './credentials-of.ts'
import { foreignSecrets } from './foreign-secrets.ts'
import type { McpServer } from './mcp-servers.ts'
import type { Environment } from './reader.ts'
import { Secret } from './secret.ts'
import { variables, type Variable } from './variables.ts'

const secretNames = Object.entries<Variable>(variables).flatMap(([name, { type }]) => (type === 'secret' ? [name] : []))

/** The credentials in an environment, apart from those that only their names give away, and the sensor's token. */
export function sensorCredentials(token: Secret, env: Environment): Secret[] {
  return [token, ...secretNames.flatMap((name) => (env[name] ? [new Secret(env[name])] : [])), ...foreignSecrets(env)]
}

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
    ...ofVariables(env)
  ]
}

/** Most headers are settings: only what a name or a scheme promises counts. */
function ofNamedHeader(name: string, value: string): string[] {
  const promises = isGranting(name) || /^(?:basic|bearer|token) /i.test(value)
  return promises ? [value, ...ofHeader({ name, value })] : []
}

/** `--api-key X`, `--api-key=X`, and the password of an address. */
function ofArgument(word: string, before = ''): string[] {
  const [, name = '', value = ''] = /^([A-Za-z0-9_-]+)=(.*)$/s.exec(word) ?? []
  return [
    ...ofVariables({ [name]: value }),
    ...(/^--?[A-Za-z]/.test(before) ? ofVariables({ [before]: word }) : []),
    ...ofAddress(word)
  ]
}

/** The values of variables whose names promise a secret, and of all others the passwords in addresses. */
function ofVariables(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => (isSecretName(name) ? [value] : ofAddress(value)))
}

/** An address alone is a text of its own; see `credentialsOf`. */
const ofAddress = (text: string): string[] => (/^[a-z][a-z0-9+.-]*:\/\/[^/\s]/i.test(text) ? [text] : [])

const tellingWords = /pass|pwd|token|secret|key|auth|credential|(?<![a-z])pat(?![a-z])/gi

/** Whether what a name tells of its value is a secret. */
function isSecretName(name: string): boolean {
  return [...name.matchAll(tellingWords)].some(({ index }) => rateName(name, 0, name.length, index) >= likelyName)
}

/** The MCP servers behind a proxy: one from the command line, or those of an `mcp.json`. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { ConfigFault, Environment } from './reader.ts'

/** The command line's arguments. */
export interface McpProxyWords {
  /** After `--`. */
  readonly command?: readonly string[]
  readonly url?: string
  /** Each `Name: value`, for `url`. */
  readonly headers?: readonly string[]
  /** Path of an `mcp.json`. */
  readonly config?: string
  /** The only server of `config` to use. */
  readonly server?: string
  readonly listen?: string
}

/** One server, reached by a command, by a URL, or the built-in mock. */
export interface McpServer {
  /** Its key in `mcp.json`. */
  readonly name?: string
  readonly command?: readonly string[]
  /** Variables of the command's environment in addition to the proxy's. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly url?: string
  /** Sent with each request, in lower case; each replaces the client's header of the same name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly isMock?: true
}

interface Reading {
  readonly env: Environment
  readonly cwd: string
  readonly isMock: boolean
  readonly faults: ConfigFault[]
}

const fileBytesMax = 1_048_576
const serversMax = 256
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const headerValuePattern = /^[\x20-\x7e\t]*$/
/** Headers that frame the request itself. */
const framingHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'accept-encoding'
])

const texts = z.record(z.string(), z.string())
const entrySchema = z.looseObject({
  type: z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp']).optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
  cwd: z.string().min(1).optional(),
  url: z.string().optional(),
  headers: texts.optional()
})
const fileSchema = z.looseObject({
  mcpServers: z.record(z.string(), entrySchema).optional(),
  servers: z.record(z.string(), entrySchema).optional()
})

/** Reads the servers. Faults are collected, and faulty entries left out. */
export function readMcpServers(words: McpProxyWords, reading: Reading): readonly McpServer[] {
  const { faults, isMock } = reading
  if (isMock) return [{ name: 'mock', isMock: true }]
  const { command = [], url, config } = words
  const ways = [command.length > 0, url !== undefined, config !== undefined].filter(Boolean).length
  if (ways !== 1) {
    faults.push({ name: 'mcp-proxy', rule: 'needs exactly one of -- command, --url and --config' })
    return []
  }
  if (words.headers?.length && url === undefined) faults.push({ name: '--header', rule: 'can only be used with --url' })
  if (words.server !== undefined && config === undefined)
    faults.push({ name: '--server', rule: 'can only be used with --config' })
  if (config !== undefined) return readFile(resolve(reading.cwd, config), words.server, reading)
  if (url === undefined) {
    if (/^https?:\/\//i.test(command[0] ?? ''))
      faults.push({ name: '-- command', rule: 'must be a program to start; give an address with --url' })
    return [{ command }]
  }
  const headers = headersOf(words.headers ?? [], reading)
  const parsed = urlOf(url, '--url', reading)
  return parsed === undefined ? [] : [{ url: parsed, headers }]
}

function readFile(path: string, only: string | undefined, reading: Reading): readonly McpServer[] {
  const { faults } = reading
  const fault = (rule: string): readonly McpServer[] => {
    faults.push({ name: '--config', rule })
    return []
  }
  let text: string
  try {
    const { size } = statSync(path)
    if (size > fileBytesMax) return fault(`must name a file of at most ${fileBytesMax} bytes`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return fault(`must name a file that can be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return fault('names a file that is not JSON')
  }
  const parsed = fileSchema.safeParse(value)
  if (!parsed.success) {
    for (const { path: place, message } of parsed.error.issues.slice(0, 20))
      faults.push({ name: `--config ${place.join('.')}`, rule: `is not valid: ${message}` })
    return []
  }
  const entries = Object.entries({ ...parsed.data.servers, ...parsed.data.mcpServers })
  if (entries.length === 0) return fault('names a file without a server under mcpServers')
  if (entries.length > serversMax) return fault(`names a file with more than ${serversMax} servers`)
  if (only !== undefined && !entries.some(([name]) => name === only)) {
    faults.push({ name: '--server', rule: `must be one of ${entries.map(([name]) => name).join(', ')}` })
    return []
  }
  return entries
    .filter(([name]) => only === undefined || name === only)
    .flatMap(([name, entry]) => readEntry(name, entry, reading) ?? [])
}

function readEntry(name: string, entry: z.infer<typeof entrySchema>, reading: Reading): McpServer | undefined {
  const place = `--config mcpServers.${namePattern.test(name) ? name : '(a name)'}`
  const fault = (rule: string): undefined => void reading.faults.push({ name: place, rule })
  if (!namePattern.test(name)) return fault('must have a name of letters, digits, dots, dashes and underscores')
  const { command, args = [], env = {}, cwd, url, headers = {} } = entry
  if ((command === undefined) === (url === undefined)) return fault('must have either command or url')
  if (url !== undefined) {
    const parsed = urlOf(url, `${place}.url`, reading)
    const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}`)
    const made = headersOf(lines, reading, `${place}.headers`)
    return parsed === undefined ? undefined : { name, url: parsed, headers: made }
  }
  const filled = (text: string, field: string): string => fill(text, `${place}.${field}`, reading)
  return {
    name,
    command: [filled(command ?? '', 'command'), ...args.map((text) => filled(text, 'args'))],
    env: Object.fromEntries(Object.entries(env).map(([key, text]) => [key, filled(text, `env.${key}`)])),
    ...(cwd !== undefined && { cwd: resolve(reading.cwd, filled(cwd, 'cwd')) })
  }
}

/**
 * Substitutes `${NAME}`, `${env:NAME}` and `${NAME:-default}` by variables, so that the file need not contain secrets.
 */
function fill(text: string, place: string, { env, faults }: Reading): string {
  return text.replaceAll(
    /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_all, name: string, other?: string) => {
      const value = env[name] || other
      if (value === undefined) faults.push({ name: place, rule: `refers to the variable ${name}, which is not set` })
      return value ?? ''
    }
  )
}

function urlOf(text: string, place: string, reading: Reading): string | undefined {
  const url = URL.parse(fill(text, place, reading))
  const fault = (rule: string): undefined => void reading.faults.push({ name: place, rule })
  if (url === null || !/^https?:$/.test(url.protocol)) return fault('must be an http or https URL')
  if (url.username !== '' || url.password !== '') return fault('must not contain credentials; set a header instead')
  if (url.hash !== '') return fault('must not have a fragment')
  return url.href
}

function headersOf(lines: readonly string[], reading: Reading, place = '--header'): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const value = fill(line.slice(colon + 1).trim(), place, reading)
    if (!headerNamePattern.test(name) || !headerValuePattern.test(value))
      reading.faults.push({ name: place, rule: 'must have the form Name: value, in visible ASCII characters' })
    else if (framingHeaders.has(name)) reading.faults.push({ name: place, rule: `must not set ${name}` })
    else headers[name] = value
  }
  return headers
}

/** `sluice token`: creates, lists, rotates and revokes workspace tokens, even while the service runs. */
import { InvalidArgumentError, type Command } from 'commander'
import {
  createTokenService,
  defaultScopes,
  overlapMsMax,
  scopes,
  TokenRequestError,
  type MadeToken,
  type TokenService,
  type TokenSummary
} from '../service/tokens/tokens.ts'
import { defaultWorkspaceId, isWorkspaceId } from '../protocol/workspace-id.ts'
import { ensureWorkspace } from '../service/workspaces.ts'
import { readStoreConfiguration } from './configuration.ts'
import { handOverToken } from './hand-over-token.ts'
import { printTable } from './print-table.ts'
import { UsageError } from './usage-error.ts'
import { assertWorkspace, withExistingStore, withStore, type Opened } from './with-store.ts'
import { isoTime, isoTimeOrNull } from '../timing/iso-time.ts'

interface WorkspaceOption {
  readonly workspace: string
  readonly json?: boolean
}

interface CreateOptions extends WorkspaceOption {
  readonly scopes?: readonly string[]
  readonly expires?: number
  readonly label: string
}

interface RotateOptions extends WorkspaceOption {
  readonly overlap?: number
  readonly expires?: number
}

export function registerToken(program: Command): void {
  const token = program.command('token').description('Creates, lists, rotates and revokes workspace tokens.')
  token
    .command('create')
    .description('Creates a token and shows it once. Creates the workspace if it does not exist.')
    .option('--workspace <id>', 'the workspace', readWorkspaceId, defaultWorkspaceId)
    .option(
      '--scopes <list>',
      `comma-separated, of ${scopes.join(', ')} (default: ${defaultScopes.join(',')})`,
      readList
    )
    .option('--expires <when>', 'a future time (2027-01-31, 2027-01-31T12:00:00Z) or a span (12h, 90d)', readExpiry)
    .option('--label <text>', 'a name for people', 'made by the command line')
    .option('--json', 'prints {"token": ...} on standard output')
    .action(create)
  token
    .command('list')
    .description(
      'Lists the tokens of a workspace by ID, with the time of their last use as of half a minute ago; the tokens themselves are not stored.'
    )
    .option('--workspace <id>', 'the workspace', readWorkspaceId, defaultWorkspaceId)
    .option('--json', 'one JSON object per line')
    .action(list)
  token
    .command('rotate')
    .description('Replaces a token by a new one with the same label and scopes, and shows it once.')
    .argument('<id>', 'the eight characters that "token list" shows')
    .option('--workspace <id>', 'the workspace', readWorkspaceId, defaultWorkspaceId)
    .option('--overlap <span>', 'how long both stay valid (0, 30m, 24h, 7d) (default: 24h)', readSpan)
    .option('--expires <when>', 'as for "token create" (default: the lifetime of the old one)', readExpiry)
    .option('--json', 'prints {"token": ...} on standard output')
    .action(rotate)
  token
    .command('revoke')
    .description('Revokes a token. A running service refuses it within two seconds.')
    .argument('<id>', 'the eight characters that "token list" shows')
    .option('--workspace <id>', 'the workspace', readWorkspaceId, defaultWorkspaceId)
    .action(revoke)
}

function readWorkspaceId(text: string): string {
  if (isWorkspaceId(text)) return text
  throw new InvalidArgumentError('A workspace ID consists of lower case letters, digits and hyphens, at most 63.')
}

const readList = (text: string): string[] => text.split(',').map((part) => part.trim())

const spanMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A duration in milliseconds. */
function readSpan(text: string): number {
  const span = /^(\d{1,5})([mhd])$/.exec(text)
  const ms = span ? Number(span[1]) * (spanMs[span[2] ?? ''] ?? 0) : text === '0' ? 0 : Infinity
  if (ms <= overlapMsMax) return ms
  throw new InvalidArgumentError('Give 0 or a span such as 30m, 24h or 7d, at most 366d.')
}

/** A point in time in milliseconds since 1970. */
function readExpiry(text: string, _previous?: unknown, now = Date.now()): number {
  const span = /^(\d{1,5})([hd])$/.exec(text)
  if (span) return now + Number(span[1]) * (spanMs[span[2] ?? ''] ?? 0)
  const at = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new InvalidArgumentError('Give a date (2027-01-31), a time with its zone, or a span such as 12h or 90d.')
  return at
}

async function withTokens<T>(
  workspaceId: string,
  work: (tokens: TokenService) => Promise<T>,
  options: { readonly makeWorkspace?: boolean } = {}
): Promise<T> {
  const workIn = async ({ store, masterKey, own }: Opened): Promise<T> => {
    const mayMake = options.makeWorkspace || workspaceId === defaultWorkspaceId
    if (mayMake) await ensureWorkspace(store, workspaceId, 'cli')
    else await assertWorkspace(store, workspaceId)
    await using tokens = await createTokenService({ store, masterKey, own })
    return await work(tokens)
  }
  // Only creating a token may precede the first start; anyone who looks for a token is told about a wrong directory.
  return await (options.makeWorkspace ? withStore(workIn) : withExistingStore(workIn, readStoreConfiguration()))
}

async function create(options: CreateOptions): Promise<void> {
  const { workspace: workspaceId, label } = options
  const made = await withTokens(
    workspaceId,
    (tokens) => tokens.create({ workspaceId, label, scopes: options.scopes, expiresAt: options.expires }, 'cli'),
    { makeWorkspace: true }
  ).catch(rethrowAsUsage)
  await show(made, options)
}

/** The options of the command that set the fields of a request. */
const optionOf: Readonly<Record<string, string>> = { expiresAt: '--expires', overlapMs: '--overlap' }

function rethrowAsUsage(error: unknown): never {
  if (!(error instanceof TokenRequestError)) throw error
  const field = error.path.split('/')[1] ?? ''
  throw new UsageError(`${optionOf[field] ?? `--${field}`}${error.message.slice(error.path.length)}`)
}

/** Shows a new token, or prints it if requested. */
async function show(made: MadeToken, options: { readonly json?: boolean }): Promise<void> {
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ token: made.token, ...listed(made.summary) })}\n`)
    return
  }
  const { sentence, isShown } = await handOverToken(made.token, readStoreConfiguration().dataDir)
  if (!isShown) throw new Error(`${sentence} ID ${made.summary.id}.`)
  process.stderr.write(`${sentence}\nID ${made.summary.id}, scopes ${made.summary.scopes.join(', ')}.\n`)
}

function listed(token: TokenSummary) {
  const { id, workspaceId, lineageId, label, scopes: held, createdAt, expiresAt, revokedAt, lastUsedAt } = token
  return {
    id,
    workspace: workspaceId,
    lineage: lineageId,
    label,
    scopes: held,
    createdAt: isoTimeOrNull(createdAt),
    expiresAt: isoTimeOrNull(expiresAt),
    revokedAt: isoTimeOrNull(revokedAt),
    lastUsedAt: isoTimeOrNull(lastUsedAt)
  }
}

async function list(options: WorkspaceOption): Promise<void> {
  const tokens = await withTokens(options.workspace, async (service) => {
    const all: TokenSummary[] = []
    for (let after: number | null = 0; after !== null;) {
      const page: Awaited<ReturnType<TokenService['list']>> = await service.list(options.workspace, after)
      all.push(...page.tokens)
      after = page.next
    }
    return all
  })
  if (options.json) {
    for (const token of tokens) process.stdout.write(`${JSON.stringify(listed(token))}\n`)
    return
  }
  const rows = tokens.map((token) => [
    token.id,
    stateOf(token),
    token.lastUsedAt === null ? 'never used' : `used ${isoTime(token.lastUsedAt)}`,
    token.scopes.join(','),
    token.label
  ])
  printTable(rows)
  if (rows.length === 0) process.stderr.write(`The workspace "${options.workspace}" has no tokens.\n`)
}

function stateOf(token: TokenSummary): string {
  if (token.revokedAt !== null) return 'revoked'
  if (token.expiresAt === null) return 'active'
  return token.expiresAt <= Date.now() ? 'expired' : `until ${isoTime(token.expiresAt)}`
}

async function rotate(id: string, options: RotateOptions): Promise<void> {
  const { workspace: workspaceId, overlap: overlapMs = readSpan('24h'), expires: expiresAt } = options
  const request = { workspaceId, id, overlapMs, expiresAt }
  const made = await withTokens(workspaceId, (tokens) => tokens.rotate(request, 'cli')).catch(rethrowAsUsage)
  if (made === 'not_found') throw new UsageError(noSuchToken(workspaceId))
  await show(made, options)
  const end = overlapMs === 0 ? 'is no longer valid' : `is valid until ${isoTime(Date.now() + overlapMs)} at the latest`
  process.stderr.write(`The token ${id} ${end}.\n`)
}

const noSuchToken = (workspaceId: string): string => `the workspace "${workspaceId}" has no active token with this ID`

async function revoke(id: string, options: WorkspaceOption): Promise<void> {
  const { workspace: workspaceId } = options
  const outcome = await withTokens(workspaceId, (tokens) => tokens.revoke({ workspaceId, id }, 'cli'))
  if (outcome === 'not_found') throw new UsageError(noSuchToken(workspaceId))
  process.stderr.write(
    outcome === 'revoked' ? `The token ${id} is revoked.\n` : `The token ${id} was already revoked.\n`
  )
}

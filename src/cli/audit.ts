/** `sluice audit`: the records, and the proof that none of them was changed. */
import { createWriteStream } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Option, type Command } from 'commander'
import { auditPublicKey } from '../config/audit-key.ts'
import { parseRequestId } from '../protocol/headers.ts'
import { jsonLine } from '../protocol/json-line.ts'
import { auditFormats, auditRowBody } from '../service/readings/audit-bodies.ts'
import { exportChunks } from '../service/routes/export-answer.ts'
import { readTime } from '../service/routes/read-query.ts'
import { defaultWorkspaceId } from '../protocol/workspace-id.ts'
import { allRoots, allRows } from '../store/all-rows.ts'
import { sealedExport } from '../store/audit/sealed-export.ts'
import { rowsMax, type AuditQuery, type AuditRow } from '../store/store.ts'
import { registerAuditVerify } from './audit-verify.ts'
import { printable } from './scan/excerpt.ts'
import { UsageError } from './usage-error.ts'
import { withWorkspace } from './with-store.ts'

interface WorkspaceOption {
  readonly workspace: string
}

interface ShowOptions extends WorkspaceOption {
  readonly json?: boolean
}

interface ExportOptions extends WorkspaceOption {
  readonly format: string
  readonly from?: string
  readonly to?: string
  readonly action?: string
  readonly actor?: string
  readonly output?: string
  readonly sealed?: boolean
}

export function registerAudit(program: Command, exit: (status: number) => void): void {
  const audit = program.command('audit').description('Searches, exports and verifies the audit.')
  audit
    .command('show')
    .description('Shows the audit rows of one request.')
    .argument('<request-id>', 'the UUID in the x-request-id header of the response')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .option('--json', 'one JSON object per line')
    .action(show)
  audit
    .command('export')
    .description('Exports all rows, oldest first.')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .option('--format <format>', 'jsonl or csv', 'jsonl')
    .option('--from <when>', 'rows since then: a span before now (24h, 7d) or a time')
    .option('--to <when>', 'rows before then')
    .option('--action <action>', 'only rows with this action')
    .option('--actor <actor>', 'only rows of this actor')
    .addOption(
      new Option(
        '--sealed',
        'all rows with their hashes, and the signed roots, for "audit verify --file" on another machine'
      ).conflicts(['format', 'from', 'to', 'action', 'actor'])
    )
    .option('--output <file>', 'a new file that only its owner can read (default: standard output)')
    .action(exportRows)
  audit
    .command('roots')
    .description('Prints the signed roots, one JSON object per line. Keep a copy on another machine.')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .action(roots)
  audit
    .command('key')
    .description('Prints the public key for checking the roots of a workspace.')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .action(key)
  registerAuditVerify(audit, exit)
}

async function show(requestId: string, options: ShowOptions): Promise<void> {
  const id = parseRequestId(requestId)
  if (id === undefined) throw new UsageError('the request ID must be a UUID')
  const query: AuditQuery = { workspaceId: options.workspace, requestId: id, order: 'oldest', limit: rowsMax }
  const { rows, labels } = await withWorkspace(options.workspace, async ({ store }) => {
    const found = await Array.fromAsync(allRows((asked) => store.findAudit(asked), query))
    const ids = new Set(found.flatMap(({ tokenId }) => tokenId ?? []))
    const tokens = await Promise.all([...ids].map((tokenId) => store.findToken(tokenId)))
    return { rows: found, labels: new Map(tokens.map((token) => [`token:${token?.id}`, token?.label])) }
  })
  if (rows.length === 0) throw new Error(`no audit row of the workspace "${options.workspace}" has this request ID`)
  for (const row of rows)
    process.stdout.write(`${options.json ? jsonLine(auditRowBody(row)) : described(row, labels)}\n`)
}

/** @param labels of tokens, by the actor that they are */
function described(row: AuditRow, labels: ReadonlyMap<string, string | undefined>): string {
  const label = labels.get(row.actor)
  const who = label ? `${row.actor} (${printable(label)})` : row.actor
  const head = `${auditRowBody(row).at}  ${row.action}  by ${who}`
  const fields = Object.entries(row.detail).map(([name, value]) => `  ${name}: ${printable(JSON.stringify(value))}`)
  return [head, ...fields].join('\n')
}

function readFormat(text: string): keyof typeof auditFormats {
  if (text === 'jsonl' || text === 'csv') return text
  throw new UsageError('--format must be jsonl or csv')
}

function readWhen(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const at = readTime(text, Date.now())
  if (at === undefined) throw new UsageError(`${name} takes a span such as 24h or 7d, or a time with its zone`)
  return at
}

async function exportRows(options: ExportOptions): Promise<void> {
  if (options.sealed) return await exportSealed(options)
  const format = auditFormats[readFormat(options.format)]
  const { workspace: workspaceId, action, actor } = options
  const from = readWhen('--from', options.from)
  const to = readWhen('--to', options.to)
  const query: AuditQuery = { workspaceId, action, actor, from, to, order: 'oldest', limit: rowsMax }
  await withWorkspace(workspaceId, async ({ store }) => {
    const rows = allRows((asked) => store.findAudit(asked), query)
    await write(exportChunks(rows, format), options.output)
  })
}

/** One JSON object per line. */
const asLines = { first: '', line: (value: object) => `${jsonLine(value)}\n` }

async function exportSealed({ workspace, output }: ExportOptions): Promise<void> {
  await withWorkspace(workspace, async ({ store }) => {
    await write(exportChunks(sealedExport(store, workspace), asLines), output)
  })
}

async function roots({ workspace }: WorkspaceOption): Promise<void> {
  await withWorkspace(workspace, async ({ store }) => {
    await write(exportChunks(allRoots(store, workspace), asLines))
  })
}

async function key({ workspace }: WorkspaceOption): Promise<void> {
  await withWorkspace(workspace, async ({ masterKey }) => {
    process.stdout.write(auditPublicKey(masterKey, workspace).export({ format: 'pem', type: 'spki' }))
  })
}

/** Writes to a new file, or to standard output, with backpressure. */
async function write(chunks: AsyncIterable<string>, file?: string): Promise<void> {
  const isOpen = file === undefined
  const output: Writable = isOpen ? process.stdout : createWriteStream(file, { flags: 'wx', mode: 0o600 })
  try {
    await pipeline(Readable.from(chunks), output, { end: !isOpen })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new UsageError(`the file of --output already exists; name a new one`)
    if (code === 'ENOENT' || code === 'EACCES') throw new UsageError(`the file of --output cannot be created (${code})`)
    // The reader may have enough, as `head` does.
    if (code !== 'EPIPE') throw error
  }
}

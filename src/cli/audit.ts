/** `sluice audit`: what is on record. */
import type { Command } from 'commander'
import { parseRequestId } from '../protocol/headers.ts'
import { auditRowBody } from '../service/routes/audit.ts'
import { defaultWorkspaceId } from '../service/workspaces.ts'
import { rowsMax, type AuditRow } from '../store/store.ts'
import { UsageError } from './usage-error.ts'
import { withStore } from './with-store.ts'

interface ShowOptions {
  readonly workspace: string
  readonly json?: boolean
}

export function registerAudit(program: Command): void {
  const audit = program.command('audit').description('Looks into the audit.')
  audit
    .command('show')
    .description('Shows the audit rows of one request.')
    .argument('<request-id>', 'the UUID that the answer carried in x-request-id')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .option('--json', 'one JSON object a line')
    .action(show)
}

async function show(requestId: string, options: ShowOptions): Promise<void> {
  const id = parseRequestId(requestId)
  if (id === undefined) throw new UsageError('the request id must be a UUID')
  const rows = await withStore(({ store }) =>
    store.auditOfRequest({ workspaceId: options.workspace, requestId: id, limit: rowsMax })
  )
  if (rows.length === 0) throw new Error(`no audit row of the workspace "${options.workspace}" has this request id`)
  for (const row of rows) process.stdout.write(`${options.json ? JSON.stringify(auditRowBody(row)) : described(row)}\n`)
}

function described(row: AuditRow): string {
  const head = `${new Date(row.at).toISOString()}  ${row.action}  by ${row.actor}`
  const fields = Object.entries(row.detail).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`)
  return [head, ...fields].join('\n')
}

/** `sluice audit verify` and `sluice audit check-roots`. Exit status 0: intact, 1: broken, 2: wrong usage. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import type { Command } from 'commander'
import { auditPublicKey } from '../config/audit-key.ts'
import { reportBody } from '../service/readings/audit-bodies.ts'
import { defaultWorkspaceId } from '../protocol/workspace-id.ts'
import { auditFaults, IssueList } from '../store/audit/issues.ts'
import { RootChain } from '../store/audit/root-chain.ts'
import { verifySealedFile } from '../store/audit/sealed-file.ts'
import { verifyAudit, type AuditReport, type VerifyOptions } from '../store/audit/verify.ts'
import { readOptionFile, readRootFile } from './root-file.ts'
import { readConfiguration } from './configuration.ts'
import { UsageError } from './usage-error.ts'
import { withWorkspace } from './with-store.ts'

interface VerifyCommandOptions {
  readonly workspace: string
  readonly against?: string
  readonly file?: string
  readonly key?: string
  readonly json?: boolean
}

interface CheckOptions {
  readonly workspace: string
  readonly key: string
  readonly json?: boolean
}

export function registerAuditVerify(audit: Command, exit: (status: number) => void): void {
  audit
    .command('verify')
    .description(
      'Verifies every hash chain and signed root of a workspace, and reports what is broken. The service may keep running. Exit status: 0 intact, 1 broken.'
    )
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .option('--file <file>', 'verifies what "audit export --sealed" wrote instead of the database; needs no master key')
    .option('--key <file>', 'for --file: what "audit key" printed')
    .option('--against <file>', 'also compares with a copy of the roots kept elsewhere (JSON lines, or the log)')
    .option('--json', 'the report as one JSON object')
    .action(async (options: VerifyCommandOptions) => exit(await verify(options)))
  audit
    .command('check-roots')
    .description(
      'Checks a copy of the roots with the public key only; needs no database and no master key. Exit status: 0 intact, 1 broken.'
    )
    .argument('<file>', 'what "audit roots" printed, or the log')
    .requiredOption('--key <file>', 'what "audit key" printed')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .option('--json', 'the result as one JSON object')
    .action(async (file: string, options: CheckOptions) => exit(await checkRoots(file, options)))
}

async function verify(options: VerifyCommandOptions): Promise<number> {
  const { workspace: workspaceId, against, json } = options
  const copy = against === undefined ? undefined : await readRootFile('--against', against)
  const own = copy?.filter((root) => root.workspaceId === workspaceId)
  if (own?.length === 0) {
    throw new UsageError(`the file of --against holds no root of the workspace "${workspaceId}"`)
  }
  const onProgress = process.stderr.isTTY ? { onProgress: showProgress } : {}
  const report = await verifyPlace(options, { workspaceId, copy, ...onProgress })
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K')
  process.stdout.write(
    json ? `${JSON.stringify(reportBody(workspaceId, report))}\n` : describeReport(workspaceId, report, own?.length)
  )
  return report.ok ? 0 : 1
}

type Common = Pick<VerifyOptions, 'workspaceId' | 'copy' | 'onProgress'>

async function verifyPlace({ file, key }: VerifyCommandOptions, common: Common): Promise<AuditReport> {
  const { workspaceId } = common
  if (file === undefined) {
    if (key !== undefined) throw new UsageError('--key belongs to --file; a database is verified with its own key')
    return await withWorkspace(workspaceId, async ({ store, masterKey }) => {
      const { auditDays } = readConfiguration().retention
      return await verifyAudit({ ...common, store, publicKey: auditPublicKey(masterKey, workspaceId), auditDays })
    })
  }
  if (key === undefined) throw new UsageError('--file needs --key, a file with what "sluice audit key" prints')
  const publicKey = readPublicKey(await readOptionFile('--key', key))
  const report = await verifySealedFile(file, { ...common, publicKey }).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined ? error : new UsageError(`the file of --file cannot be read (${code})`)
  })
  if (report) return report
  throw new UsageError(`the file of --file holds no root of the workspace "${workspaceId}", so nothing in it is signed`)
}

const showProgress = (rows: number): void => void process.stderr.write(`\r${count(rows, 'row')} followed`)

const count = (number: number, what: string): string =>
  `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`

/** Faults that only a comparison with a copy can find. */
const copyFaults: ReadonlySet<string> = new Set(['root_differs', 'root_lost', 'copy_forged'])

/**
 * A report for people: one paragraph, then a line for each issue.
 * @param copied roots of the copy that it was compared with; undefined without a copy
 */
export function describeReport(workspaceId: string, report: AuditReport, copied?: number): string {
  const { ok, rows, writers, roots, expiredRows, unsealed, sealed, issuesLeftOut } = report
  const body = reportBody(workspaceId, report)
  const lines = [
    `The audit of the workspace "${workspaceId}" is ${ok ? 'intact' : 'BROKEN'}.`,
    `${count(rows, 'row')} of ${count(writers, 'writer')}, ${count(roots, 'root')}.`
  ]
  if (sealed) lines.push(`Newest root: ${sealed.root}, sealed ${body.sealed?.at}, ${sealed.hash}`)
  if (copied !== undefined) {
    const isSame = !body.issues.some(({ fault }) => copyFaults.has(fault))
    lines.push(
      `Compared with a copy of ${count(copied, 'root')}: ${isSame ? 'no difference' : 'it differs, see below'}.`
    )
  }
  if (expiredRows > 0) lines.push(`${count(expiredRows, 'older row')} expired by retention.`)
  if (unsealed.rows > 0)
    lines.push(`${count(unsealed.rows, 'row')} not sealed yet, the oldest of ${body.unsealed.since ?? 'unknown time'}.`)
  for (const { fault, message, ...place } of body.issues) {
    const named = Object.entries(place).filter(([, value]) => value !== undefined)
    lines.push(`- ${fault}: ${message} (${named.map(([name, value]) => `${name} ${value}`).join(', ')})`)
  }
  if (issuesLeftOut > 0) lines.push(`- and ${issuesLeftOut} more`)
  return `${lines.join('\n')}\n`
}

async function checkRoots(file: string, { workspace, key, json }: CheckOptions): Promise<number> {
  const publicKey = readPublicKey(await readOptionFile('--key', key))
  const roots = (await readRootFile('<file>', file)).filter(({ workspaceId }) => workspaceId === workspace)
  if (roots.length === 0) throw new UsageError(`the file holds no root of the workspace "${workspace}"`)
  const issues = new IssueList()
  // A rotated log begins in the middle.
  const chain = new RootChain(publicKey, issues, roots[0]?.sequence)
  for (const root of roots) chain.follow(root)
  const ok = issues.all.length === 0
  if (json) process.stdout.write(`${JSON.stringify({ ok, roots: chain.count, issues: issues.all })}\n`)
  else {
    const named = issues.all.map(({ fault, root }) => `- root ${root}: ${fault}: ${auditFaults[fault]}\n`)
    const range = `${roots[0]?.sequence} to ${roots.at(-1)?.sequence}`
    process.stdout.write(`${count(chain.count, 'root')}, ${range}: ${ok ? 'intact' : 'BROKEN'}.\n${named.join('')}`)
  }
  return ok ? 0 : 1
}

function readPublicKey(text: string): KeyObject {
  try {
    const key = createPublicKey(text)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Reported below, as for a key of another type.
  }
  throw new UsageError('the file of --key must hold an Ed25519 public key, as "sluice audit key" prints it')
}

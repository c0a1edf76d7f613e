/** `sluice policy`: lints, compares, publishes and tries policies, from files and against the store. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { trafficDetectors } from '../detection/detectors/traffic.ts'
import { diffPolicies, type PolicyChange } from '../policy/diff/diff.ts'
import { lintPolicyText, type DraftDocuments, type LintReport } from '../policy/lint/lint.ts'
import { createProfileScanner } from '../policy/redaction/profile-scanner.ts'
import { compileProfile } from '../policy/redaction/decide.ts'
import { readRedactionProfile, standardPolicy, type PolicyDocuments } from '../policy/revision.ts'
import { looseText } from '../policy/redaction/text-place.ts'
import { deriveKey } from '../config/master-key.ts'
import { sampleReasons } from '../protocol/api/policy-schema.ts'
import { allowHmac } from '../service/policies/compile-draft.ts'
import { showFindings } from '../service/policies/playground.ts'
import { PolicyRevisions, type PublishOutcome } from '../service/policies/revisions.ts'
import { defaultWorkspaceId } from '../service/workspaces.ts'
import type { PolicyRevision } from '../store/store.ts'
import { readConfiguration } from './configuration.ts'
import { printable } from './scan/excerpt.ts'
import { UsageError } from './usage-error.ts'
import { withWorkspace } from './with-store.ts'
import { isoTime } from '../timing/iso-time.ts'

interface WorkspaceOption {
  readonly workspace: string
  readonly json?: boolean
}

interface PublishOptions extends WorkspaceOption {
  readonly note: string
  readonly confirm?: boolean
  readonly basedOn?: string
}

type Exit = (status: number) => void

const author = { actor: 'cli', tokenId: null, requestId: null }

export function registerPolicy(program: Command, exit: Exit): void {
  const policy = program
    .command('policy')
    .description('Checks, compares, tests and publishes policies. A policy file is JSON with both documents.')
  policy
    .command('lint')
    .description('Reports what is wrong with a policy file. Exit status 1 if it cannot be published.')
    .argument('<file>', 'a policy file, or - for standard input')
    .option('--confirm', 'accepts a policy that locks everybody out of every tool')
    .option('--json', 'the report as JSON')
    .action(async (file: string, options: { confirm?: boolean; json?: boolean }) => {
      const { report } = await readPolicy(file, options.confirm === true)
      show(options.json === true, report, () => describeReport(report))
      exit(report.isPublishable ? 0 : 1)
    })
  policy
    .command('diff')
    .description('Shows how two policies differ in meaning. Exit status 1 if they differ.')
    .argument('<from>', 'a policy file, a revision, "current" or "standard"')
    .argument('<to>', 'the same')
    .option('--workspace <id>', 'the workspace of the revisions', defaultWorkspaceId)
    .option('--json', 'the changes as JSON')
    .action((from: string, to: string, options: WorkspaceOption) => diff(from, to, options, exit))
  policy
    .command('publish')
    .description('Publishes a policy file as the next revision. A running service enforces it within seconds.')
    .argument('<file>', 'a policy file, or - for standard input')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .option('--note <text>', 'the reason, for the history and the audit', '')
    .option('--based-on <revision>', 'fails if another revision is in force')
    .option('--confirm', 'accepts a policy that locks everybody out of every tool')
    .option('--json', 'the revision as JSON')
    .action((file: string, options: PublishOptions) => publish(file, options, exit))
  policy
    .command('rollback')
    .description('Rolls back: publishes the documents of an earlier revision again.')
    .argument('<revision>', 'the ID or the sequence of a revision')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .option('--note <text>', 'the reason, for the history and the audit', '')
    .option('--confirm', 'accepts a policy that locks everybody out of every tool')
    .option('--json', 'the revision as JSON')
    .action((revision: string, options: PublishOptions) => rollBack(revision, options, exit))
  policy
    .command('history')
    .description('Lists revisions, newest first.')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .option('--json', 'one JSON object per line')
    .action(history)
  policy
    .command('show')
    .description('Prints the documents of a revision, ready to edit and publish.')
    .argument('[revision]', 'the ID or the sequence of a revision, "current" or "standard"', 'current')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .action(async (which: string, options: WorkspaceOption) => {
      const { mcpToolPolicy, redactionProfile } = await policyNamed(which, options.workspace)
      process.stdout.write(`${JSON.stringify({ mcpToolPolicy, redactionProfile }, null, 2)}\n`)
    })
  policy
    .command('hmac')
    .description('Reads one value from standard input and prints its entry for `allow.hmacs`.')
    .option('--workspace <id>', 'the workspace; each has its own key', defaultWorkspaceId)
    .action(printHmac)
  policy
    .command('test')
    .description('Shows what a policy file would find in a text, and the masked text. Nothing is stored or sent.')
    .argument('<file>', 'a policy file')
    .argument('<text>', 'a text file, or - for standard input')
    .option('--json', 'findings and masked text as JSON')
    .action(tryText)
}

const readInput = async (file: string): Promise<string> => {
  try {
    return file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`)
  }
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  stream.setEncoding('utf8')
  for await (const chunk of stream) text += chunk as string
  return text
}

/** A policy file and its lint findings, as far as they need no store. */
async function readPolicy(file: string, confirm: boolean) {
  return lintPolicyText(await readInput(file), { now: Date.now(), confirm })
}

/** @throws UsageError for a file that could not be published */
async function readGoodPolicy(file: string): Promise<DraftDocuments> {
  const { report, draft } = await readPolicy(file, true)
  if (draft !== undefined && report.isPublishable) return draft
  throw new UsageError(`${file} is not a valid policy\n${describeReport(report)}`)
}

async function policyNamed(which: string, workspaceId: string): Promise<PolicyDocuments> {
  if (which === 'standard') return standardPolicy
  const isRevision = which === 'current' || /^[1-9]\d{0,14}(-[0-9a-f]{16})?$/.test(which)
  if (!isRevision) return (await readGoodPolicy(which)) as PolicyDocuments
  return await withRevisions(workspaceId, async (revisions) => {
    const found = which === 'current' ? await revisions.current(workspaceId) : await revisions.find(workspaceId, which)
    if (found === undefined) throw new UsageError(`the workspace "${workspaceId}" has no revision "${which}"`)
    return found
  })
}

/** The revisions of a workspace in the configured store, with the context that its service would have. */
async function withRevisions<T>(workspaceId: string, work: (revisions: PolicyRevisions) => Promise<T>): Promise<T> {
  const { vocabularies, blockHighRisk } = readConfiguration()
  return await withWorkspace(workspaceId, async ({ store, own }) =>
    work(new PolicyRevisions(store, { surfaces: [...vocabularies.surfaces], blockHighRisk }, await own()))
  )
}

async function diff(from: string, to: string, { workspace, json }: WorkspaceOption, exit: Exit): Promise<void> {
  const changes = diffPolicies(await policyNamed(from, workspace), await policyNamed(to, workspace))
  show(json === true, changes, () => describeChanges(changes))
  exit(changes.length === 0 ? 0 : 1)
}

async function publish(file: string, options: PublishOptions, exit: Exit): Promise<void> {
  const { workspace: workspaceId, note, confirm = false, basedOn } = options
  const { report, draft } = await readPolicy(file, confirm)
  if (draft === undefined || !report.isPublishable) return exit(refuse(report))
  const outcome = await withRevisions(workspaceId, async (revisions) => {
    if (basedOn !== undefined && (await revisions.find(workspaceId, basedOn)) === undefined)
      throw new UsageError(`the workspace "${workspaceId}" has no revision "${basedOn}"`)
    return await revisions.publish({ workspaceId, draft, note, confirm, basedOn }, author)
  })
  exit(reportPublish(outcome, options))
}

async function rollBack(revision: string, options: PublishOptions, exit: Exit): Promise<void> {
  const { workspace: workspaceId, note, confirm = false } = options
  const outcome = await withRevisions(workspaceId, (revisions) =>
    revisions.rollBack({ workspaceId, to: revision, note, confirm, basedOn: undefined }, author)
  )
  if (outcome === undefined) throw new UsageError(`the workspace "${workspaceId}" has no revision "${revision}"`)
  exit(reportPublish(outcome, options))
}

function refuse(report: LintReport): number {
  process.stderr.write(`${describeReport(report)}\n`)
  return 1
}

function reportPublish(outcome: PublishOutcome, { json }: WorkspaceOption): number {
  if (outcome.is === 'refused') return refuse(outcome.report)
  if (outcome.is === 'conflict') {
    process.stderr.write(`Another revision is in force: ${outcome.current.revision}. Nothing was published.\n`)
    return 1
  }
  const revision = outcome.is === 'published' ? outcome.revision : outcome.current
  const said = outcome.is === 'published' ? 'is in force' : 'is already the same; nothing was published'
  show(json === true, headOf(revision), () => `Revision ${revision.revision} ${said}.`)
  if (!json && outcome.report.findings.length > 0) process.stderr.write(`${describeReport(outcome.report)}\n`)
  return 0
}

async function history({ workspace: workspaceId, json }: WorkspaceOption): Promise<void> {
  await withRevisions(workspaceId, async (revisions) => {
    for (let before: number | undefined; ;) {
      const page = await revisions.history(workspaceId, { limit: 100, before })
      for (const revision of page) show(json === true, headOf(revision), () => describeRevision(revision))
      before = page.at(-1)?.sequence
      if (before === undefined || before === 1) return
    }
  })
}

/** Reads the value from standard input, so that it appears in no process list and in no shell history. */
async function printHmac({ workspace: workspaceId }: WorkspaceOption): Promise<void> {
  const value = (await readInput('-')).replace(/\r?\n$/, '')
  if (value === '') throw new UsageError('standard input is empty')
  await withWorkspace(workspaceId, async ({ masterKey }) => {
    process.stdout.write(`${allowHmac(value, deriveKey(masterKey, 'allow-list', workspaceId))}\n`)
  })
}

async function tryText(file: string, textFile: string, { json }: { readonly json?: boolean }): Promise<void> {
  const { redactionProfile } = await readGoodPolicy(file)
  const profile = readRedactionProfile(redactionProfile)
  const scanner = createProfileScanner(profile, { detectors: trafficDetectors })
  const compiled = compileProfile(profile, { blockHighRisk: true })
  const shown = await showFindings(await readInput(textFile), looseText, { scanner, profile: compiled })
  show(json === true, shown, () =>
    [
      ...shown.findings.map(
        ({ kind, tier, confidence, action, start, end }) =>
          `${start}-${end}  ${action}  ${kind} (${tier}, ${confidence})`
      ),
      ...shown.samples.map(({ start, end, reason }) => `${start}-${end}  never masked: ${sampleReasons[reason]}`),
      `A request with this text would be ${{ block: 'blocked', mask: 'masked', allow: 'left unchanged' }[shown.action]}:`,
      '',
      shown.masked
    ].join('\n')
  )
}

const headOf = ({ sequence, revision, author: by, note, publishedAt }: PolicyRevision) => ({
  sequence,
  revision,
  author: by,
  note,
  publishedAt: isoTime(publishedAt)
})

const describeRevision = (revision: PolicyRevision): string => {
  const { revision: id, publishedAt, author: by, note } = headOf(revision)
  return `${id}  ${publishedAt}  by ${by}${note === '' ? '' : `  ${printable(note)}`}`
}

const describeChanges = (changes: readonly PolicyChange[]): string =>
  changes.length === 0
    ? 'The policies are the same.'
    : changes.map(({ says, softens, path }) => `${softens ? '! ' : '  '}${says}  (${path})`).join('\n')

function describeReport({ findings, leftOut, isPublishable }: LintReport): string {
  const lines = findings.map(({ severity, path, message }) =>
    printable(`${severity.padEnd(7)}  ${path || '/'}  ${message}`)
  )
  if (leftOut > 0) lines.push(`... and ${leftOut} more`)
  lines.push(isPublishable ? 'The policy can be published.' : 'The policy cannot be published.')
  return lines.join('\n')
}

const show = (asJson: boolean, value: unknown, words: () => string): void => {
  process.stdout.write(`${asJson ? JSON.stringify(value) : words()}\n`)
}

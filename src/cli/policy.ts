/**
 * `sluice policy`: lints, compares, publishes and tries policies, from files and against the store. Each command loads
 * what it needs: the detectors, which take most of the time, only where a policy is judged.
 */
import type { Command } from 'commander'
import { defaultWorkspaceId } from '../protocol/workspace-id.ts'
import type { Exit, WorkspaceOption } from './policy/output.ts'
import type { PublishOptions } from './policy/publish.ts'

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
    .action(async (file: string, options: { confirm?: boolean; json?: boolean }) =>
      (await import('./policy/files.ts')).lint(file, options, exit)
    )
  policy
    .command('diff')
    .description('Shows how two policies differ in meaning. Exit status 1 if they differ.')
    .argument('<from>', 'a policy file, a revision, "current" or "standard"')
    .argument('<to>', 'the same')
    .option('--workspace <id>', 'the workspace of the revisions', defaultWorkspaceId)
    .option('--json', 'the changes as JSON')
    .action(async (from: string, to: string, options: WorkspaceOption) =>
      (await import('./policy/diff.ts')).diff(from, to, options, exit)
    )
  policy
    .command('publish')
    .description('Publishes a policy file as the next revision. A running service enforces it within seconds.')
    .argument('<file>', 'a policy file, or - for standard input')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .option('--note <text>', 'the reason, for the history and the audit', '')
    .option('--based-on <revision>', 'fails if another revision is in force')
    .option('--confirm', 'accepts a policy that locks everybody out of every tool')
    .option('--json', 'the revision as JSON')
    .action(async (file: string, options: PublishOptions) =>
      (await import('./policy/publish.ts')).publish(file, options, exit)
    )
  policy
    .command('rollback')
    .description('Rolls back: publishes the documents of an earlier revision again.')
    .argument('<revision>', 'the ID or the sequence of a revision')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .option('--note <text>', 'the reason, for the history and the audit', '')
    .option('--confirm', 'accepts a policy that locks everybody out of every tool')
    .option('--json', 'the revision as JSON')
    .action(async (revision: string, options: PublishOptions) =>
      (await import('./policy/publish.ts')).rollBack(revision, options, exit)
    )
  policy
    .command('history')
    .description('Lists revisions, newest first.')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .option('--json', 'one JSON object per line')
    .action(async (options: WorkspaceOption) => (await import('./policy/history.ts')).history(options))
  policy
    .command('show')
    .description('Prints the documents of a revision, ready to edit and publish.')
    .argument('[revision]', 'the ID or the sequence of a revision, "current" or "standard"', 'current')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .action(async (which: string, options: WorkspaceOption) =>
      (await import('./policy/history.ts')).showRevision(which, options)
    )
  policy
    .command('hmac')
    .description('Reads one value from standard input and prints its entry for `allow.hmacs`.')
    .option('--workspace <id>', 'the workspace; each has its own key', defaultWorkspaceId)
    .action(async (options: WorkspaceOption) => (await import('./policy/hmac.ts')).printHmac(options))
  policy
    .command('test')
    .description('Shows what a policy file would find in a text, and the masked text. Nothing is stored or sent.')
    .argument('<file>', 'a policy file')
    .argument('<text>', 'a text file, or - for standard input')
    .option('--json', 'findings and masked text as JSON')
    .action(async (file: string, textFile: string, options: { json?: boolean }) =>
      (await import('./policy/try-text.ts')).tryText(file, textFile, options)
    )
}

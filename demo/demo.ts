/**
 * `npm run demo`: the whole service on this machine, between the official SDKs and an upstream that echoes. Every
 * promise is checked as it is shown. `--exit` ends with status 0, or 1 if a promise was not kept; without it the
 * service keeps running for experiments.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { VERSION as messagesSdkVersion } from '@anthropic-ai/sdk/version'
import { VERSION as chatSdkVersion } from 'openai/version'
import { formatFaults, loadConfig } from '../src/config/config.ts'
import { startService, type RunningService } from '../src/service/start.ts'
import { defaultWorkspaceId } from '../src/protocol/workspace-id.ts'
import { lookUpCall, type RecordedCall } from './audit.ts'
import { readConversation } from './conversation.ts'
import { startEchoUpstream, type EchoUpstream, type ReceivedCall } from './echo-upstream.ts'
import { compare, judge, type Check } from './judge.ts'
import {
  printAnswer,
  printChecks,
  printComparison,
  printEvents,
  printHeading,
  printInvitation,
  printOpening
} from './narrate.ts'
import { createClients, type Clients } from './send.ts'
import { steps, type Step } from './steps.ts'
import { createTerminal, type Terminal } from './terminal.ts'
import { customerMail } from './values.ts'

const sdkNames = { 'chat-completions': `openai ${chatSdkVersion}`, messages: `@anthropic-ai/sdk ${messagesSdkVersion}` }

interface Stage {
  readonly terminal: Terminal
  readonly dataDir: string
  readonly upstream: EchoUpstream
  readonly upstreamKey: string
  readonly service: RunningService
  readonly token: string
  /** A token that may publish policies. */
  readonly policyToken: string
  readonly clients: Clients
}

async function startDemoService(dataDir: string, upstream: EchoUpstream, upstreamKey: string): Promise<RunningService> {
  const loaded = loadConfig(
    {
      HOST: '127.0.0.1',
      PORT: '0',
      SERVICE_DATA_DIR: dataDir,
      SERVICE_LOG_LEVEL: 'silent',
      SERVICE_DRAIN_TIMEOUT_MS: '1000',
      UPSTREAM_CHAT_API_BASE: `${upstream.url}/v1`,
      UPSTREAM_CHAT_API_KEY: upstreamKey,
      UPSTREAM_MESSAGES_API_BASE: upstream.url,
      UPSTREAM_MESSAGES_API_KEY: upstreamKey
    },
    { cwd: dataDir }
  )
  if (!loaded.ok) throw new Error(formatFaults(loaded.faults))
  return startService(loaded.config)
}

/** Runs one step and shows it. */
async function play(
  stage: Stage,
  step: Step,
  number: number
): Promise<{ checks: Check[]; recorded: RecordedCall[]; placeholders: ReadonlyMap<string, string> }> {
  const { terminal, upstream } = stage
  const before = upstream.received.length
  printHeading(terminal, step, number, sdkNames[step.api])
  if (step.publishes) await publish(stage, step.publishes)
  const outcome = await stage.clients.send(step)
  const calls = upstream.received.slice(before)
  const compared = compare(step, calls[0])
  const recorded = await lookUpCall(stage.service.url, stage.token, outcome.requestId)
  const checks = [...judge(step, outcome, calls, compared, stage), judgeRecord(step, recorded)]
  printComparison(terminal, compared, calls.length > 0)
  printAnswer(terminal, outcome)
  printChecks(terminal, checks)
  return { checks, recorded, placeholders: compared.placeholders }
}

/** Publishes a preset like an operator; it is in force with the next call. */
async function publish({ service, policyToken, terminal }: Stage, preset: string): Promise<void> {
  const url = `${service.url}/api/workspace/policy`
  const headers = { 'x-service-workspace-token': policyToken, 'content-type': 'application/json', 'if-match': '*' }
  const { mcpToolPolicy } = (await (await fetch(url, { headers })).json()) as { mcpToolPolicy: object }
  const body = JSON.stringify({ mcpToolPolicy, redactionProfile: { version: 1, preset }, note: 'the demo goes on' })
  const reply = await fetch(url, { method: 'PUT', headers, body })
  const { revision } = (await reply.json()) as { revision?: string }
  if (revision === undefined) throw new Error(`The policy was not published: ${reply.status}.`)
  terminal.print(`  ${terminal.paint('cyan', 'published')}  preset ${preset}, revision ${revision}`, '')
  while ((await untilEnforced(url, headers)) !== revision) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function untilEnforced(url: string, headers: Record<string, string>): Promise<string | undefined> {
  return ((await (await fetch(url, { headers })).json()) as { revision?: string }).revision
}

function judgeRecord(step: Step, recorded: readonly RecordedCall[]): Check {
  const { action, modelId } = recorded[0]?.detail ?? {}
  if (recorded.length !== 1) return { ok: false, says: `${recorded.length} events recorded instead of one` }
  if (action !== step.action) return { ok: false, says: `the event has action "${String(action)}"` }
  if (modelId !== step.body.model) return { ok: false, says: 'the event does not name the model' }
  return { ok: true, says: 'one event recorded' }
}

/** Whether a value had the same placeholder in all calls, on both routes. */
function judgePlaceholders(all: readonly ReadonlyMap<string, string>[]): Check {
  const values = new Set(all.flatMap((placeholders) => [...placeholders.keys()]))
  const ok =
    values.size > 0 &&
    [...values].every((value) => new Set(all.flatMap((placeholders) => placeholders.get(value) ?? [])).size === 1)
  const promise = 'a value has the same placeholder in every call, on both routes'
  return { ok, says: ok ? promise : 'a value had more than one placeholder' }
}

/** Searches everything that the service has written to disk for the values that passed through it. */
async function judgeDisk(dataDir: string, token: string): Promise<Check> {
  const secrets = [...new Set(steps.flatMap((step) => step.planted)), token]
  const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  let bytes = 0
  let found = 0
  for (const file of files) {
    const content = await readFile(join(file.parentPath, file.name))
    bytes += content.length
    found += secrets.filter((secret) => content.includes(secret)).length
  }
  const promise = `no value and no token in the ${files.length} files on disk (${Math.ceil(bytes / 1024)} KiB searched)`
  return { ok: found === 0 && bytes > 0, says: found === 0 ? promise : `${found} values stand in the files on disk` }
}

/** @returns whether every promise was kept */
async function playAll(stage: Stage): Promise<boolean> {
  const { terminal } = stage
  printOpening(terminal)
  const played = []
  for (const [i, step] of steps.entries()) played.push(await play(stage, step, i + 1))
  printEvents(
    terminal,
    played.flatMap((one) => one.recorded)
  )
  const closing = [
    judgePlaceholders(played.map((one) => one.placeholders)),
    await judgeDisk(stage.dataDir, stage.token)
  ]
  terminal.print('')
  printChecks(terminal, closing)
  const checks = [...played.flatMap((one) => one.checks), ...closing]
  const failed = checks.filter((check) => !check.ok).length
  const verdict =
    failed === 0
      ? terminal.paint('green', `All ${checks.length} checks passed.`)
      : terminal.paint('red', `${failed} of ${checks.length} checks failed.`)
  terminal.print('', `  ${verdict}`)
  return failed === 0
}

function showCall(terminal: Terminal, call: ReceivedCall): void {
  for (const turn of readConversation(call.body))
    terminal.print(`  ${terminal.paint('cyan', 'upstream received')}  ${turn.role}: ${turn.text}`)
}

/** Resolves on Ctrl-C or a stop signal. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
}

/** The command line's options; undefined, after printing the usage, if there are others. */
function readWords(): { readonly exit: boolean } | undefined {
  try {
    return parseArgs({ options: { exit: { type: 'boolean', default: false } } }).values
  } catch {
    process.stderr.write('The demonstration takes no words, or --exit to end by itself: npm run demo -- --exit\n')
    return undefined
  }
}

async function main(): Promise<number> {
  const values = readWords()
  if (values === undefined) return 2
  // All calls stay on this machine, whatever proxy the environment names.
  for (const name of ['http_proxy', 'https_proxy', 'all_proxy'])
    for (const each of [name, name.toUpperCase()]) delete process.env[each]
  const terminal = createTerminal(process.stdout, process.env)
  const stopped = untilStopped()
  let onCall = (_: ReceivedCall): void => {}
  await using cleanup = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-demo-'))
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }))
  const upstream = await startEchoUpstream({ frameDelayMs: 5, onCall: (call) => onCall(call) })
  cleanup.defer(() => upstream.close())
  const upstreamKey = `demo-upstream-${randomUUID()}`
  const service = await startDemoService(dataDir, upstream, upstreamKey)
  cleanup.defer(() => service.close())
  const { token } = await service.tokens.create({ workspaceId: defaultWorkspaceId, label: 'demo' }, 'demo')
  const operator = { workspaceId: defaultWorkspaceId, label: 'demo operator', scopes: ['policy:read', 'policy:write'] }
  const { token: policyToken } = await service.tokens.create(operator, 'demo')
  const clients = createClients(service.url, token)
  const kept = await Promise.race([
    playAll({ terminal, dataDir, upstream, upstreamKey, service, token, policyToken, clients }),
    stopped.then(() => undefined)
  ])
  if (!values.exit && kept !== undefined) {
    onCall = (call) => showCall(terminal, call)
    printInvitation(terminal, service.url, token, customerMail)
    await stopped
  }
  return kept === true ? 0 : 1
}

process.exitCode = await main()

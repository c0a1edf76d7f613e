/**
 * What the policy in force would do to each tool of the servers behind a proxy. Nothing is called, pinned or reported.
 */
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Dispatcher } from 'undici'
import { trafficDetectors } from '../../detection/detectors/traffic.ts'
import type { McpProxyConfig } from '../../config/mcp-proxy.ts'
import type { McpServer } from '../../config/mcp-servers.ts'
import type { Environment } from '../../config/reader.ts'
import { createPolicySubscriber, type PolicySubscriber, type SubscriberStatus } from '../../policy-stream/subscriber.ts'
import { resultWithin, within } from '../../timing/within.ts'
import { createUpstreamDispatcher } from '../../upstream/client.ts'
import { placeholderDigest } from '../placeholder-digest.ts'
import { compileGatePolicy, type GatePolicy } from './gate/gate-policy.ts'
import { filtersLists } from './gate/list-news.ts'
import { PinStore } from './gate/pin-store.ts'
import { isLasting, whyNoPolicy } from './gate/policy-problems.ts'
import { ServerState } from './gate/server-state.ts'
import { prospectOf, type ToolProspect } from './gate/tool-list.ts'
import { listTools, ListingError } from './list-tools.ts'
import { identityOf, openerOf } from './servers/open-server.ts'

interface DryRunServer {
  /** Name in `mcp.json`, host or program. */
  readonly label: string
  /** Id in the policy, or `unknown`. */
  readonly id: string
  readonly tools: readonly (ToolProspect & { readonly isListed: boolean })[]
  /** Why its tools could not be listed. */
  readonly problem?: string
}

interface DryRun {
  readonly revision: string
  readonly mode: 'enforce' | 'observe'
  /** Why this is the last policy known here, and perhaps no longer the one in force; undefined if the service sent it. */
  readonly policyProblem?: string
  readonly servers: readonly DryRunServer[]
}

/** There is no policy to try. The message is a full sentence. */
export class NoPolicyError extends Error {
  override readonly name = 'NoPolicyError'
}

const policyWaitMs = 10_000

/** @throws NoPolicyError */
export async function dryRun(
  config: McpProxyConfig,
  { log, env }: { readonly log: Logger; readonly env: Environment }
): Promise<DryRun> {
  await using undo = new AsyncDisposableStack()
  const dispatcher = createUpstreamDispatcher(config)
  undo.defer(() => dispatcher.destroy())
  const heard = Promise.withResolvers<void>()
  const hopeless = Promise.withResolvers<undefined>()
  const onState = ({ state, problem }: SubscriberStatus): void => {
    if (state === 'fresh' || problem !== undefined) heard.resolve()
    if (isLasting(problem)) hopeless.resolve(undefined)
  }
  const subscriber = undo.use(follow(config, dispatcher, onState))
  // A policy kept on disk is there before the service has answered, and may be older.
  await within(policyWaitMs, heard.promise)
  const policy = await firstPolicy(subscriber, hopeless.promise)
  const isLastKnown = subscriber.status.state !== 'fresh'
  const servers: DryRunServer[] = []
  for (const server of config.servers)
    servers.push(await tryServer(server, policy, config, { dispatcher, log, env, subscriber }))
  return {
    revision: policy.revision,
    mode: policy.document.mode,
    ...(isLastKnown ? { policyProblem: whyNoPolicy(subscriber.status) } : {}),
    servers
  }
}

function follow(
  { target, token, dataDir }: McpProxyConfig,
  dispatcher: Dispatcher,
  onState: (status: SubscriberStatus) => void
): PolicySubscriber<GatePolicy> {
  // No text is scanned here, so there is nothing to find by its value.
  const compiling = { digest: placeholderDigest(token.reveal()), detectors: trafficDetectors }
  return createPolicySubscriber({
    target,
    token: token.reveal(),
    dispatcher,
    file: join(dataDir, 'policy'),
    validate: (frame) => compileGatePolicy(frame, compiling),
    onState
  })
}

async function firstPolicy(
  subscriber: PolicySubscriber<GatePolicy>,
  hopeless: Promise<undefined>
): Promise<GatePolicy> {
  const noPolicy = (): NoPolicyError =>
    new NoPolicyError(`There is no policy to try: ${whyNoPolicy(subscriber.status)}.`)
  const first = await resultWithin(policyWaitMs, Promise.race([subscriber.ready(), hopeless]), noPolicy)
  if (first === undefined) throw noPolicy()
  return (subscriber.policy ?? first).compiled
}

async function tryServer(
  server: McpServer,
  policy: GatePolicy,
  config: McpProxyConfig,
  parts: {
    readonly dispatcher: Dispatcher
    readonly log: Logger
    readonly env: Environment
    readonly subscriber: PolicySubscriber<GatePolicy>
  }
): Promise<DryRunServer> {
  const { dispatcher, log, env, subscriber } = parts
  const token = config.token.reveal()
  const onWarning = (code: string): void => log.warn({ code }, 'pins of tools')
  const state = new ServerState(
    identityOf(server),
    (key) => new PinStore(key, { dir: join(config.dataDir, 'pins'), token, onWarning })
  )
  const about = { label: state.label, id: policy.tools.serverId(state.identity) }
  const age = (): { isFresh: boolean; ageMs: number } => {
    const { state: freshness, ageMs = 0 } = subscriber.status
    return { isFresh: freshness === 'fresh', ageMs }
  }
  try {
    const pages = await listTools(openerOf(server, { config, dispatcher, env, log }))
    await state.pins.load()
    for (const { definitions, cursor, next } of pages) state.takePage(definitions, cursor, next)
    const tools = [...state.names()].map((name) => {
      const prospect = prospectOf(policy, state, name, { age, wallMs: Date.now, surface: config.surface })
      return { ...prospect, isListed: !(filtersLists(policy) && prospect.mildest === 'deny') }
    })
    return { ...about, tools }
  } catch (error) {
    if (!(error instanceof ListingError)) throw error
    return { ...about, tools: [], problem: error.message }
  }
}

/** The result as a table for people. */
export function dryRunTable({ revision, mode, policyProblem, servers }: DryRun): string {
  const known = policyProblem === undefined ? '' : `, the last one known here: ${policyProblem}`
  const observed = mode === 'observe' ? ' (observe: every call passes, and what is said here is only reported)' : ''
  return [`Policy ${revision}${known}${observed}`, ...servers.flatMap((server) => ['', ...serverLines(server)])].join(
    '\n'
  )
}

const notes: Readonly<Record<string, string>> = {
  definition_changed: 'its definition changed',
  definition_unknown: 'its definition is not known',
  tool_added: 'came after the first list'
}

function serverLines({ label, id, tools, problem }: DryRunServer): string[] {
  const head = `${printable(label)}: ${id === 'unknown' ? 'not listed in the policy' : `server "${id}"`}`
  if (problem !== undefined) return [`${head}. ${problem}`]
  const rows = tools.map(({ name, mildest, strictest, ruleId, standing, isListed }) => [
    printable(name),
    mildest === strictest ? mildest : `${mildest} or ${strictest}, by arguments`,
    isListed ? 'shown' : 'hidden',
    [ruleId === undefined ? '' : `rule ${ruleId}`, notes[standing ?? ''] ?? ''].filter((text) => text !== '').join('; ')
  ])
  const table = [['tool', 'a call leads to', 'in the list', 'because of'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => (row[column] as string).length)))
  return [head, ...table.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd())]
}

const nameUnitsMax = 64

/** A server chooses the names of its tools, and a terminal obeys control characters. */
function printable(text: string): string {
  const plain = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
  return plain.length > nameUnitsMax ? `${plain.slice(0, nameUnitsMax - 1).toWellFormed()}…` : plain
}

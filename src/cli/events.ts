/** `sluice events`: follows events as they are recorded. */
import type { Command } from 'commander'
import { jsonLine } from '../protocol/json-line.ts'
import { createArrivals } from '../service/readings/arrivals.ts'
import { eventBody, matches, type EventFilter } from '../service/routes/event-query.ts'
import { readTime } from '../service/routes/read-query.ts'
import { defaultWorkspaceId } from '../protocol/workspace-id.ts'
import { allRows } from '../store/all-rows.ts'
import { eventFacets, rowsMax, type Store, type StoredEvent } from '../store/store.ts'
import { printable } from './scan/excerpt.ts'
import { isRead } from './process-end.ts'
import { UsageError } from './usage-error.ts'
import { withWorkspace } from './with-store.ts'
import { isoTime } from '../timing/iso-time.ts'

interface TailOptions {
  readonly workspace: string
  readonly since?: string
  readonly kind?: string
  readonly where?: readonly string[]
  readonly follow: boolean
  readonly jsonl?: boolean
}

export function registerEvents(program: Command): void {
  const events = program.command('events').description('Shows the events of a workspace.')
  events
    .command('tail')
    .description('Prints events as they are recorded, until interrupted.')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .option('--since <when>', 'starts with the events since then: a span before now (15m, 24h) or a time')
    .option('--kind <kind>', 'only events of this kind')
    .option('--where <field=value...>', `only events with this value; fields: ${eventFacets.join(', ')}`)
    .option('--no-follow', 'ends after the existing events')
    .option('--jsonl', 'one JSON object per line')
    .action(tail)
}

function readFacets(wheres: readonly string[] = []): EventFilter['facets'] {
  return Object.fromEntries(
    wheres.map((where) => {
      const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(where) ?? []
      if (!eventFacets.some((facet) => facet === name))
        throw new UsageError(`--where takes field=value with one of the fields ${eventFacets.join(', ')}`)
      return [name, value]
    })
  )
}

async function tail(options: TailOptions): Promise<void> {
  const now = Date.now()
  const from = options.since === undefined ? undefined : readTime(options.since, now)
  if (options.since !== undefined && from === undefined)
    throw new UsageError('--since takes a span such as 15m, 24h, 7d, or a time with its zone')
  const filter: EventFilter = { kind: options.kind, facets: readFacets(options.where) }
  const print = (event: StoredEvent): void => {
    process.stdout.write(`${options.jsonl ? jsonLine(eventBody(event)) : described(event)}\n`)
  }
  await withWorkspace(options.workspace, async ({ store }) => {
    const query = { workspaceId: options.workspace, ...filter, order: 'oldest' as const, limit: rowsMax }
    let last = await store.lastEventSequence(options.workspace)
    if (from !== undefined || !options.follow) {
      for await (const event of allRows(store.findEvents, { ...query, from })) {
        if (!isRead()) return
        print(event)
        last = Math.max(last, event.sequence)
      }
    }
    if (options.follow) await follow(store, options.workspace, last, (event) => matches(event, filter) && print(event))
  })
}

/** Runs until the process is told to end. */
async function follow(
  store: Store,
  workspaceId: string,
  start: number,
  show: (event: StoredEvent) => unknown
): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const arrivals = createArrivals(store)
  for (let sequence = start; !stop.signal.aborted && isRead();) {
    await arrivals.after(workspaceId, sequence, 500)
    const events = await store.eventsAfter({ workspaceId, sequence, limit: rowsMax })
    for (const event of events) show(event)
    sequence = events.at(-1)?.sequence ?? sequence
  }
}

/**
 * A value without its quotes if it cannot be mistaken for another field: clients choose the names of models and tools,
 * and a terminal obeys more control characters than JSON escapes.
 */
function shown(value: unknown): string {
  const text = printable(JSON.stringify(value))
  return /^"[\w.:/@+-]+"$/.test(text) ? text.slice(1, -1) : text
}

/** One line for people: time, kind, outcome, sender. */
function described({ receivedAt, kind, requestId, sensorMetadata: metadata }: StoredEvent): string {
  const said = ['action', 'riskTier', 'entitiesMasked', 'clientSurface', 'modelId', 'mcpToolName', 'outcome'] as const
  const fields = said.flatMap((name) => (metadata[name] === undefined ? [] : [`${name}=${shown(metadata[name])}`]))
  return [isoTime(receivedAt), kind, ...fields, ...(requestId ? [`requestId=${requestId}`] : [])].join('  ')
}

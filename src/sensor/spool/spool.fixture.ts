/** Spools in folders of their own, and events for them. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSpool, type Rank, type Spool, type SpooledEvent, type SpoolOptions } from './spool.ts'

export interface Folder extends AsyncDisposable {
  readonly path: string
}

export async function newFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-spool-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** An event of about 300 bytes. */
export function eventOf(action: Rank | undefined, ruleId = ''): SpooledEvent {
  const event = { kind: 'tool_call_enforcement', eventId: randomUUID(), occurredAt: new Date(0).toISOString() }
  return { ...event, ruleId, mcpToolName: 'x'.repeat(100), ...(action && { action }) }
}

/** Reports events one after the other to a spool, and closes it. */
export async function fill(options: SpoolOptions, count: number, action: Rank = 'mask'): Promise<string[]> {
  const spool = openSpool(options)
  const events = Array.from({ length: count }, () => eventOf(action))
  for (const event of events) assert.equal(await spool.append(event), 'disk')
  await spool.close()
  return events.map(({ eventId = '' }) => eventId)
}

export interface Sent {
  readonly kind: string
  readonly eventId: string
  readonly action?: string
  readonly ruleId?: string
  readonly dropped?: number
}

/** Takes everything that waits, batch by batch, like a service that accepts all of it. */
export async function drain(spool: Spool, eventsMax = 10): Promise<Sent[]> {
  const sent: Sent[] = []
  for (;;) {
    const batch = await spool.next({ eventsMax, bytesMax: 100_000 })
    if (batch === undefined) return sent
    sent.push(...batch.events.map((json) => JSON.parse(json) as Sent))
    await spool.acknowledge(batch)
  }
}

/** The ids of reporters' events, and the losses that the other events report. */
export function account(sent: readonly Sent[]): { readonly ids: Set<string>; readonly dropped: number } {
  const ids = sent.filter(({ kind }) => kind !== 'events_dropped').map(({ eventId }) => eventId)
  return { ids: new Set(ids), dropped: sent.reduce((sum, { dropped = 0 }) => sum + dropped, 0) }
}

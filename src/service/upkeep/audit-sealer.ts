/**
 * Seals the audit trail: every minute the state of every workspace's hash chains is signed as a root, and writers that
 * ended without notice are closed. Several instances may do so at once; each root is written by one of them.
 */
import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import { rowsMax, StoreError, type Store } from '../../store/store.ts'
import { errorName } from '../../telemetry/error-frames.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { within } from '../../timing/within.ts'
import { behindMs } from './seal-lag.ts'
import { nothingFound, withFinding, WorkspaceSealer } from './seal-workspace.ts'
import { isoTime } from '../../timing/iso-time.ts'

/** Time between two rounds, and two heartbeats. */
export const everyMs = 60_000
/** A writer without a heartbeat for three rounds is dead. */
export const lostAfterMs = 3 * everyMs
/** A store that does not answer must not delay the shutdown. */
const closeTimeoutMs = 5_000

export interface AuditSealer {
  /** Whether the last round succeeded; true before the first. */
  readonly isWell: boolean
  /** Starts the timer; the first round begins at once. */
  start(): void
  /** Seals every workspace that has something new. Never rejects; a failure is logged and counted. */
  seal(): Promise<void>
  /** Stops the timer and, if it was started, seals once more. */
  close(): Promise<void>
}

export interface AuditSealerOptions {
  readonly store: Store
  readonly masterKey: KeyObject
  /** How many days audit rows are kept. */
  readonly auditDays: number
  readonly log: Logger
  readonly metrics?: Metrics | undefined
}

/** Creates the sealer of a process. */
export function createAuditSealer({ store, masterKey, auditDays, log, metrics }: AuditSealerOptions): AuditSealer {
  const workspaces = new WorkspaceSealer({ store, masterKey, auditDays, log, metrics })
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStarted = false
  let isWell = true
  let isClosed = false
  let lastGoodAt = Date.now()
  /** Findings of the current or last round. */
  let found = nothingFound

  async function round(): Promise<void> {
    const now = Date.now()
    found = nothingFound
    for (const lost of await store.heartbeat({ now, lostBefore: now - lostAfterMs })) {
      log.warn({ ...lost, lastAt: isoTime(lost.lastAt) }, 'an audit writer ended without closing its chain')
      metrics?.add('writersLost', 1)
    }
    // A failure for one workspace must not leave the others unsealed.
    const failures: unknown[] = []
    for (let after: string | undefined; ;) {
      const page = await store.listWorkspaces({ limit: rowsMax, after })
      for (const { id } of page) {
        await workspaces
          .seal(id, (one) => (found = withFinding(found, one)))
          .catch((error: unknown) => failures.push(error))
      }
      after = page.at(-1)?.id
      if (after === undefined) break
    }
    metrics?.set('unsealed', found.unsealedMs / 1000)
    metrics?.set('rootsMissing', found.rootsMissing)
    if (failures.length > 0) throw failures[0]
    lastGoodAt = Date.now()
    metrics?.set('sealed', lastGoodAt / 1000)
    isWell = true
  }

  function run(): Promise<void> {
    running ??= round()
      .catch((error: unknown) => {
        isWell = false
        metrics?.add('sealFailures', 1)
        const code = error instanceof StoreError ? error.code : errorName(error)
        log.error({ code }, 'the audit could not be sealed; the next round tries again')
        const agoMs = Date.now() - lastGoodAt
        if (agoMs < behindMs) return
        metrics?.set('unsealed', Math.max(agoMs, found.unsealedMs) / 1000)
        log.error({ lastSealedAt: isoTime(lastGoodAt) }, 'sealing is behind: no round has succeeded for over an hour')
      })
      .finally(() => {
        running = undefined
      })
    return running
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(() => void run().then(() => isClosed || schedule(everyMs)), delayMs).unref()
  }

  return {
    get isWell() {
      return isWell
    },
    start: () => {
      isStarted = true
      schedule(0)
    },
    seal: async () => {
      await running
      await run()
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      const last = Promise.resolve(running).then(() => (isStarted ? run() : undefined))
      await within(closeTimeoutMs, last)
    }
  }
}

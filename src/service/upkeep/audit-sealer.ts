/**
 * Seals the audit trail: every minute the state of every workspace's hash chains is signed as a root, and writers that
 * ended without notice are closed. Several instances may do so at once; each root is written by one of them.
 */
import { rowsMax, StoreError } from '../../store/store.ts'
import { errorName } from '../../telemetry/error-frames.ts'
import { within } from '../../timing/within.ts'
import { Rounds } from './rounds.ts'
import { behindMs } from './seal-lag.ts'
import { nothingFound, withFinding, WorkspaceSealer, type SealerOptions } from './seal-workspace.ts'
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

/** Creates the sealer of a process. */
export const createAuditSealer = (options: SealerOptions): AuditSealer => new TimedSealer(options)

class TimedSealer implements AuditSealer {
  readonly #options: SealerOptions
  readonly #workspaces: WorkspaceSealer
  readonly #rounds = new Rounds(
    () => this.#round(),
    () => everyMs
  )
  #isWell = true
  #lastGoodAt = Date.now()
  /** Findings of the current or last round. */
  #found = nothingFound

  constructor(options: SealerOptions) {
    this.#options = options
    this.#workspaces = new WorkspaceSealer(options)
  }

  get isWell(): boolean {
    return this.#isWell
  }

  start(): void {
    this.#rounds.start()
  }

  seal(): Promise<void> {
    return this.#rounds.runAnew()
  }

  async close(): Promise<void> {
    const rounds = this.#rounds
    const last = rounds.stop().then(() => (rounds.isStarted ? rounds.run() : undefined))
    await within(closeTimeoutMs, last)
  }

  async #round(): Promise<void> {
    try {
      await this.#sealAll()
      this.#noteSuccess()
    } catch (error) {
      this.#noteFailure(error)
    }
  }

  async #sealAll(): Promise<void> {
    const { store, metrics } = this.#options
    this.#found = nothingFound
    await this.#noteLostWriters()
    // A failure for one workspace must not leave the others unsealed.
    const failures: unknown[] = []
    for (let after: string | undefined; ;) {
      const page = await store.listWorkspaces({ limit: rowsMax, after })
      for (const { id } of page) {
        await this.#workspaces
          .seal(id, (one) => (this.#found = withFinding(this.#found, one)))
          .catch((error: unknown) => failures.push(error))
      }
      after = page.at(-1)?.id
      if (after === undefined) break
    }
    metrics?.set('unsealed', this.#found.unsealedMs / 1000)
    metrics?.set('rootsMissing', this.#found.rootsMissing)
    if (failures.length > 0) throw failures[0]
  }

  async #noteLostWriters(): Promise<void> {
    const { store, log, metrics } = this.#options
    const now = Date.now()
    for (const lost of await store.heartbeat({ now, lostBefore: now - lostAfterMs })) {
      log.warn({ ...lost, lastAt: isoTime(lost.lastAt) }, 'an audit writer ended without closing its chain')
      metrics?.add('writersLost', 1)
    }
  }

  #noteSuccess(): void {
    this.#lastGoodAt = Date.now()
    this.#options.metrics?.set('sealed', this.#lastGoodAt / 1000)
    this.#isWell = true
  }

  #noteFailure(error: unknown): void {
    const { log, metrics } = this.#options
    this.#isWell = false
    metrics?.add('sealFailures', 1)
    const code = error instanceof StoreError ? error.code : errorName(error)
    log.error({ code }, 'the audit could not be sealed; the next round tries again')
    const agoMs = Date.now() - this.#lastGoodAt
    if (agoMs < behindMs) return
    metrics?.set('unsealed', Math.max(agoMs, this.#found.unsealedMs) / 1000)
    const lastSealedAt = isoTime(this.#lastGoodAt)
    log.error({ lastSealedAt }, 'sealing is behind: no round has succeeded for over an hour')
  }
}

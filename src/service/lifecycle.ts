/** What is under way, so that a stop can wait for it. */
import type { onRequestHookHandler } from 'fastify'
import { Refused } from '../ingress/refusal/refused.ts'

export interface Lifecycle {
  readonly isDraining: boolean
  readonly inFlight: number
  /** Counts work until it settles. */
  track<T>(work: Promise<T>): Promise<T>
  /** From now on new work is refused. Resolves when none is left, or after `timeoutMs` with what is. */
  drain(timeoutMs: number): Promise<{ readonly left: number }>
}

export function createLifecycle(): Lifecycle {
  const underWay = new Set<Promise<unknown>>()
  let isDraining = false
  return {
    get isDraining() {
      return isDraining
    },
    get inFlight() {
      return underWay.size
    },
    async track(work) {
      underWay.add(work)
      try {
        return await work
      } finally {
        underWay.delete(work)
      }
    },
    async drain(timeoutMs) {
      isDraining = true
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs)
      })
      await Promise.race([Promise.allSettled(underWay), timeout])
      clearTimeout(timer)
      return { left: underWay.size }
    }
  }
}

/**
 * The hook of a route whose work a stop must not cut: counts each request until its answer is handed over to the
 * network, and refuses it with 503 `draining` once the stop began.
 */
export function admission(lifecycle: Lifecycle): onRequestHookHandler {
  return (_request, reply, done) => {
    if (lifecycle.isDraining) {
      done(new Refused('draining'))
      return
    }
    void lifecycle.track(new Promise((resolve) => reply.raw.once('close', resolve)))
    done()
  }
}

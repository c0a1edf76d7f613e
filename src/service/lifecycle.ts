/** Tracks work in progress, so that a shutdown can wait for it. */
import type { onRequestHookHandler } from 'fastify'
import { Refused } from '../ingress/refusal/refused.ts'
import { within } from '../timing/within.ts'

export interface Lifecycle {
  readonly isDraining: boolean
  readonly inFlight: number
  /** Counts work until it settles. */
  track<T>(work: Promise<T>): Promise<T>
  /** Refuses new work from now on. Resolves when none is left, or after `timeoutMs` with the number of what is. */
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
      await within(timeoutMs, Promise.allSettled(underWay))
      return { left: underWay.size }
    }
  }
}

/**
 * The hook of a route whose work a shutdown must not cut: counts each request until its answer was handed to the
 * network, and refuses it with 503 `draining` once the shutdown has begun.
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

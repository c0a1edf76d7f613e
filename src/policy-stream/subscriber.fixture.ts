/** Subscribers with short timings, and a record of everything they report. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '../../test/support/eventually.ts'
import type { PolicyFrame } from './frame.ts'
import {
  createPolicySubscriber,
  type PolicyAcknowledgement,
  type PolicySubscriber,
  type SubscriberOptions,
  type SubscriberStatus,
  type SubscriberWarning
} from './subscriber.ts'

/** Short if waiting is part of the test, and longer than any machine is busy if running into it is a failure. */
const quick = {
  backoffMinMs: 10,
  backoffMaxMs: 40,
  firstByteMs: 15_000,
  watchdogMs: 30_000,
  pollMs: 20,
  pollTimeoutMs: 15_000,
  refusedRetryMs: 20
} as const

export interface Watched extends AsyncDisposable {
  readonly subscriber: PolicySubscriber<string>
  readonly states: SubscriberStatus[]
  readonly reports: PolicyAcknowledgement[]
  readonly warnings: SubscriberWarning[]
  /** Waits until this sequence is in force. */
  untilSequence(sequence: number): Promise<void>
  /** Waits until the status has, or had at some time before, these values. */
  untilStatus(wanted: Partial<SubscriberStatus>): Promise<void>
}

/** Starts a subscriber whose compiled form is the text of the profile's version. */
export function watch(target: string, options: Partial<SubscriberOptions<string>> = {}): Watched {
  const states: SubscriberStatus[] = []
  const reports: PolicyAcknowledgement[] = []
  const warnings: SubscriberWarning[] = []
  const subscriber = createPolicySubscriber<string>({
    target,
    token: 'svw_' + 'a',
    validate: (frame: PolicyFrame) => `version ${JSON.stringify(frame.redactionProfile['version'])}`,
    onState: (status) => states.push(status),
    report: (event) => reports.push(event),
    onWarning: (code) => warnings.push(code),
    ...options,
    timings: { ...quick, ...options.timings }
  })
  return {
    subscriber,
    states,
    reports,
    warnings,
    async untilSequence(sequence) {
      await eventually(
        `sequence ${sequence}`,
        () => subscriber.policy?.frame.revision.startsWith(`${sequence}-`) || undefined
      )
    },
    async untilStatus(wanted) {
      const fits = (status: SubscriberStatus): boolean =>
        Object.entries(wanted).every(([name, value]) => status[name as keyof SubscriberStatus] === value)
      await eventually(JSON.stringify(wanted), () => [...states, subscriber.status].some(fits) || undefined)
    },
    [Symbol.asyncDispose]: () => subscriber.close()
  }
}

/** A server that answers as the test says. */
export async function serve(listener: RequestListener): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

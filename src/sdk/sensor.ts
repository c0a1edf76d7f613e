/** A custom sensor: reports events, follows the policy, decides and masks. */
import { join } from 'node:path'
import type { Dispatcher } from 'undici'
import type { SubscriberStatus, SubscriberTimings, SubscriberWarning } from '../policy-stream/subscriber.ts'
import { plainScanner } from '../policy/redaction/profile-scanner.ts'
import { createScrubber } from '../policy/redaction/scrub.ts'
import type { SensorEvent } from '../protocol/events/event-schema.ts'
import { factsOf, Heartbeat, type HeartbeatTimings } from '../sensor/heartbeat.ts'
import {
  closeTimeoutMs,
  createReporter,
  type EventInput,
  type Report,
  type Reporter,
  type ReporterStats
} from '../sensor/spool/reporter.ts'
import type { DeliveryProblem, DeliveryTimings } from '../sensor/spool/reporter.ts'
import type { DiskProblem } from '../sensor/spool/spool.ts'
import { within } from '../timing/within.ts'
import { foreignSecrets } from '../config/foreign-secrets.ts'
import { Secret } from '../config/secret.ts'
import { createAgent } from '../config/agent.ts'
import { sensorDetectors } from '../sensor/sensor-detectors.ts'
import { checkOptions } from './check-options.ts'
import { downstreamServerOf, sensorIdOf, vocabulariesOf, type Environment } from './environment.ts'
import { SensorPolicy } from './sensor-policy.ts'

export interface SensorOptions {
  /** The service's URL, with or without `/api/ingress` or `/api/ingress/v1`. */
  readonly target: string
  /** Workspace token with the scopes `events:write` and `policy:read`, which new tokens have. */
  readonly token: string
  /**
   * A folder for this sensor only. Events wait in it while the service is unreachable, and the last policy is kept
   * across restarts. Without it, both are in memory and end with the process.
   */
  readonly dir?: string
  /**
   * What every event says about this sensor: `platform` (default `sdk`), `sensorId` (default `SERVICE_SENSOR_ID`, or
   * the host name; several sensors on one host need different ids), `sensorVersion`, `clientSurface`, ...
   */
  readonly stamp?: Partial<SensorEvent>
  /** Most bytes of events on disk. Default: 64 MiB. */
  readonly spoolBytesMax?: number
  /** Age at which an event is dropped unsent. Default: 72 hours. */
  readonly spoolAgeMaxMs?: number
  /** Most bytes of events in memory. Default: 8 MiB. */
  readonly memoryBytesMax?: number
  readonly onPolicyState?: (status: SubscriberStatus) => void
  readonly onDeliveryProblem?: (problem: DeliveryProblem | undefined) => void
  readonly onDiskProblem?: (problem: DiskProblem | undefined) => void
  readonly onWarning?: (code: SubscriberWarning) => void
  /** Connections to use. Default: as `HTTP(S)_PROXY` says. */
  readonly dispatcher?: Dispatcher
  /** Environment variables. Default: those of the process. */
  readonly env?: Environment
  readonly timings?: {
    readonly delivery?: Partial<DeliveryTimings>
    readonly policy?: Partial<SubscriberTimings>
    readonly heartbeat?: Partial<HeartbeatTimings>
    readonly diskRetryMs?: number
  }
  /** The time of day in milliseconds since 1970. */
  readonly wallMs?: () => number
}

export interface SensorStats extends ReporterStats {
  readonly policy: SubscriberStatus
}

export interface Sensor extends AsyncDisposable {
  readonly policy: Omit<SensorPolicy, 'close' | 'retryNow'>
  /** Queues an event. Never throws, never waits. If it rejects the event, the result says why. */
  report(event: EventInput): Report
  stats(): SensorStats
  /** Closes within two seconds: sends what can be sent, and leaves the rest on disk for the next start. */
  close(): Promise<void>
}

/**
 * Starts a sensor. Returns at once, and keeps the process alive until it is closed.
 * @throws TypeError for a wrong option: the target, the token, the folder, a limit, a field of the stamp, the address of a
 *   proxy in the environment
 */
export function createSensor(options: SensorOptions): Sensor {
  return new RunningSensor(options)
}

/** The fields of every event that say where it comes from. */
function stampOf(
  options: SensorOptions,
  env: NonNullable<SensorOptions['env']>,
  vocabularies: ReturnType<typeof vocabulariesOf>
) {
  const downstreamServer = downstreamServerOf(env, vocabularies)
  return { platform: 'sdk', downstreamServer, sensorId: sensorIdOf(env), ...options.stamp }
}

/** Where events wait that could not be sent yet, and how many. */
function spoolOf({ dir, spoolBytesMax, spoolAgeMaxMs, memoryBytesMax, timings }: SensorOptions) {
  return {
    dir: dir === undefined ? undefined : join(dir, 'events'),
    ...(spoolBytesMax !== undefined && { bytesMax: spoolBytesMax }),
    ...(spoolAgeMaxMs !== undefined && { ageMaxMs: spoolAgeMaxMs }),
    ...(memoryBytesMax !== undefined && { memoryBytesMax }),
    ...(timings?.diskRetryMs !== undefined && { diskRetryMs: timings.diskRetryMs })
  }
}

class RunningSensor implements Sensor {
  readonly policy: SensorPolicy
  readonly #reporter: Reporter
  readonly #heartbeat: Heartbeat
  readonly #ownDispatcher: Dispatcher | undefined
  #closing: Promise<void> | undefined

  constructor(options: SensorOptions) {
    const { target, token, dir, env = process.env, timings = {}, wallMs = Date.now } = options
    checkOptions(options, env)
    const detectors = sensorDetectors([new Secret(token), ...foreignSecrets(env)])
    const vocabularies = vocabulariesOf(env)
    const dispatcher = options.dispatcher ?? (this.#ownDispatcher = createAgent(env))
    // It calls back only after this constructor has ended, when the reporter below exists.
    this.policy = new SensorPolicy({
      target,
      token,
      file: dir === undefined ? undefined : join(dir, 'policy'),
      dispatcher,
      wallMs,
      detectors,
      surface: options.stamp?.clientSurface,
      ...(timings.policy && { timings: timings.policy }),
      ...(options.onWarning && { onWarning: options.onWarning }),
      report: (event) => void this.#reporter.report(event),
      onState: (status) => {
        if (status.state === 'fresh') this.#reporter.retryNow()
        this.#heartbeat.soon()
        options.onPolicyState?.(status)
      }
    })
    const stamp = stampOf(options, env, vocabularies)
    try {
      this.#reporter = createReporter({
        target,
        token,
        dispatcher,
        wallMs,
        rules: { vocabularies, scrub: createScrubber(plainScanner(detectors)) },
        stamp,
        spool: spoolOf(options),
        ...(timings.delivery && { timings: timings.delivery }),
        onDiskProblem: (problem) => {
          this.#heartbeat?.soon()
          options.onDiskProblem?.(problem)
        },
        onDeliveryProblem: (problem) => {
          if (problem === undefined) this.policy.retryNow()
          options.onDeliveryProblem?.(problem)
        }
      })
      this.#heartbeat = new Heartbeat({
        target,
        token,
        dispatcher,
        stamp,
        wallMs,
        facts: () => factsOf(this.policy.state, this.#reporter.stats),
        ...(timings.heartbeat && { timings: timings.heartbeat })
      })
    } catch (error) {
      this.policy.close().catch(() => undefined)
      this.#ownDispatcher?.destroy().catch(() => undefined)
      throw error
    }
  }

  report(event: EventInput): Report {
    return this.#reporter.report(event)
  }

  stats(): SensorStats {
    return { ...this.#reporter.stats, policy: this.policy.state }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    // In parallel: the subscriber's last file and the reporter's last request are independent.
    await within(closeTimeoutMs, Promise.all([this.#heartbeat.close(), this.#reporter.close(), this.policy.close()]))
    await this.#ownDispatcher?.destroy()
  }
}

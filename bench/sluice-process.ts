/**
 * Sluice as the benchmark runs it, in a process of its own: the real service with its store in the given folder, one
 * token, and a monitor of its event loop.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pino } from 'pino'
import { formatFaults, loadConfig } from '../src/config/config.ts'
import { startService } from '../src/service/start.ts'
import { defaultWorkspaceId } from '../src/protocol/workspace-id.ts'
import { loadTelemetry } from '../src/telemetry/otel/load.ts'
import { serveParent } from './serve-parent.ts'

const [dataDir = '', upstreamPort = ''] = process.argv.slice(2)

const loaded = loadConfig(
  {
    HOST: '127.0.0.1',
    PORT: '0',
    SERVICE_DATA_DIR: dataDir,
    SERVICE_LOG_LEVEL: 'error',
    // The generator repeats a few bodies; only the benchmark of conversations may gain from text that was seen before.
    SERVICE_INGRESS_CLEAN_SECTIONS_MAX: process.env['SERVICE_INGRESS_CLEAN_SECTIONS_MAX'] ?? '0',
    SERVICE_DRAIN_TIMEOUT_MS: '1000',
    UPSTREAM_CHAT_API_BASE: `http://127.0.0.1:${upstreamPort}/v1`,
    UPSTREAM_CHAT_API_KEY: 'bench-upstream-key',
    UPSTREAM_MESSAGES_API_BASE: `http://127.0.0.1:${upstreamPort}`,
    UPSTREAM_MESSAGES_API_KEY: 'bench-upstream-key'
  },
  { cwd: dataDir }
)
if (!loaded.ok) throw new Error(formatFaults(loaded.faults))
const log = pino({ level: loaded.config.logLevel })
const { vocabularies } = loaded.config
const telemetry = await loadTelemetry(process.env, { serviceName: 'sluice', vocabularies, log })
const service = await startService(loaded.config, { telemetry })
// As the command does a second after its start.
service.holdCalls()
const { token } = await service.tokens.create({ workspaceId: defaultWorkspaceId, label: 'bench' }, 'bench')

/** A timer of 1 ms samples the loop; its own period is subtracted from the delays. */
const resolutionMs = 1
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
const beyondTimerMs = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs)

serveParent(
  { port: service.port, token },
  {
    watchLoop() {
      delay.reset()
      delay.enable()
    },
    /** The delays since `watchLoop`, and the current memory. */
    readLoop() {
      delay.disable()
      const { count } = delay
      const [p50Ms, p99Ms, maxMs] = [delay.percentile(50), delay.percentile(99), delay.max].map(beyondTimerMs)
      return { count, p50Ms, p99Ms, maxMs, rssBytes: process.memoryUsage.rss() }
    }
  },
  async () => {
    await service.close()
    await telemetry?.close()
  }
)

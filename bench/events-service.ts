/** Sluice as the events benchmark runs it: in a process of its own, on the engine that its environment names. */
import { formatFaults, loadConfig } from '../src/config/config.ts'
import { startService } from '../src/service/start.ts'
import { defaultWorkspaceId } from '../src/protocol/workspace-id.ts'
import { serveParent } from './serve-parent.ts'

const [dataDir = '', upstreamPort = ''] = process.argv.slice(2)
const upstream = `http://127.0.0.1:${upstreamPort}`

const loaded = loadConfig(
  {
    HOST: '127.0.0.1',
    PORT: '0',
    SERVICE_DATA_DIR: dataDir,
    SERVICE_LOG_LEVEL: 'error',
    SERVICE_DRAIN_TIMEOUT_MS: '1000',
    SERVICE_EVENTS_PER_SECOND_MAX: '0',
    UPSTREAM_CHAT_API_BASE: `${upstream}/v1`,
    UPSTREAM_CHAT_API_KEY: 'bench-upstream-key',
    UPSTREAM_MESSAGES_API_BASE: upstream,
    UPSTREAM_MESSAGES_API_KEY: 'bench-upstream-key',
    DATABASE_URL: process.env['DATABASE_URL'],
    SERVICE_MASTER_KEY: process.env['SERVICE_MASTER_KEY']
  },
  { cwd: dataDir }
)
if (!loaded.ok) throw new Error(formatFaults(loaded.faults))
const service = await startService(loaded.config)
const { token } = await service.tokens.create({ workspaceId: defaultWorkspaceId, label: 'bench' }, 'bench')

serveParent(
  { port: service.port, token },
  {
    /** Runs a garbage collection first, where the process exposes one, to tell retained memory from garbage. */
    memory() {
      ;(globalThis as { gc?: () => void }).gc?.()
      const { rss, heapUsed, external } = process.memoryUsage()
      return { rss, heapUsed, external }
    },
    /** The number of events in the store, by its own count. */
    async stored() {
      const now = Date.now()
      const range = { from: now - 86_400_000, to: now + 86_400_000 }
      const series = { workspaceId: defaultWorkspaceId, dimension: 'total', step: 'hour', ...range } as const
      const points = await service.store.eventSeries(series)
      return points.reduce((sum, { kind, events }) => sum + (kind === 'tool_call_enforcement' ? events : 0), 0)
    }
  },
  () => service.close()
)

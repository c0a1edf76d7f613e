/** A sidecar as the benchmark runs it, in a process of its own, connected to the service given as argument. */
import { pino } from 'pino'
import { formatFaults } from '../src/config/config.ts'
import { loadSidecarConfig } from '../src/config/sidecar.ts'
import { startSidecar } from '../src/sensor/sidecar/start.ts'
import { serveParent } from './serve-parent.ts'

const [dataDir = '', servicePort = '', token = ''] = process.argv.slice(2)

const loaded = loadSidecarConfig(
  {
    LISTEN_PORT: '0',
    LISTEN_HOST: '127.0.0.1',
    SERVICE_INGRESS_TARGET: `http://127.0.0.1:${servicePort}`,
    SERVICE_WORKSPACE_TOKEN: token,
    SERVICE_DATA_DIR: dataDir,
    SERVICE_DRAIN_TIMEOUT_MS: '1000'
  },
  { cwd: dataDir }
)
if (!loaded.ok) throw new Error(formatFaults(loaded.faults))
const sidecar = await startSidecar(loaded.config, { log: pino({ level: 'error' }) })
const listeningMs = performance.now()
await sidecar.policy.ready()

serveParent(
  { port: sidecar.port, listeningMs, readyMs: performance.now() },
  { rss: () => process.memoryUsage.rss() },
  () => sidecar.close()
)

/**
 * Runs a service in a process of its own, for tests that read everything it prints. It is configured by its
 * environment, sends `{url, token, auditToken}` to its parent once it listens, and stops when the parent disconnects. A
 * message from the parent is the path for a heap snapshot, taken after a garbage collection; the reply is that path.
 */
import { writeHeapSnapshot } from 'node:v8'
import { pino } from 'pino'
import { formatFaults, loadConfig } from '../../src/config/config.ts'
import { startService } from '../../src/service/start.ts'
import { loadTelemetry } from '../../src/telemetry/otel/load.ts'
import { createToken, fastExport } from './start-service.ts'

const loaded = loadConfig(process.env, { cwd: process.cwd() })
if (!loaded.ok) throw new Error(formatFaults(loaded.faults))
const log = pino({ level: loaded.config.logLevel })
const { vocabularies, genAiAttributes: genAi } = loaded.config
const telemetry = await loadTelemetry(process.env, { serviceName: 'sluice', vocabularies, genAi, log })
const exportTimings = { ...fastExport, leaseMs: Number(process.env['TEST_LEASE_MS'] ?? fastExport.leaseMs) }
const service = await startService(loaded.config, { log, telemetry, exportTimings })
const { token } = await createToken(service)
const auditor = await createToken(service, { scopes: ['audit:read'] })
process.send?.({ url: service.url, token, auditToken: auditor.token })
process.on('message', (path: string) => {
  // `node --expose-gc` provides this function; without it, garbage could still contain the text.
  ;(globalThis as unknown as { gc(): void }).gc()
  process.send?.({ snapshot: writeHeapSnapshot(path) })
})
process.once('disconnect', () => {
  const stop = async (): Promise<void> => {
    await service.close()
    await telemetry?.close()
  }
  stop().then(
    () => process.exit(0),
    () => process.exit(1)
  )
})

/** Runs a sidecar until it is told to stop, or says whether it would work. */
import { describeChecks } from '../config/check.ts'
import { formatFaults } from '../config/config.ts'
import { loadSidecarConfig, type SidecarConfig } from '../config/sidecar.ts'
import { startSidecar } from '../sensor/sidecar/start.ts'
import { openLog } from '../telemetry/log.ts'
import { loadTelemetry } from '../telemetry/otel/load.ts'
import { dieWithoutWords, endBy, keepDebuggerShut, outliveLostWords, stopSignal } from './process-end.ts'
import { giveBackMemory, giveBackWhenQuiet } from './give-back-memory.ts'
import { UsageError } from './usage-error.ts'

function readSidecarConfiguration(): SidecarConfig {
  const result = loadSidecarConfig(process.env, { cwd: process.cwd() })
  if (result.ok) return result.config
  throw new UsageError(`the configuration is not valid\n${formatFaults(result.faults)}`)
}

/** Serves until a stop signal, and then ends the process. */
export async function run(): Promise<void> {
  const config = readSidecarConfiguration()
  const log = openLog(config.logLevel)
  // Set up early, since the first process of a container ignores signals without a handler.
  keepDebuggerShut()
  outliveLostWords()
  const stopped = stopSignal()
  const options = { serviceName: 'sluice-sidecar', vocabularies: config.vocabularies, log: log.logger }
  const telemetry = await loadTelemetry(process.env, options)
  const sidecar = await startSidecar(config, { log: log.logger, telemetry })
  dieWithoutWords()
  const { socket } = config.listen
  const over = socket ? ` ${sidecar.port === 0 ? 'over' : 'or over'} the socket ${socket.path}` : ''
  process.stderr.write(`Sluice sidecar: base URL ${sidecar.baseUrl}${over}, forwards to ${config.target}\n`)
  giveBackMemory()
  giveBackWhenQuiet(() => sidecar.holdCalls())
  const signal = await stopped
  await sidecar.close()
  await telemetry?.close()
  endBy(signal, await log.flush())
}

/** `sluice sidecar --check`. @returns the exit status */
export async function printCheck(): Promise<number> {
  const config = readSidecarConfiguration()
  // Loaded here, so that a start need not wait for it.
  const { checkSidecar } = await import('../sensor/sidecar/check.ts')
  const { hosts, port, socket } = config.listen
  const checks = await checkSidecar(config)
  const addresses = hosts.map((host) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`))
  const baseline = config.baseline && `baseline  preset ${config.baseline.preset}, until there was a policy once`
  const lines = [
    `listens   ${[...addresses, ...(socket ? [socket.path] : [])].join(', ')}`,
    `forwards  ${config.target}`,
    ...(baseline === undefined ? [] : [baseline]),
    ...config.warnings.map((warning) => `warning   ${warning}`),
    ...describeChecks(checks)
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return checks.every(({ isGood }) => isGood) ? 0 : 1
}

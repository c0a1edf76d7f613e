/** `sluice sidecar`: runs the ingress beside an agent until it is told to stop; `--check` tests its configuration. */
import type { Command } from 'commander'
import { describeChecks } from '../config/check.ts'
import { formatFaults } from '../config/config.ts'
import { describeVariables } from '../config/describe-variables.ts'
import { sidecarVariables } from '../config/sidecar-variables.ts'
import { loadSidecarConfig, type SidecarConfig } from '../config/sidecar.ts'
import { checkSidecar } from '../sensor/sidecar/check.ts'
import { startSidecar } from '../sensor/sidecar/start.ts'
import { openLog } from '../telemetry/log.ts'
import { loadTelemetry } from '../telemetry/otel/load.ts'
import { dieWithoutWords, endBy, keepDebuggerShut, outliveLostWords, stopSignal } from './process-end.ts'
import { giveBackMemory, giveBackWhenQuiet } from './give-back-memory.ts'
import { UsageError } from './usage-error.ts'

export function registerSidecar(program: Command, exit: (status: number) => void): void {
  program
    .command('sidecar')
    .description("Runs the ingress on the agent's host: masks locally and forwards to the service.")
    .option('--check', 'reports what it would do and whether that would work, and exits with 0 (yes) or 1 (no)')
    .addHelpText('after', () => `\nEnvironment variables:\n\n${describeVariables(sidecarVariables)}`)
    .action(async ({ check }: { readonly check?: boolean }) => {
      const config = readSidecarConfiguration()
      if (check === true) exit(await printCheck(config))
      else await run(config)
    })
}

function readSidecarConfiguration(): SidecarConfig {
  const result = loadSidecarConfig(process.env, { cwd: process.cwd() })
  if (result.ok) return result.config
  throw new UsageError(`the configuration is not valid\n${formatFaults(result.faults)}`)
}

async function run(config: SidecarConfig): Promise<void> {
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

/** @returns the exit status */
async function printCheck(config: SidecarConfig): Promise<number> {
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

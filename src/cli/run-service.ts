/** Runs the service until it is told to stop, or says whether it would start. */
import type { Logger } from 'pino'
import { noteAddress } from '../config/address-file.ts'
import { describeChecks } from '../config/check.ts'
import { startService, type RunningService } from '../service/start.ts'
import { defaultWorkspaceId } from '../protocol/workspace-id.ts'
import { errorName } from '../telemetry/error-frames.ts'
import { openLog } from '../telemetry/log.ts'
import { addressOf, listenUrl } from './address-of.ts'
import { loadTelemetry } from '../telemetry/otel/load.ts'
import { readConfiguration } from './configuration.ts'
import { giveBackMemory } from './give-back-memory.ts'
import { handOverToken } from './hand-over-token.ts'
import { dieWithoutWords, endBy, keepDebuggerShut, outliveLostWords, stopSignal } from './process-end.ts'
import { isoTime } from '../timing/iso-time.ts'

/** `sluice serve --check`. @returns the exit status */
export async function printCheck(): Promise<number> {
  const config = readConfiguration()
  // Loaded here, so that a start need not wait for it.
  const { checkService } = await import('../service/check.ts')
  const checks = await checkService(config)
  const lines = [
    `listens   ${listenUrl(config.listen)}`,
    ...config.warnings.map((warning) => `warning   ${warning}`),
    ...describeChecks(checks)
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return checks.every(({ isGood }) => isGood) ? 0 : 1
}

/** Serves until a stop signal, and then ends the process. */
export async function serve(): Promise<void> {
  const config = readConfiguration()
  const log = openLog(config.logLevel)
  // Set up early, since the first process of a container ignores signals without a handler.
  keepDebuggerShut()
  outliveLostWords()
  const stopped = stopSignal()
  const { vocabularies, genAiAttributes: genAi } = config
  const telemetry = await loadTelemetry(process.env, { serviceName: 'sluice', vocabularies, genAi, log: log.logger })
  const service = await startService(config, { log: log.logger, telemetry })
  dieWithoutWords()
  const address = addressOf({ ...config, listen: { ...config.listen, port: service.port } })
  const note = await noteAddress(config.dataDir, address)
  await greet(service, { address, dataDir: config.dataDir }, log.logger)
  giveBackMemory(() => service.holdCalls())
  const signal = await stopped
  await note[Symbol.asyncDispose]()
  await service.close()
  await telemetry?.close()
  endBy(signal, await log.flush())
}

/** Everything shown at the start can also be created later by commands, so no failure here stops the service. */
async function greet(
  service: RunningService,
  { address, dataDir }: { readonly address: string; readonly dataDir: string },
  log: Logger
): Promise<void> {
  try {
    if (service.isFirstStart) await welcome(service, dataDir)
    await showSetupLink(service, address)
  } catch (error) {
    log.error(
      { error: errorName(error) },
      'the token or the link of the first start could not be made; use "sluice token create" and "sluice admin setup-link"'
    )
  }
}

/** While nobody can sign in, each start prints a link for the first admin. There is no default password. */
async function showSetupLink(service: RunningService, address: string): Promise<void> {
  const link = await service.makeSetupLink()
  if (!link) return
  process.stderr.write(
    `\nDashboard: choose a name and a password at\n\n  ${address}${link.path}\n\n` +
      `The link can be used once, until ${isoTime(link.expiresAt)}. ` +
      'Links printed earlier, by this or another instance, are no longer valid; "sluice admin setup-link" makes a new one.\n\n'
  )
}

/** The first start creates a token, because without one nothing can be tried. */
async function welcome(service: RunningService, dataDir: string): Promise<void> {
  const { token } = await service.tokens.create({ workspaceId: defaultWorkspaceId, label: 'first token' }, 'service')
  const shown = await handOverToken(token, dataDir)
  const base = `${service.url}/api/ingress/v1`
  process.stderr.write(
    `\nSluice is listening on ${service.url}. The workspace "${defaultWorkspaceId}" was created.\n` +
      `${shown.sentence}\n\n` +
      'Try it:\n\n' +
      `  curl ${base}/chat/completions -H "x-service-workspace-token: ${shown.inShell}" \\\n` +
      `    -H 'content-type: application/json' \\\n` +
      `    -d '{"model":"gpt-5","messages":[{"role":"user","content":"Write to ana@corp.dev"}]}'\n\n` +
      `SDKs: base URL ${base}, API key = the token.\n`
  )
}

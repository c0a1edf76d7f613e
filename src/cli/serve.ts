/** `sluice serve`: the service, until it is told to stop. */
import type { Command } from 'commander'
import { describeVariables } from '../config/describe-variables.ts'
import { startService, type RunningService } from '../service/start.ts'
import { defaultWorkspaceId } from '../service/workspaces.ts'
import { openLog } from '../telemetry/log.ts'
import { readConfiguration } from './configuration.ts'
import { handOverToken } from './hand-over-token.ts'
import { dieWithoutWords, stopSignal } from './process-end.ts'

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('Runs the service. It is configured by environment variables.')
    .addHelpText('after', () => `\nEnvironment variables:\n\n${describeVariables()}`)
    .action(serve)
}

async function serve(): Promise<void> {
  const config = readConfiguration()
  const log = openLog(config.logLevel)
  const service = await startService(config, { log: log.logger })
  dieWithoutWords()
  if (service.isFirstStart) await welcome(service, config.dataDir)
  await stopSignal()
  await service.close()
  await log.flush()
}

/** The first start makes a token, because without one nothing can be tried. */
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
      `SDKs: base URL ${base}, API key = the token.\n\n`
  )
}

/** The configuration of a command, or all of its faults. */
import { formatFaults, loadConfig, type Config } from '../config/config.ts'
import { UsageError } from './usage-error.ts'

/**
 * Reads the environment.
 * @throws UsageError that lists every fault by name and rule
 */
export function readConfiguration(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const result = loadConfig(env, { cwd: process.cwd() })
  if (result.ok) return result.config
  throw new UsageError(`the configuration is not valid\n${formatFaults(result.faults)}`)
}

const storeVariables = [
  'SERVICE_DATA_DIR',
  'SERVICE_MASTER_KEY',
  'SERVICE_MASTER_KEY_FILE',
  'DATABASE_URL',
  'DATABASE_URL_FILE',
  'SERVICE_DATABASE_CONNECTIONS_MAX'
] as const

/**
 * Reads only what leads to the store; everything else has its default. For commands that need no more: a token must be
 * revocable by somebody who cannot read the credentials of the upstreams.
 * @throws UsageError as {@link readConfiguration}
 */
export const readStoreConfiguration = (): Config =>
  readConfiguration(Object.fromEntries(storeVariables.map((name) => [name, process.env[name]])))

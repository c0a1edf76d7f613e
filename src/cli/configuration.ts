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

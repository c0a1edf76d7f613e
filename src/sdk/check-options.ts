/** Whether a sensor can be started with its options: programs in JavaScript have no compiler that would say so. */
import { proxyFaults } from '../config/web-proxy.ts'
import { tokenRule } from '../protocol/token-format.ts'
import type { Environment } from './environment.ts'
import type { SensorOptions } from './sensor.ts'

const bounds = ['spoolBytesMax', 'spoolAgeMaxMs', 'memoryBytesMax'] as const

/**
 * The target and the stamp are checked by whoever reads them.
 * @throws TypeError that names the option and its rule, and no value
 */
export function checkOptions(options: SensorOptions, env: Environment): void {
  const { token, dir, dispatcher } = options
  // Most often a variable that is not set, or a line break at its end.
  const rule = tokenRule(typeof token === 'string' ? token : '')
  if (rule !== undefined) throw new TypeError(`The token ${rule}.`)
  // An empty one would be the current folder.
  if (dir !== undefined && (typeof dir !== 'string' || dir === ''))
    throw new TypeError('The option dir must be the path of a folder, or undefined.')
  for (const name of bounds) {
    // Nothing exceeds NaN, which `Number(undefined)` is.
    const bound: unknown = options[name]
    if (bound !== undefined && !(typeof bound === 'number' && bound >= 0))
      throw new TypeError(`The option ${name} must be a number of at least 0.`)
  }
  const [fault] = dispatcher === undefined ? proxyFaults(env) : []
  if (fault !== undefined) throw new TypeError(`The variable ${fault.name} ${fault.rule}.`)
}

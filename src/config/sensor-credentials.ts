/**
 * Credentials that a sensor can see: its own, and those of a service whose environment it shares. It must know them only
 * to recognise them in a text.
 */
import { foreignSecrets } from './foreign-secrets.ts'
import type { Environment } from './reader.ts'
import { Secret } from './secret.ts'
import { variables, type Variable } from './variables.ts'

const secretNames = Object.entries<Variable>(variables).flatMap(([name, { type }]) => (type === 'secret' ? [name] : []))

/** The credentials in an environment, apart from those that only their names give away, and the sensor's token. */
export function sensorCredentials(token: Secret, env: Environment): Secret[] {
  return [token, ...secretNames.flatMap((name) => (env[name] ? [new Secret(env[name])] : [])), ...foreignSecrets(env)]
}

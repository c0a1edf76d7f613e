/** Settings of every sensor: the service's URL, and the token for it. */
import { tokenRule } from '../protocol/token-format.ts'
import type { ConfigFault, Reader } from './reader.ts'
import { Secret } from './secret.ts'

export interface ServiceSettings {
  /** The service's URL as configured, without a trailing slash. */
  readonly target: string
  readonly token: Secret
}

/** Reads the settings and adds their faults. */
export function serviceSettings(
  read: Reader<'SERVICE_INGRESS_TARGET' | 'SERVICE_WORKSPACE_TOKEN'>,
  faults: ConfigFault[]
): ServiceSettings {
  return { target: targetOf(read, faults), token: tokenOf(read, faults) }
}

function targetOf(read: Reader<'SERVICE_INGRESS_TARGET'>, faults: ConfigFault[]): string {
  const name = 'SERVICE_INGRESS_TARGET'
  const target = read.text(name)
  if (target === '' && !faults.some((fault) => fault.name === name))
    faults.push({ name, rule: 'must be set to the address of the service' })
  return target
}

/** The faults of a token are distinguished here: the service's own answer would only come with the first call. */
function tokenOf(read: Reader<'SERVICE_WORKSPACE_TOKEN'>, faults: ConfigFault[]): Secret {
  const name = 'SERVICE_WORKSPACE_TOKEN'
  const token = read.secret(name)
  if (token === undefined) {
    if (!faults.some((fault) => fault.name.startsWith(name)))
      faults.push({ name, rule: `must be set to a workspace token, or ${name}_FILE to a file that holds one` })
    return new Secret('')
  }
  const rule = tokenRule(token.reveal())
  if (rule !== undefined) faults.push({ name, rule })
  return token
}

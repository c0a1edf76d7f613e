/** Converts variables to the configuration of signing in. */
import { isRole, roles, type Role } from '../protocol/roles.ts'
import type { ConfigFault, Reader } from './reader.ts'
import type { Secret } from './secret.ts'
import { isLoopback, parseRoleMap } from './values.ts'
import type { signInVariables } from './sign-in-variables.ts'

export interface OidcConfig {
  readonly issuer: string
  /** The provider's name for people. */
  readonly name: string
  readonly clientId: string
  readonly clientSecret?: Secret
  readonly scopes: string
  readonly groupsClaim: string
  /** Role by group. */
  readonly roleOf: ReadonlyMap<string, Role>
  /** Role of people without a mapped group; undefined refuses them. */
  readonly defaultRole: Role | undefined
  /** The workspace of people who sign in for the first time. */
  readonly workspaceId: string
}

export interface SignInConfig {
  /** The public URL, without a trailing slash; undefined if it is the one on which the service listens. */
  readonly publicUrl: string | undefined
  /** Addresses and networks of proxies that are trusted to say where a request comes from. */
  readonly trustedProxies: readonly string[]
  readonly idleTimeoutMs: number
  readonly lifetimeMs: number
  readonly takesPasswords: boolean
  readonly oidc?: OidcConfig
}

type SignInVariable = keyof typeof signInVariables

export function assembleSignIn(read: Reader<SignInVariable>, faults: ConfigFault[]): SignInConfig {
  const publicUrl = read.text('SERVICE_PUBLIC_URL') || undefined
  if (publicUrl !== undefined && new URL(publicUrl).pathname !== '/') {
    faults.push({ name: 'SERVICE_PUBLIC_URL', rule: 'must have no path: the dashboard needs a host of its own' })
  }
  const takesPasswords = read.isOn('SERVICE_LOCAL_SIGN_IN')
  const oidc = assembleOidc(read, publicUrl, faults)
  const isIssuerAtFault = faults.some(({ name }) => name === 'SERVICE_OIDC_ISSUER')
  if (!takesPasswords && !oidc && !isIssuerAtFault) {
    faults.push({ name: 'SERVICE_LOCAL_SIGN_IN', rule: 'must not be false without SERVICE_OIDC_ISSUER' })
  }
  return {
    publicUrl,
    trustedProxies: listOf(read.text('SERVICE_TRUSTED_PROXIES')),
    idleTimeoutMs: read.integer('SERVICE_SESSION_IDLE_TIMEOUT_MS'),
    lifetimeMs: read.integer('SERVICE_SESSION_LIFETIME_MS'),
    takesPasswords,
    ...(oidc ? { oidc } : {})
  }
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function assembleOidc(
  read: Reader<SignInVariable>,
  publicUrl: string | undefined,
  faults: ConfigFault[]
): OidcConfig | undefined {
  const issuer = read.text('SERVICE_OIDC_ISSUER')
  const clientSecret = read.secret('SERVICE_OIDC_CLIENT_SECRET')
  const map = parseRoleMap(read.text('SERVICE_OIDC_ROLE_MAP'))
  const given = read.text('SERVICE_OIDC_DEFAULT_ROLE')
  const clientId = read.text('SERVICE_OIDC_CLIENT_ID')
  if (issuer === '') return undefined
  const roleOf = map.ok ? map.value : new Map<string, Role>()
  const defaultRole = isRole(given) ? given : undefined
  const need = (name: SignInVariable, isThere: boolean, rule = 'must be set with SERVICE_OIDC_ISSUER'): void => {
    if (!isThere && !faults.some((fault) => fault.name === name)) faults.push({ name, rule })
  }
  need('SERVICE_PUBLIC_URL', publicUrl !== undefined)
  need('SERVICE_OIDC_CLIENT_ID', clientId !== '')
  const scopes = read.text('SERVICE_OIDC_SCOPES')
  // Without it, a provider answers every sign-in without an ID token.
  need('SERVICE_OIDC_SCOPES', scopes.split(' ').includes('openid'), 'must contain openid')
  const hasRoles = roleOf.size > 0 || defaultRole !== undefined
  need('SERVICE_OIDC_ROLE_MAP', hasRoles, `must give a role of ${roles.join(', ')} to a group, or nobody could sign in`)
  return {
    issuer,
    name: read.text('SERVICE_OIDC_NAME'),
    clientId,
    ...(clientSecret ? { clientSecret } : {}),
    scopes,
    groupsClaim: read.text('SERVICE_OIDC_GROUPS_CLAIM'),
    roleOf,
    defaultRole,
    workspaceId: read.text('SERVICE_OIDC_WORKSPACE')
  }
}

/** Sentences about settings that are allowed but probably not intended. */
export function signInWarnings({ publicUrl }: SignInConfig): string[] {
  if (publicUrl === undefined || publicUrl.startsWith('https:') || isLoopback(publicUrl)) return []
  return ['SERVICE_PUBLIC_URL is plain http to another machine: passwords and session cookies are sent unencrypted.']
}

/** Maps an OpenID provider's claims to a user here. */
import type { OidcConfig } from '../../config/sign-in.ts'
import { roles, type Role } from '../../protocol/roles.ts'

export type Claims = Readonly<Record<string, unknown>>

/** OpenID Connect Core 1.0, section 2. */
const subjectLengthMax = 255

/**
 * Checks of an ID token beyond its audience, issuer, times and nonce: that it was issued to us, if it says to whom, and
 * that it has a subject.
 */
export function isForUs({ azp, sub }: Claims, clientId: string): boolean {
  const isSubject = typeof sub === 'string' && sub.length > 0 && sub.length <= subjectLengthMax && !/\p{Cc}/u.test(sub)
  return isSubject && (azp === undefined || azp === clientId)
}

/**
 * The groups in a claim: by its full name, which may contain dots, or by the path that the dots describe.
 * @returns undefined if there is no such claim
 */
export function groupsIn(claims: Claims, claim: string): readonly string[] | undefined {
  const found = Object.hasOwn(claims, claim) ? claims[claim] : atPath(claims, claim.split('.'))
  if (typeof found === 'string') return [found]
  if (!Array.isArray(found)) return undefined
  return found.filter((group): group is string => typeof group === 'string')
}

/**
 * The groups that determine a role. An e-mail address that the provider has not verified is ignored; some providers
 * send the claim as a string.
 */
export function provenGroups(claims: Claims, claim: string): readonly string[] {
  const { email_verified: isVerified } = claims
  if (claim === 'email' && (isVerified === false || isVerified === 'false')) return []
  return groupsIn(claims, claim) ?? []
}

function atPath(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Record<string, unknown>)[step]
        : undefined,
    value
  )
}

/** The highest role of any of the groups; undefined if none has one. */
export function roleFor(
  groups: readonly string[],
  { roleOf, defaultRole }: Pick<OidcConfig, 'roleOf' | 'defaultRole'>
): Role | undefined {
  const given = groups.flatMap((group) => roleOf.get(group) ?? [])
  return roles.findLast((role) => given.includes(role)) ?? defaultRole
}

/** The person's preferred name. */
export function nameIn(claims: Claims): string {
  const wishes = ['preferred_username', 'email', 'name', 'sub'].map((claim) => claims[claim])
  return wishes.find((wish): wish is string => typeof wish === 'string' && wish !== '') ?? 'user'
}

/** What a workspace token may do. */

export const scopes = ['ingress:write', 'events:write', 'policy:read', 'audit:read', 'policy:write', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** What an agent or a sensor needs; the scopes of a token that is created without a list. */
export const defaultScopes: readonly Scope[] = ['ingress:write', 'events:write', 'policy:read']

export const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text)

/** `admin` includes every other scope; otherwise scopes are independent. */
export function grants(held: readonly Scope[], wanted: Scope): boolean {
  return held.includes(wanted) || held.includes('admin')
}

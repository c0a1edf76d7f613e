/** What a workspace token may do. */

export const scopes = ['ingress:write', 'events:write', 'policy:read', 'audit:read', 'policy:write', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** What an agent or a sensor needs, and what a token gets that is made without a list. */
export const defaultScopes: readonly Scope[] = ['ingress:write', 'events:write', 'policy:read']

export const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text)

/** `admin` holds every other scope; apart from that scopes are independent. */
export function grants(held: readonly Scope[], wanted: Scope): boolean {
  return held.includes(wanted) || held.includes('admin')
}

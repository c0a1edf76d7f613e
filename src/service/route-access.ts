/**
 * Who may use each route: the single table for access. A route that is not listed cannot be registered. The routes of
 * models, of events and of the policy stream are for tokens; the others for tokens and users alike.
 */
import type { Permission } from '../protocol/roles.ts'
import type { Scope } from '../protocol/scopes.ts'

export type RouteAccess =
  /** Needs nothing, or checks access itself: probes, pages, signing in. */
  | { readonly by: 'anyone' }
  /** Only a token, checked by the route. */
  | { readonly by: 'token' }
  /** Any signed-in user, whatever their role. */
  | { readonly by: 'session' }
  /**
   * A token with the scope, or a user with the permission. `own`: any valid token, which without `audit:read` sees only
   * what came with it.
   */
  | { readonly by: 'both'; readonly scope: Scope | 'own'; readonly permission: Permission }

const anyone: RouteAccess = { by: 'anyone' }
const token: RouteAccess = { by: 'token' }
const session: RouteAccess = { by: 'session' }
const both = (scope: Scope | 'own', permission: Permission): RouteAccess => ({ by: 'both', scope, permission })

export const routeAccess: Readonly<Record<string, RouteAccess>> = {
  'GET /livez': anyone,
  'GET /readyz': anyone,
  'GET /metrics': anyone,
  'GET /assets/*': anyone,
  'GET /api/openapi.json': anyone,

  'POST /api/events': token,
  'GET /api/workspace/policy-stream': token,

  'GET /api/session': anyone,
  'POST /api/session': anyone,
  'DELETE /api/session': session,
  'POST /api/session/password': session,
  'GET /api/session/oidc': anyone,
  'GET /api/session/oidc/callback': anyone,
  'POST /api/setup': anyone,
  'POST /api/setup/check': anyone,

  'GET /api/events': both('own', 'audit:read'),
  'GET /api/events/series': both('audit:read', 'audit:read'),
  'GET /api/events/tail': both('own', 'audit:read'),
  'GET /api/events/export': both('own', 'audit:export'),
  'GET /api/audit': both('own', 'audit:read'),
  'GET /api/audit/export': both('own', 'audit:export'),
  'GET /api/audit/verify': both('audit:read', 'audit:read'),
  'GET /api/audit/roots': both('audit:read', 'audit:read'),

  'GET /api/workspace/policy': both('policy:read', 'policy:read'),
  'PUT /api/workspace/policy': both('policy:write', 'policy:write'),
  'POST /api/workspace/policy/rollback': both('policy:write', 'policy:write'),
  'GET /api/workspace/policy/revisions': both('policy:read', 'policy:read'),
  'GET /api/workspace/policy/revisions/:revision': both('policy:read', 'policy:read'),
  'GET /api/workspace/policy/diff': both('policy:read', 'policy:read'),
  'POST /api/workspace/policy/lint': both('policy:read', 'policy:try'),
  'POST /api/workspace/policy/dry-run': both('audit:read', 'policy:try'),
  'POST /api/workspace/policy/allow-suggestions': both('policy:write', 'policy:write'),
  'POST /api/workspace/scan': both('policy:read', 'policy:try'),
  'GET /api/workspace/policy/sensors': both('audit:read', 'audit:read'),
  'GET /api/sensors': both('audit:read', 'audit:read'),

  'GET /api/tokens': both('admin', 'tokens:manage'),
  'POST /api/tokens': both('admin', 'tokens:manage'),
  'POST /api/tokens/:id/rotate': both('admin', 'tokens:manage'),
  'DELETE /api/tokens/:id': both('admin', 'tokens:manage'),

  'GET /api/users': both('admin', 'users:manage'),
  'POST /api/users': both('admin', 'users:manage'),
  'POST /api/users/:id/link': both('admin', 'users:manage'),
  'PATCH /api/users/:id': both('admin', 'users:manage'),
  'DELETE /api/users/:id': both('admin', 'users:manage'),

  'GET /api/settings': both('admin', 'settings:read'),
  'GET /api/system/health': both('audit:read', 'audit:read'),
  'POST /api/system/upstream-check': both('admin', 'settings:read'),
  'GET /api/warnings': both('policy:read', 'policy:read'),
  'GET /api/tools': both('audit:read', 'audit:read')
}

/** The access of a registered route; HEAD is like GET. */
export function accessOf(method: string, url: string): RouteAccess | undefined {
  const key = `${method === 'HEAD' ? 'GET' : method} ${url}`
  return Object.hasOwn(routeAccess, key) ? routeAccess[key] : undefined
}

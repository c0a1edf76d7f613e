/** Variables for signing in: sessions, the public URL, and an OpenID provider. */
import { roles } from '../protocol/roles.ts'
import { defaultWorkspaceId } from '../protocol/workspace-id.ts'
import type { Variable } from './variables.ts'

const section = 'Signing in'
const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const signInVariables = {
  SERVICE_PUBLIC_URL: {
    type: 'url',
    default: '',
    section,
    description:
      'Address at which people and agents reach the service, if it differs from the one it listens on, for example behind a proxy that terminates TLS. It has no path, since the dashboard needs a host of its own. With `https`, cookies are sent over TLS only. Required with `SERVICE_OIDC_ISSUER`.'
  },
  SERVICE_TRUSTED_PROXIES: {
    type: 'text',
    format: 'networks',
    default: '',
    section,
    description:
      'Proxies whose `x-forwarded-for` header to trust: addresses or networks such as `10.0.0.0/8`, comma-separated. Failed sign-ins are counted by client address.'
  },
  SERVICE_SESSION_IDLE_TIMEOUT_MS: {
    type: 'integer',
    unit: 'ms',
    min: 60_000,
    max: 30 * dayMs,
    default: hourMs,
    section,
    description: 'How long a session lasts without a request. An open page keeps its session alive.'
  },
  SERVICE_SESSION_LIFETIME_MS: {
    type: 'integer',
    unit: 'ms',
    min: 60_000,
    max: 90 * dayMs,
    default: dayMs,
    section,
    description: 'How long a session lasts at most, however much it is used.'
  },
  SERVICE_LOCAL_SIGN_IN: {
    type: 'switch',
    default: 'true',
    section,
    description:
      'Whether people can sign in with a name and a password. Set `false` where everybody signs in with the identity provider.'
  },
  SERVICE_OIDC_ISSUER: {
    type: 'text',
    format: 'issuer',
    default: '',
    section,
    description:
      'Issuer of the OpenID Connect provider for single sign-on, exactly as in its discovery document. If unset, there is no single sign-on. See `docs/sign-in.md`.'
  },
  SERVICE_OIDC_NAME: {
    type: 'text',
    format: 'line',
    default: 'single sign-on',
    section,
    description: 'Text of the single sign-on button after "Sign in with".'
  },
  SERVICE_OIDC_CLIENT_ID: {
    type: 'text',
    format: 'line',
    default: '',
    section,
    description:
      'Client ID of this service at the provider. Its redirect URI is `<SERVICE_PUBLIC_URL>/api/session/oidc/callback`.'
  },
  SERVICE_OIDC_CLIENT_SECRET: {
    type: 'secret',
    format: 'header',
    section,
    description: 'Client secret. Leave it unset for a public client, which uses only PKCE.'
  },
  SERVICE_OIDC_SCOPES: {
    type: 'text',
    format: 'line',
    default: 'openid profile email',
    section,
    description: 'Scopes to request, separated by spaces. Some providers need `groups` among them.'
  },
  SERVICE_OIDC_GROUPS_CLAIM: {
    type: 'text',
    format: 'line',
    default: 'groups',
    section,
    description:
      'Claim of the ID token, or otherwise of the user info, that lists the groups or roles of a user. Dots lead into objects: `realm_access.roles`.'
  },
  SERVICE_OIDC_ROLE_MAP: {
    type: 'text',
    format: 'role-map',
    default: '',
    section,
    description:
      'Which group has which role: `sec-ops=admin,developers=viewer`, or a JSON object if names contain commas. Roles are viewer, analyst, editor and admin; if several match, the highest counts.'
  },
  SERVICE_OIDC_WORKSPACE: {
    type: 'text',
    format: 'workspace',
    default: defaultWorkspaceId,
    section,
    description:
      'ID of the workspace for users of the provider; created at the start if it does not exist. Users who signed in before keep their workspace.'
  },
  SERVICE_OIDC_DEFAULT_ROLE: {
    type: 'enum',
    values: ['none', ...roles],
    default: 'none',
    section,
    description: 'Role of users who are in none of the mapped groups. `none` refuses them.'
  }
} as const satisfies Record<string, Variable>

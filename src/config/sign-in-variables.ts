/** Variables of signing in: sessions, the address that people reach the service at, and an OpenID provider. */
import { roles } from '../protocol/roles.ts'
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
      'Address at which people and agents reach the service, where that is another one than it listens on: behind a proxy that ends TLS, for example. With `https` cookies are sent over TLS alone. Required with `SERVICE_OIDC_ISSUER`.'
  },
  SERVICE_TRUSTED_PROXIES: {
    type: 'text',
    format: 'networks',
    default: '',
    section,
    description:
      'Addresses or networks of proxies, comma-separated, whose `x-forwarded-for` says where a request comes from, such as `10.0.0.0/8`. Failed sign-ins are counted by that address.'
  },
  SERVICE_SESSION_IDLE_TIMEOUT_MS: {
    type: 'integer',
    unit: 'ms',
    min: 60_000,
    max: 30 * dayMs,
    default: hourMs,
    section,
    description: 'After how long without a request a session ends. A page that is open keeps its own alive.'
  },
  SERVICE_SESSION_LIFETIME_MS: {
    type: 'integer',
    unit: 'ms',
    min: 60_000,
    max: 90 * dayMs,
    default: dayMs,
    section,
    description: 'After how long a session ends however much it is used.'
  },
  SERVICE_LOCAL_SIGN_IN: {
    type: 'switch',
    default: 'true',
    section,
    description:
      'Whether people can sign in with a name and a password. Only the exact text `false` turns it off, for installations where all come by the provider.'
  },
  SERVICE_OIDC_ISSUER: {
    type: 'text',
    format: 'issuer',
    default: '',
    section,
    description:
      'Issuer of an OpenID provider that people sign in with, letter by letter as its discovery document names it. Where it is unset there is none. See `docs/sign-in.md`.'
  },
  SERVICE_OIDC_NAME: {
    type: 'text',
    format: 'line',
    default: 'single sign-on',
    section,
    description: 'What the button of the provider says after "Sign in with".'
  },
  SERVICE_OIDC_CLIENT_ID: {
    type: 'text',
    format: 'line',
    default: '',
    section,
    description:
      'Id under which the provider knows this service. Its redirect address is `<SERVICE_PUBLIC_URL>/api/session/oidc/callback`.'
  },
  SERVICE_OIDC_CLIENT_SECRET: {
    type: 'secret',
    format: 'header',
    section,
    description: 'Secret of that client. Unset for a public client, which proves itself by PKCE alone.'
  },
  SERVICE_OIDC_SCOPES: {
    type: 'text',
    format: 'line',
    default: 'openid profile email',
    section,
    description: 'Scopes to ask for, separated by spaces. Some providers want `groups` among them.'
  },
  SERVICE_OIDC_GROUPS_CLAIM: {
    type: 'text',
    format: 'line',
    default: 'groups',
    section,
    description:
      'Claim of the ID token, or else of the user info, that lists the groups or roles of a person. Dots lead into objects: `realm_access.roles`.'
  },
  SERVICE_OIDC_ROLE_MAP: {
    type: 'text',
    format: 'role-map',
    default: '',
    section,
    description:
      'Which group has which role: `sec-ops=admin,developers=viewer`, or the same as a JSON object where names have commas. Roles are viewer, analyst, editor and admin; of several the highest counts.'
  },
  SERVICE_OIDC_WORKSPACE: {
    type: 'text',
    format: 'workspace',
    default: 'default',
    section,
    description:
      'Id of the workspace that people of the provider belong to; made at the start where there is none. Whoever has signed in before stays in the workspace of then.'
  },
  SERVICE_OIDC_DEFAULT_ROLE: {
    type: 'enum',
    values: ['none', ...roles],
    default: 'none',
    section,
    description: 'Role of people who are in none of the mapped groups. `none` refuses them.'
  }
} as const satisfies Record<string, Variable>

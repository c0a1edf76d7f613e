/** Signing in: the bodies of the dashboard's requests about sessions, set-up and passwords. */
import { z } from 'zod'
import { permissions, roles } from '../roles.ts'

/** A point in time as RFC 3339 with its zone. */
export const timeText = z.iso.datetime({ offset: true })

export const providerKinds = ['local', 'oidc'] as const

export const passwordLengthMin = 12
const passwordLengthMax = 256

/** Lower case, so that no two names differ only in case. */
export const userNamePattern = /^[a-z0-9][a-z0-9._@+-]{0,63}$/

export const userName = z
  .string('must be a string')
  .trim()
  .toLowerCase()
  .regex(userNamePattern, 'must have 1 to 64 characters of a-z, 0-9 and ._@+-, and begin with a letter or a digit')

const password = z
  .string('must be a string')
  .min(passwordLengthMin, `must have at least ${passwordLengthMin} characters`)
  .max(passwordLengthMax, `must have at most ${passwordLengthMax} characters`)

/** A password at sign-in may be anything: the rules apply when one is set. */
const typedPassword = z.string('must be a string').min(1, 'must not be empty').max(1024, 'is too long')
const typedName = z.string('must be a string').min(1, 'must not be empty').max(256, 'is too long')
const linkCode = z.string('must be a string').min(1, 'must not be empty').max(200, 'is too long')

const sessionUser = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  provider: z.enum(providerKinds),
  permissions: z.array(z.enum(permissions))
})

/** `GET /api/session`; also the answer to signing in, to set-up and to a new password. */
export const sessionBody = z.object({
  /** Null while nobody is signed in. */
  user: sessionUser.nullable(),
  /** For the header `x-csrf-token` of every request but GET; null while nobody is signed in. */
  csrfToken: z.string().nullable(),
  /** When the session ends unless it is used, and when it ends in any case. */
  idleEndsAt: timeText.nullable(),
  endsAt: timeText.nullable(),
  /** Whether there is no user yet, so that the set-up link is the way in. */
  setupNeeded: z.boolean(),
  /** Whether local names and passwords are accepted. */
  localSignIn: z.boolean(),
  /** The provider with which people can sign in, by the name on its button. */
  oidc: z.object({ name: z.string() }).nullable(),
  /** The public URL, if browsers only keep the session cookie there because it is restricted to TLS. Null otherwise. */
  secureUrl: z.string().nullable(),
  workspace: z.object({ id: z.string(), name: z.string() }).nullable(),
  version: z.string()
})

/** `POST /api/session` */
export const signInRequest = z.strictObject({ name: typedName, password: typedPassword })

/** `POST /api/session/password`: a new password for oneself. Ends the user's other sessions. */
export const passwordRequest = z.strictObject({ current: typedPassword, password })

/** `POST /api/setup/check`: what a link is for. The code follows `#` in the link and is never sent in a URL. */
export const setupCheckRequest = z.strictObject({ code: linkCode })
export const setupCheckBody = z.object({
  /**
   * `first`: creates the first admin, who chooses a name. `password`: sets the password of the user for whom it was
   * made.
   */
  purpose: z.enum(['first', 'password']),
  name: z.string().nullable(),
  expiresAt: timeText
})

/** `POST /api/setup`: uses a link up and signs in. Only a link with purpose `first` accepts `name`. */
export const setupRequest = z.strictObject({ code: linkCode, name: userName.optional(), password })

export type SessionUser = z.output<typeof sessionUser>
export type SessionBody = z.output<typeof sessionBody>
export type SignInRequest = z.output<typeof signInRequest>
export type PasswordRequest = z.output<typeof passwordRequest>
export type SetupRequest = z.output<typeof setupRequest>

/** Why signing in through the provider failed; the service adds it to the page's URL: `/sign-in?problem=`. */
export const signInProblems = [
  'oidc_unreachable',
  'oidc_refused',
  'oidc_no_role',
  'oidc_expired',
  'oidc_disabled',
  'bad_return'
] as const
export type SignInProblem = (typeof signInProblems)[number]

export const csrfHeader = 'x-csrf-token'

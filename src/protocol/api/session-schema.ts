/** Signing in: what the dashboard and the service say to each other about sessions, set-up and passwords. */
import { z } from 'zod'
import { permissions, roles } from '../roles.ts'

/** A moment as RFC 3339 with its zone. */
export const timeText = z.iso.datetime({ offset: true })

export const providerKinds = ['local', 'oidc'] as const

export const passwordLengthMin = 12
const passwordLengthMax = 256

/** Lower case, so that two people cannot have names that differ in nothing else. */
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

/** Whoever signs in with a password gives whatever was typed: rules are for setting one. */
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

/** `GET /api/session`; also the answer of signing in, of set-up and of a new password. */
export const sessionBody = z.object({
  /** Null while nobody is signed in. */
  user: sessionUser.nullable(),
  /** For the header `x-csrf-token` of every request but GET; null while nobody is signed in. */
  csrfToken: z.string().nullable(),
  /** When the session ends for lack of use, unless it is used, and when it ends in any case. */
  idleEndsAt: timeText.nullable(),
  endsAt: timeText.nullable(),
  /** Whether there is no user yet, and the set-up link is the way in. */
  setupNeeded: z.boolean(),
  /** Whether names and passwords are taken. */
  localSignIn: z.boolean(),
  /** The provider that people can sign in with, by the name that its button shows. */
  oidc: z.object({ name: z.string() }).nullable(),
  /** The address that people use, where browsers keep the cookie of no other: it is sent by TLS alone. Null elsewhere. */
  secureUrl: z.string().nullable(),
  workspace: z.object({ id: z.string(), name: z.string() }).nullable(),
  version: z.string()
})

/** `POST /api/session` */
export const signInRequest = z.strictObject({ name: typedName, password: typedPassword })

/** `POST /api/session/password`: a new password of one's own. Every other session of the user ends. */
export const passwordRequest = z.strictObject({ current: typedPassword, password })

/** `POST /api/setup/check`: what a link is good for. The code stands behind `#` in the link and is never in a URL sent. */
export const setupCheckRequest = z.strictObject({ code: linkCode })
export const setupCheckBody = z.object({
  /** `first`: makes the first admin, who chooses a name. `password`: sets the password of the user it was made for. */
  purpose: z.enum(['first', 'password']),
  name: z.string().nullable(),
  expiresAt: timeText
})

/** `POST /api/setup`: uses a link up and signs in. `name` is taken by a link of purpose `first` alone. */
export const setupRequest = z.strictObject({ code: linkCode, name: userName.optional(), password })

export type SessionUser = z.output<typeof sessionUser>
export type SessionBody = z.output<typeof sessionBody>
export type SignInRequest = z.output<typeof signInRequest>
export type PasswordRequest = z.output<typeof passwordRequest>
export type SetupRequest = z.output<typeof setupRequest>

/** What the service adds to the address of the page when a sign-in by the provider comes to nothing: `/sign-in?problem=`. */
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

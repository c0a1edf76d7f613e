/** Users, as admins see and change them: `/api/users`. */
import { z } from 'zod'
import { roles } from '../roles.ts'
import { providerKinds, timeText, userName } from './session-schema.ts'

const role = z.enum(roles, `must be one of ${roles.join(', ')}`)

export const userBody = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  provider: z.enum(providerKinds),
  /** False for a local user who has not yet used their link. */
  hasPassword: z.boolean(),
  disabled: z.boolean(),
  createdAt: timeText,
  lastSignInAt: timeText.nullable(),
  /** Number of open sessions. */
  sessions: z.int()
})

/** `GET /api/users?limit=&after=`: ordered by name; `next` is the `after` of the next page. */
export const usersBody = z.object({ users: z.array(userBody), next: z.string().nullable() })

/** `POST /api/users`: a local user. The answer has a link with which they set their own password. */
export const newUserRequest = z.strictObject({ name: userName, role })

/** A link that sets a password, shown only here. */
const passwordLink = z.object({
  /** Path and fragment on this service, `/setup#<code>`; so nobody knows anyone else's password. */
  path: z.string(),
  expiresAt: timeText
})

/** Answer to `POST /api/users` and `POST /api/users/:id/link`. */
export const madeUserBody = z.object({ user: userBody, link: passwordLink })

/** `PATCH /api/users/:id`. The role of a provider's user is set again from their groups at each sign-in. */
export const userPatch = z
  .strictObject({ role: role.optional(), disabled: z.boolean('must be true or false').optional() })
  .refine((patch) => Object.keys(patch).length > 0, 'must change something')

export type UserBody = z.output<typeof userBody>
export type UsersBody = z.output<typeof usersBody>
export type MadeUserBody = z.output<typeof madeUserBody>
export type UserPatch = z.output<typeof userPatch>

/** People who sign in, as admins see and change them: `/api/users`. */
import { z } from 'zod'
import { roles } from '../roles.ts'
import { providerKinds, timeText, userName } from './session-schema.ts'

const role = z.enum(roles, `must be one of ${roles.join(', ')}`)

export const userBody = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  provider: z.enum(providerKinds),
  /** A local user without a password has not yet used the link that was made for them. */
  hasPassword: z.boolean(),
  disabled: z.boolean(),
  createdAt: timeText,
  lastSignInAt: timeText.nullable(),
  /** Sessions that are open now. */
  sessions: z.int()
})

/** `GET /api/users?limit=&after=`: in the order of names; `next` is the `after` of the next page. */
export const usersBody = z.object({ users: z.array(userBody), next: z.string().nullable() })

/** `POST /api/users`: a local user. The answer carries a link with which they set their own password. */
export const newUserRequest = z.strictObject({ name: userName, role })

/** A link that sets a password, shown this once. */
const passwordLink = z.object({
  /** Path and fragment on this service, `/setup#<code>`; nobody's password is known to anybody else. */
  path: z.string(),
  expiresAt: timeText
})

/** Answer of `POST /api/users` and `POST /api/users/:id/link`. */
export const madeUserBody = z.object({ user: userBody, link: passwordLink })

/** `PATCH /api/users/:id`. The role of a user of the provider is set anew from their groups at each sign-in. */
export const userPatch = z
  .strictObject({ role: role.optional(), disabled: z.boolean('must be true or false').optional() })
  .refine((patch) => Object.keys(patch).length > 0, 'must change something')

export type UserBody = z.output<typeof userBody>
export type UsersBody = z.output<typeof usersBody>
export type MadeUserBody = z.output<typeof madeUserBody>
export type UserPatch = z.output<typeof userPatch>

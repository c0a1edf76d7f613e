/** `/api/users`: who may sign in to the workspace, for its admins. */
import type { FastifyInstance } from 'fastify'
import { isRole } from '../../protocol/roles.ts'
import * as schemas from '../../protocol/api/user-schema.ts'
import type { ListedUser } from '../../store/store.ts'
import { callerOf, type Access } from '../access.ts'
import type { MadeLink } from '../accounts/links.ts'
import type { People } from '../accounts/people.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import { answered } from './answered.ts'
import { authorOf } from './policy.ts'
import { readBodyAs } from './read-body-as.ts'
import type { JsonReader } from './read-json.ts'
import { queryRules, readQuery } from './read-query.ts'
import { privately } from './session.ts'
import { isoTime } from '../../timing/iso-time.ts'

interface UserDependencies extends JsonReader {
  readonly access: Access
  readonly lifecycle: Lifecycle
  readonly people: People
}

const pageRules = { limit: queryRules.limit, after: queryRules.text(64).optional() }

type ById = { Params: { id: string } }

export function registerUsers(app: FastifyInstance, to: UserDependencies): void {
  const onRequest = admission(to.lifecycle)
  const { access, people } = to
  app.get('/api/users', { onRequest }, async (request, reply) => {
    const { workspaceId } = await callerOf(access, request)
    const page = readQuery(pageRules, request.query)
    const users = await answered(people.list(workspaceId, page))
    const next = users.length < page.limit ? null : (users.at(-1)?.name ?? null)
    const body: schemas.UsersBody = { users: users.map(userBody), next }
    return await reply.headers(privately(request)).send(body)
  })
  app.post('/api/users', { onRequest }, async (request, reply) => {
    const caller = await callerOf(access, request)
    const wish = await readBodyAs(schemas.newUserRequest, request, to)
    const { user, link } = await answered(people.create(caller.workspaceId, wish, authorOf(caller, request)))
    return await reply
      .code(201)
      .headers(privately(request))
      .send(made({ ...user, sessions: 0 }, link))
  })
  app.post<ById>('/api/users/:id/link', { onRequest }, async (request, reply) => {
    const caller = await callerOf(access, request)
    const user = await answered(people.find(caller.workspaceId, request.params.id))
    const link = await answered(people.makeLink(user, authorOf(caller, request)))
    return await reply
      .code(201)
      .headers(privately(request))
      .send(made(await answered(people.listed(user)), link))
  })
  app.patch<ById>('/api/users/:id', { onRequest }, async (request, reply) => {
    const caller = await callerOf(access, request)
    const change = await readBodyAs(schemas.userPatch, request, to)
    const user = await answered(people.find(caller.workspaceId, request.params.id))
    await answered(people.change(user, change, authorOf(caller, request)))
    return await reply.headers(privately(request)).send(userBody(await answered(people.listed(user))))
  })
  app.delete<ById>('/api/users/:id', { onRequest }, async (request, reply) => {
    const caller = await callerOf(access, request)
    const user = await answered(people.find(caller.workspaceId, request.params.id))
    await answered(people.remove(user, authorOf(caller, request)))
    return await reply.code(204).headers(privately(request)).send()
  })
}

/** A user as shown to admins. */
function userBody(user: ListedUser): schemas.UserBody {
  const { id, name, role, provider, password, disabledAt, createdAt, lastSignInAt, sessions } = user
  return {
    id,
    name,
    // A role from a newer version is shown as the least privileged one.
    role: isRole(role) ? role : 'viewer',
    provider,
    hasPassword: password !== null,
    disabled: disabledAt !== null,
    createdAt: isoTime(createdAt),
    lastSignInAt: lastSignInAt === null ? null : isoTime(lastSignInAt),
    sessions
  }
}

const made = (user: ListedUser, { path, expiresAt }: MadeLink): schemas.MadeUserBody => ({
  user: userBody(user),
  link: { path, expiresAt: isoTime(expiresAt) }
})

/** `sluice admin`: manages users from the machine: the first link, account recovery, the list. */
import { InvalidArgumentError, type Command } from 'commander'
import { readAddress } from '../config/address-file.ts'
import { isRole, roles, type Role } from '../protocol/roles.ts'
import { userName } from '../protocol/api/session-schema.ts'
import { createAttempts } from '../service/accounts/attempts.ts'
import { PasswordLinks, type MadeLink } from '../service/accounts/links.ts'
import { createPasswords } from '../service/accounts/passwords.ts'
import { People } from '../service/accounts/people.ts'
import { defaultWorkspaceId } from '../protocol/workspace-id.ts'
import { ensureWorkspace } from '../service/workspaces.ts'
import { rowsMax, type Store, type StoredUser } from '../store/store.ts'
import { addressOf } from './address-of.ts'
import { readConfiguration } from './configuration.ts'
import { printTable } from './print-table.ts'
import { UsageError } from './usage-error.ts'
import { assertWorkspace, withExistingStore } from './with-store.ts'
import { isoTime, isoTimeOrNull } from '../timing/iso-time.ts'

export function registerAdmin(program: Command): void {
  const admin = program
    .command('admin')
    .description('Manages who can sign in: the set-up link, invitations, password resets, the list of users.')
  admin
    .command('setup-link')
    .description(
      'Prints a link with which the first admin chooses a name and a password. Earlier links become invalid.'
    )
    .action(setupLink)
  admin
    .command('invite')
    .description('Creates a user, and prints the link with which they choose a password.')
    .argument('<user>', 'the name')
    .option('--role <role>', roles.join(', '), readRole, 'viewer')
    .option('--workspace <id>', 'the workspace that the user belongs to', defaultWorkspaceId)
    .action(invite)
  admin
    .command('reset')
    .description('Prints a link to set a new password for a user. A user who was shut out can sign in again.')
    .argument('<user>', 'the name')
    .option('--role <role>', `also gives the user a role: ${roles.join(', ')}`, readRole)
    .action(reset)
  admin
    .command('users')
    .description('Lists the users of a workspace.')
    .option('--workspace <id>', 'the workspace', defaultWorkspaceId)
    .option('--json', 'one JSON object per line')
    .action(users)
}

function readRole(text: string): Role {
  if (isRole(text)) return text
  throw new InvalidArgumentError(`A role is one of ${roles.join(', ')}.`)
}

const cli = { actor: 'cli', tokenId: null, requestId: null } as const

interface Opened {
  readonly store: Store
  readonly people: People
  readonly links: PasswordLinks
}

const withPeople = <T>(work: (opened: Opened) => Promise<T>): Promise<T> =>
  withExistingStore(async ({ store, masterKey }) => {
    const passwords = createPasswords(masterKey)
    const links = new PasswordLinks({ store, masterKey, passwords })
    const { idleTimeoutMs } = readConfiguration().signIn
    const people = new People({ store, passwords, links, attempts: createAttempts(), idleTimeoutMs })
    return await work({ store, people, links })
  })

async function setupLink(): Promise<void> {
  const link = await withPeople(async ({ store, links }) => {
    await ensureWorkspace(store, defaultWorkspaceId, 'cli')
    return await links.makeFirst(cli)
  })
  if (!link) throw new UsageError('there are users already; "sluice admin reset <user>" prints a link for one of them')
  await show(link)
}

async function invite(name: string, options: { readonly role: Role; readonly workspace: string }): Promise<void> {
  const { role, workspace } = options
  const parsed = userName.safeParse(name)
  if (!parsed.success) throw new UsageError(`the name ${parsed.error.issues[0]?.message}`)
  const link = await withPeople(async ({ store, people }) => {
    await assertWorkspace(store, workspace)
    if (await store.findUser({ name: parsed.data })) throw new UsageError('a user with this name already exists')
    return (await people.create(workspace, { name: parsed.data, role }, cli)).link
  })
  await show(link)
}

async function reset(name: string, { role }: { readonly role?: Role }): Promise<void> {
  const link = await withPeople(async ({ store, people }) => {
    const user = await store.findUser({ name: name.trim().toLowerCase() })
    if (!user) throw new UsageError('there is no user with this name; "sluice admin users" lists them')
    if (user.provider !== 'local')
      throw new UsageError('this user signs in with the identity provider and has no password here')
    await people.change(user, { role, disabled: false }, cli)
    return await people.makeLink(user, cli)
  })
  await show(link)
}

/** Prints a link. Without a public URL it begins with the address of the running service, or else a configured one. */
async function show({ path, expiresAt }: MadeLink): Promise<void> {
  const config = readConfiguration()
  const { publicUrl } = config.signIn
  const address = publicUrl ?? (await readAddress(config.dataDir)) ?? addressOf(config)
  process.stdout.write(`${address}${path}\n`)
  process.stderr.write(`The link can be used once, until ${isoTime(expiresAt)}.\n`)
  if (publicUrl !== undefined) return
  process.stderr.write(
    `If people reach the service at another address than ${address}, set SERVICE_PUBLIC_URL to it.\n`
  )
}

async function users({ workspace, json }: { readonly workspace: string; readonly json?: boolean }): Promise<void> {
  const all = await withPeople(async ({ store, people }) => {
    await assertWorkspace(store, workspace)
    return await everybody(people, workspace)
  })
  if (json) {
    for (const user of all) process.stdout.write(`${JSON.stringify(listed(user))}\n`)
    return
  }
  const rows = all.map((user) => [user.name, user.role, user.provider, stateOf(user)])
  printTable(rows)
  if (all.length === 0) process.stderr.write(`The workspace "${workspace}" has no users.\n`)
}

async function everybody(people: People, workspace: string): Promise<StoredUser[]> {
  const all: StoredUser[] = []
  for (;;) {
    const page = await people.list(workspace, { limit: rowsMax, after: all.at(-1)?.name })
    all.push(...page)
    if (page.length < rowsMax) return all
  }
}

const listed = ({ id, name, role, provider, createdAt, lastSignInAt, disabledAt }: StoredUser) => ({
  id,
  name,
  role,
  provider,
  createdAt: isoTimeOrNull(createdAt),
  lastSignInAt: isoTimeOrNull(lastSignInAt),
  disabledAt: isoTimeOrNull(disabledAt)
})

function stateOf({ disabledAt, provider, password, lastSignInAt }: StoredUser): string {
  if (disabledAt !== null) return 'shut out'
  if (provider === 'local' && password === null) return 'has no password yet'
  return lastSignInAt === null ? 'never signed in' : `signed in ${isoTime(lastSignInAt)}`
}

/** `sluice admin` as used by an operator who has the machine but cannot sign in. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runSluice, type Ran } from '../support/run-sluice.ts'
import { makeDataDir, startTestService, type TestService } from '../support/start-service.ts'
import { createVisitor, testPassword } from '../support/visitor.ts'

describe('sluice admin', () => {
  const undo = new AsyncDisposableStack()
  let dataDir: string
  let service: TestService
  before(async () => {
    dataDir = await makeDataDir()
    undo.defer(() => rm(dataDir, { recursive: true, force: true }))
    service = undo.use(await startTestService({ dataDir }))
  })
  after(() => undo.disposeAsync())

  const admin = (...args: string[]): Promise<Ran> =>
    runSluice(dataDir, ['admin', ...args], { SERVICE_PUBLIC_URL: 'http://127.0.0.1:8080' })
  const codeIn = ({ out }: Ran): string => {
    assert.match(out, /^http:\/\/127\.0\.0\.1:8080\/setup#[\w-]{32}\n$/)
    return new URL(out.trim()).hash
  }

  test('makes links for the first admin, for a forgotten password, and for a disabled user', async () => {
    assert.match((await runSluice(dataDir, ['admin', 'setup-link'])).err, /set SERVICE_PUBLIC_URL to it/)
    const made = await admin('setup-link')
    assert.doesNotMatch(made.err, /SERVICE_PUBLIC_URL/)
    const first = codeIn(made)
    const ana = createVisitor(service.url)
    assert.equal((await ana.setUp(first, testPassword, 'ana')).status, 200)
    const none = await admin('setup-link')
    assert.equal(none.code, 2)
    assert.match(none.err, /there are users already/)

    const added = await ana.send('POST', '/api/users', { name: 'bob', role: 'viewer' })
    const { id } = (added.json() as { user: { id: string } }).user
    await ana.send('PATCH', `/api/users/${id}`, { disabled: true })
    assert.match(
      (await admin('users')).out,
      /^ana {2}admin {3}local {2}signed in .*\nbob {2}viewer {2}local {2}shut out\n$/
    )
    const bob = createVisitor(service.url)
    const link = codeIn(await admin('reset', 'Bob', '--role', 'admin'))
    assert.equal((await bob.setUp(link, `${testPassword}!`)).status, 200)
    assert.equal(bob.session?.user?.role, 'admin')
    const lines = (await admin('users', '--json')).out.trim().split('\n')
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { role: string }).role),
      ['admin', 'admin']
    )
  })

  test('invites people, and reports errors', async () => {
    const [vic, unknown, odd, elsewhere] = await Promise.all([
      admin('invite', 'Vic', '--role', 'analyst'),
      admin('reset', 'nobody'),
      admin('reset', 'ana', '--role', 'owner'),
      runSluice(join(dataDir, 'nowhere'), ['admin', 'users'])
    ])
    const visitor = createVisitor(service.url)
    assert.equal((await visitor.setUp(codeIn(vic), testPassword)).status, 200)
    assert.partialDeepStrictEqual(visitor.session?.user, { name: 'vic', role: 'analyst' })
    assert.deepEqual([unknown.code, unknown.out], [2, ''])
    assert.match(unknown.err, /there is no user with this name/)
    assert.match(odd.err, /one of viewer, analyst, editor, admin/)
    assert.match(elsewhere.err, /there is no database/)
  })
})

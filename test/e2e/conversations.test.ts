/** Conversations that are sent again with each turn: caching their earlier parts changes no call. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { call, type Reply } from '../support/http.ts'
import { publishProfile } from '../support/publish-profile.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

let upstream: StubUpstream
let service: TestService
before(async () => {
  upstream = await startStubUpstream(answers())
  service = await startTestService({ upstream })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

const password = ['kqzvw', '81xq'].join('-')
const filler = 'Nothing of anybody stands in these lines, which are many. '.repeat(200)
const user = (content: string) => ({ role: 'user', content })
const remark = user(`We spoke of the halibut and of ${password} yesterday, and of nothing else.`)

const say = (messages: readonly object[], token = service.token): Promise<Reply> =>
  service.send('messages', JSON.stringify({ model: 'm', max_tokens: 16, system: filler, messages }), { token })

/** Bytes that were skipped because they were scanned before, over all calls so far. */
async function knownBytes(): Promise<number> {
  const { text } = await call(`${service.url}/metrics`, { method: 'GET' })
  return Number(/^sluice_ingress_known_bytes_total\{dialect="messages"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

/** What goes upstream, and how many of its bytes were not scanned again. */
async function sent(messages: readonly object[], token?: string): Promise<{ body: string; known: number }> {
  const before = await knownBytes()
  const reply = await say(messages, token)
  assert.equal(reply.status, 200, reply.text)
  return { body: upstream.lastBody(), known: (await knownBytes()) - before }
}

test('the second turn is recognised, but masked once an earlier message says what it contains', async () => {
  const first = await sent([remark])
  assert.equal(first.known, 0)
  assert.ok(first.body.includes(password))
  const second = await sent([remark, user('Please go on from there.')])
  assert.ok(second.known > filler.length + remark.content.length, `${second.known} bytes`)
  const told = await sent([user(`the password is ${password}`), remark])
  assert.ok(told.known > filler.length, `${told.known} bytes`)
  assert.equal(told.body.includes(password), false)
})

test('nothing is cached for another token', async () => {
  const other = await service.createToken()
  await sent([remark])
  assert.equal((await sent([remark], other.token)).known, 0)
  assert.ok((await sent([remark], other.token)).known > 0)
})

test('a word that the next policy denies is found in a cached message', async () => {
  await sent([remark])
  assert.ok((await sent([remark])).known > 0)
  await publishProfile(service, { deny: ['halibut'], actions: { kinds: { deny_word: 'mask' } } })
  const after = await sent([remark])
  assert.equal(after.known, 0)
  assert.equal(after.body.includes('halibut'), false)
  assert.ok(upstream.lastBody().includes('We spoke of the '))
})

/** The effect of a published redaction profile on the next model call. */
import assert from 'node:assert/strict'
import { createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { deriveKey } from '../../src/config/master-key.ts'
import { effectivePolicy, sequenceOf, standardPolicy } from '../../src/policy/revision.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { dialectNames, userBody, vendorError, type TestedDialect } from '../support/dialects.ts'
import type { Reply } from '../support/http.ts'
import { placeholdersIn } from '../support/placeholder.ts'
import { createPlanter } from '../support/planted.ts'
import { publishProfile as publish } from '../support/publish-profile.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

const planter = createPlanter(77)
const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The turns of an agent that was asked to read a file: the question, the call, and the tool result. */
function agentTurns(dialect: TestedDialect, fileText: string): unknown[] {
  const question = { role: 'user', content: 'What does .env say?' }
  if (dialect === 'messages') {
    return [
      question,
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_01A', name: 'read_file', input: { path: '.env' } }]
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01A', content: fileText }] }
    ]
  }
  const call = { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{"path":".env"}' } }
  return [
    question,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: fileText }
  ]
}

const bodyOf = (dialect: TestedDialect, messages: readonly unknown[]): string => userBody(dialect, '', { messages })

describe('a profile', () => {
  const running = new AsyncDisposableStack()
  const masterKey = randomBytes(32)
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(await startStubUpstream(answers()))
    const env = { SERVICE_MASTER_KEY: masterKey.toString('hex') }
    service = running.use(await startTestService({ upstream: stub, env }))
  })
  after(() => running.disposeAsync())

  const say = (text: string, dialect: TestedDialect = 'chat-completions'): Promise<Reply> =>
    service.send(dialect, userBody(dialect, text))

  test('with the preset `standard` blocks a turn whose tool result contains a key, and says how to continue', async () => {
    await publish(service, { preset: 'standard' })
    stub.forget()
    for (const dialect of dialectNames) {
      const key = planter('aws_access_key_id')
      const reply = await service.send(
        dialect,
        bodyOf(dialect, agentTurns(dialect, `AWS_ACCESS_KEY_ID=${key.value}\n`))
      )
      assert.equal(reply.status, 403, reply.text)
      const { code, message } = vendorError(dialect, reply)
      assert.equal(code, 'high_risk_content_blocked')
      assert.match(message, /AWS access key ID in messages\[2\] tool result/)
      assert.match(message, /Remove it and send the request again/)
      assert.ok(message.includes(reply.headers['x-request-id'] ?? '?'))
      assert.ok(!message.includes(key.needle))
    }
    assert.deepEqual(stub.received, [])
  })

  test('with the preset `coding-agents` masks the key in the tool result, and identically in every later turn', async () => {
    await publish(service, { preset: 'coding-agents' })
    for (const dialect of dialectNames) {
      const key = planter('aws_access_key_id')
      const turns = agentTurns(dialect, `AWS_ACCESS_KEY_ID=${key.value}\n`)
      const first = await service.send(dialect, bodyOf(dialect, turns))
      assert.equal(first.status, 200, first.text)
      assert.equal(first.headers['x-service-action'], 'mask')
      assert.equal(first.headers['x-service-risk-tier'], 'high')
      const [placeholder] = placeholdersIn(stub.lastBody())
      assert.ok(placeholder && !stub.lastBody().includes(key.needle))

      const firstUp = stub.lastBody()
      const next = [
        ...turns,
        { role: 'assistant', content: 'It holds a key.' },
        { role: 'user', content: 'Which region?' }
      ]
      const second = await service.send(dialect, bodyOf(dialect, next))
      assert.equal(second.status, 200, second.text)
      assert.deepEqual(placeholdersIn(stub.lastBody()), [placeholder])
      const common = firstUp.slice(0, firstUp.lastIndexOf(']'))
      assert.ok(stub.lastBody().startsWith(common), 'the part that was sent before goes up as before')
    }
  })

  test('with the preset `coding-agents` still blocks a key that a person just pasted, and continues without it', async () => {
    await publish(service, { preset: 'coding-agents' })
    for (const dialect of dialectNames) {
      const key = planter('github_token')
      const pasted = { role: 'user', content: key.sentence }
      stub.forget()
      const refused = await service.send(dialect, bodyOf(dialect, [pasted]))
      assert.equal(refused.status, 403, refused.text)
      assert.match(vendorError(dialect, refused).message, /messages\[0\]/)
      assert.deepEqual(stub.received, [])
      const further = await service.send(dialect, bodyOf(dialect, [pasted, { role: 'user', content: 'Never mind.' }]))
      assert.equal(further.status, 200, further.text)
      assert.ok(!stub.lastBody().includes(key.needle))
    }
  })

  test('that observes counts personal data and lets it pass, but still blocks secrets', async () => {
    await publish(service, { mode: 'observe' })
    const mail = planter('email')
    const reply = await say(mail.sentence)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers['x-service-action'], 'allow')
    assert.ok(stub.lastBody().includes(mail.value))
    const detail = await service.audit.only(reply.headers['x-request-id'] ?? '')
    assert.deepEqual(detail.detail['passedCounts'], { email_address: 1 })
    assert.equal((await say(planter('jwt').sentence)).status, 403)
  })

  test('adds patterns and words with actions of their own', async () => {
    await publish(service, {
      custom: [
        { id: 'ticket', pattern: 'TICK-[0-9]{4}', tests: { match: ['TICK-1234'] } },
        {
          id: 'vault_path',
          title: 'vault path',
          pattern: 'vault://[a-z/]+',
          tier: 'high',
          tests: { match: ['vault://a'] }
        }
      ],
      deny: ['Bluebird'],
      actions: { kinds: { ticket: 'allow' } }
    })
    const reply = await say('TICK-1234 of BLUEBIRD')
    assert.equal(reply.status, 200)
    assert.match(stub.lastBody(), /TICK-1234 of DENIED_WORD_[A-Z2-7]{10}/)
    const blocked = await say('see vault://prod/db')
    assert.equal(blocked.status, 403)
    assert.match(vendorError('chat-completions', blocked).message, /vault path in messages\[0\]/)
  })

  test('allows by value, by HMAC, by domain and by pattern', async () => {
    const allowKey = deriveKey(createSecretKey(masterKey), 'allow-list', defaultWorkspaceId)
    const hmac = (value: string): string => createHmac('sha256', allowKey).update(value).digest('hex')
    const [byValue, byHmac, other] = ['mia.kurz', 'leo.lang', 'ida.weit'].map((local) => `${local}@quillmark-labs.com`)
    await publish(service, {
      allow: {
        values: [byValue],
        hmacs: [hmac(byHmac as string)],
        emailDomains: ['fernweh-kontor.de'],
        patterns: [String.raw`ci-[0-9]+@quillmark-labs\.com`]
      }
    })
    await say(`${byValue} ${byHmac} ${other} kim@mail.fernweh-kontor.de ci-7@quillmark-labs.com`)
    const up = stub.lastBody()
    assert.match(up, new RegExp(`${byValue} ${byHmac} EMAIL_[A-Z2-7]{10} kim@mail.fernweh-kontor.de ci-7@quillmark`))
    assert.ok(!up.includes(other as string))
  })

  test('writes typed placeholders', async () => {
    await publish(service, { placeholder: 'typed' })
    await say(planter('email').sentence)
    assert.match(stub.lastBody(), /Please write to EMAIL about it\./)
  })

  test('lowers the limit on bodies', async () => {
    await publish(service, { limits: { bodyBytesMax: 2048 } })
    assert.equal((await say('x'.repeat(1000))).status, 200)
    assert.equal((await say('x'.repeat(3000))).status, 413)
    const packed = gzipSync(userBody('chat-completions', 'x'.repeat(3000)))
    assert.ok(packed.length < 2048)
    const headers = { 'content-encoding': 'gzip' }
    assert.equal((await service.send('chat-completions', packed, { headers })).status, 413, 'also compressed ones')
  })
})

test('if the server does not block, calls are reported under the id of the enforced policy', async () => {
  await using stub = await startStubUpstream(answers())
  await using service = await startTestService({ upstream: stub, env: { SERVICE_INGRESS_BLOCK_HIGH_RISK: 'false' } })
  const revision = await publish(service, { preset: 'coding-agents' })
  const reply = await service.send('messages', userBody('messages', planter('aws_access_key_id').sentence))
  assert.equal(reply.status, 200)
  const documents = { ...standardPolicy, redactionProfile: { version: 1, preset: 'coding-agents' } }
  const sequence = sequenceOf(revision) ?? 0
  const effective = effectivePolicy({ sequence, revision, ...documents }, { blockHighRisk: false }, sha256Hex)
  assert.equal(reply.headers['x-service-policy-revision'], effective.revision)
  assert.notEqual(effective.revision, revision)
})

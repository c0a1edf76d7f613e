/** Masked values are restored only for the client that sent them; and a block can be worded as a response. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import { formatSidecarHeader } from '../../src/protocol/sidecar-header.ts'
import { userBody } from '../support/dialects.ts'
import { placeholdersIn } from '../support/placeholder.ts'
import { createPlanter } from '../support/planted.ts'
import { publishProfile } from '../support/publish-profile.ts'
import { openServiceBySdks } from '../support/service-by-sdks.ts'
import type { TestService } from '../support/start-service.ts'
import type { StubUpstream } from '../support/stub-upstream.ts'
import { answerBody, repeatsPlaceholders } from '../support/upstream-behaviours.ts'

const planter = createPlanter(71)

const repeats = repeatsPlaceholders(
  (placeholders) => `You said ${placeholders.join(' and ')}. See https://a.example/?q=${placeholders[0]}`
)

describe('restore', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  let openai: OpenAI
  let anthropic: Anthropic
  before(async () => {
    ;({ stub, service, openai, anthropic } = running.use(await openServiceBySdks(repeats)))
  })
  after(() => running.disposeAsync())

  /** What a client reads when it says `text`, by API and by streaming mode. */
  const asked: Record<string, (text: string) => Promise<string>> = {
    chat: async (text) => {
      const messages = [{ role: 'user' as const, content: text }]
      const answer = await openai.chat.completions.create({ model: 'm', messages })
      return answer.choices[0]?.message.content ?? ''
    },
    'chat, streamed': async (text) => {
      const messages = [{ role: 'user' as const, content: text }]
      let out = ''
      for await (const chunk of await openai.chat.completions.create({ model: 'm', messages, stream: true }))
        out += chunk.choices[0]?.delta.content ?? ''
      return out
    },
    responses: async (text) => (await openai.responses.create({ model: 'm', input: text })).output_text,
    'responses, streamed': async (text) => {
      let out = ''
      for await (const event of await openai.responses.create({ model: 'm', input: text, stream: true }))
        if (event.type === 'response.output_text.delta') out += event.delta
      return out
    },
    messages: async (text) => {
      const messages = [{ role: 'user' as const, content: text }]
      const { content } = await anthropic.messages.create({ model: 'm', max_tokens: 9, messages })
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
    'messages, streamed': async (text) => {
      const messages = [{ role: 'user' as const, content: text }]
      return await anthropic.messages.stream({ model: 'm', max_tokens: 9, messages }).finalText()
    }
  }

  for (const [how, ask] of Object.entries(asked)) {
    test(`${how}: off by default, on with the preset, never a value of the high tier and never into a URL`, async () => {
      await publishProfile(service, { preset: 'standard' })
      const email = planter('email')
      assert.ok(!(await ask(email.sentence)).includes(email.needle))

      await publishProfile(service, { preset: 'coding-agents', blockHighRisk: false })
      const phone = planter('phone')
      const key = planter('aws_access_key_id')
      stub.forget()
      const text = await ask(`${email.sentence} ${phone.sentence} ${key.sentence}`)
      const sent = stub.lastBody()
      for (const { needle } of [email, phone, key]) assert.ok(!sent.includes(needle))
      const [ofEmail = '', ofPhone = '', ofKey = ''] = placeholdersIn(sent)
      assert.equal(
        text,
        `You said ${[email.value, phone.value, ofKey].join(' and ')}. See https://a.example/?q=${ofEmail}`
      )
      assert.ok(!text.includes(ofPhone))
    })
  }

  test('behind a sidecar nothing is restored: what its client may read is up to the policy there', async () => {
    await publishProfile(service, { preset: 'coding-agents' })
    const counts = { action: 'allow', riskTier: 'none', entitiesMasked: 0, entityCounts: {} } as const
    const ask = async (headers: Record<string, string>): Promise<boolean> => {
      const email = planter('email')
      const reply = await service.send('messages', userBody('messages', email.sentence), { headers })
      assert.equal(reply.status, 200, reply.text)
      assert.ok(!stub.lastBody().includes(email.needle))
      return reply.text.includes(email.value)
    }
    assert.equal(await ask({}), true)
    assert.equal(await ask({ 'x-service-sidecar': formatSidecarHeader(counts) }), false)
  })

  test('the record counts what was restored and what was not', async () => {
    await publishProfile(service, { preset: 'coding-agents' })
    const email = planter('email')
    const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: email.sentence }] })
    const reply = await service.send('messages', body)
    const detail = await service.audit.ingress(reply.headers['x-request-id'] ?? '')
    assert.partialDeepStrictEqual(detail, { action: 'mask', entitiesRestored: 1, placeholdersLeft: 1 })
  })

  test('tool arguments are restored for the tools of the profile, and masked again when they come back', async () => {
    await publishProfile(service, { preset: 'coding-agents', restore: { tools: ['edit*'] } })
    const email = planter('email')
    stub.behave((received, res) => {
      const [placeholder] = placeholdersIn(received.body.toString('utf8'))
      const call = (name: string) => ({
        type: 'tool_use',
        id: `toolu_${name}`,
        name,
        input: { text: `to ${placeholder}` }
      })
      const content = [call('edit_file'), call('fetch')]
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ ...answerBody(received, ''), content, stop_reason: 'tool_use' }))
    })
    const question = { role: 'user' as const, content: email.sentence }
    const answer = await anthropic.messages.create({ model: 'm', max_tokens: 9, messages: [question] })
    const inputs = answer.content.map((block) =>
      block.type === 'tool_use' ? (block.input as { text: string }).text : ''
    )
    const [placeholder] = placeholdersIn(stub.lastBody())
    assert.deepEqual(inputs, [`to ${email.value}`, `to ${placeholder}`])
    const first = stub.lastBody()
    await anthropic.messages.create({
      model: 'm',
      max_tokens: 9,
      messages: [question, { role: 'assistant', content: answer.content }]
    })
    assert.ok(!stub.lastBody().includes(email.needle))
    const common = first.slice(0, first.lastIndexOf(']'))
    assert.ok(stub.lastBody().startsWith(common), 'the earlier turn goes up as before')
    stub.behave(repeats)
  })

  test('a key is restored only in an edit of the text that contains it, and is masked again', async () => {
    const key = planter('github_token')
    const call = (name: string, input: object) => ({ type: 'tool_use', id: `toolu_${name}`, name, input })
    const read = [
      { role: 'user' as const, content: 'Add a comment to the file.' },
      { role: 'assistant' as const, content: [call('Read', { path: '.env' }) as Anthropic.ToolUseBlockParam] },
      {
        role: 'user' as const,
        content: [{ type: 'tool_result' as const, tool_use_id: 'toolu_Read', content: key.value }]
      }
    ]
    /** What the model answers with `key` for the key, and what its client should read, with `edited` in edits. */
    const answers = (text: string, edited: string) => [
      { type: 'text', text: `The key is ${text}.` },
      call('Edit', { file_path: '.env', old_string: edited, new_string: `# for git\n${edited}` }),
      call('edit', { filePath: 'index.html', oldString: '<body>', newString: `<body>${text}` }),
      call('Write', { file_path: '.env', content: text }),
      call('Bash', { command: `echo ${text}` }),
      call('mcp__notes__edit', { old_string: text, new_string: text })
    ]
    for (const [restore, isBack] of [
      [{}, true],
      [{ restore: { files: [] } }, false]
    ] as const) {
      await publishProfile(service, { preset: 'coding-agents', ...restore })
      stub.behave((received, res) => {
        const [placeholder = ''] = placeholdersIn(received.body.toString('utf8'))
        res.writeHead(200, { 'content-type': 'application/json' })
        const content = answers(placeholder, placeholder)
        res.end(JSON.stringify({ ...answerBody(received, ''), content, stop_reason: 'tool_use' }))
      })
      const { content } = await anthropic.messages.create({ model: 'm', max_tokens: 9, messages: read })
      const first = stub.lastBody()
      const [placeholder = ''] = placeholdersIn(first)
      assert.deepEqual(content, answers(placeholder, isBack ? key.value : placeholder))
      const history = [...read, { role: 'assistant' as const, content }]
      await anthropic.messages.create({ model: 'm', max_tokens: 9, messages: history })
      assert.ok(!stub.lastBody().includes(key.needle))
      assert.ok(
        stub.lastBody().startsWith(first.slice(0, first.lastIndexOf(']'))),
        'the earlier turn goes up as before'
      )
    }
    stub.behave(repeats)
  })

  test('a compaction returns the original text to the client, and the next turn goes up as the vendor knows it', async () => {
    await publishProfile(service, { preset: 'coding-agents' })
    const [email, phone] = [planter('email'), planter('phone')]
    stub.behave((received, res) => {
      const { input } = JSON.parse(received.body.toString('utf8')) as { input: { content: unknown }[] }
      const output = [...input, { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAABnQmJhc2U2NA==' }]
      const usage = { input_tokens: 9, output_tokens: 9, total_tokens: 18 }
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ id: 'resp_1', object: 'response.compaction', created_at: 1, output, usage }))
    })
    const text = { type: 'input_text' as const, text: phone.sentence }
    const input = [
      { type: 'message' as const, role: 'user' as const, content: email.sentence },
      { type: 'message' as const, role: 'user' as const, content: [text] }
    ]
    const { output } = await openai.responses.compact({ model: 'gpt-5', input })
    const sent = stub.lastBody()
    for (const { needle } of [email, phone]) assert.ok(!sent.includes(needle))
    assert.deepEqual(output.slice(0, 2), input)
    stub.behave(repeats)
    await openai.responses.create({ model: 'gpt-5', input: output as unknown as typeof input })
    const masked = JSON.parse(sent) as { input: unknown }
    assert.deepEqual((JSON.parse(stub.lastBody()) as { input: unknown[] }).input.slice(0, 2), masked.input)
  })

  test('JSON strings in the arguments of a call are masked inside, and remain valid JSON', async () => {
    await publishProfile(service, { preset: 'coding-agents' })
    const email = planter('email')
    const args = JSON.stringify({ path: 'a\\b', note: `line\nto "${email.value}"`, n: 7 })
    const call = { id: 'call_1', type: 'function' as const, function: { name: 'edit', arguments: args } }
    await openai.chat.completions.create({
      model: 'm',
      messages: [
        { role: 'user', content: email.sentence },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'done' }
      ]
    })
    const sent = JSON.parse(stub.lastBody()) as { messages: { tool_calls: { function: { arguments: string } }[] }[] }
    const masked = JSON.parse(sent.messages[1]?.tool_calls[0]?.function.arguments ?? '') as Record<string, string>
    assert.equal(masked['path'], 'a\\b')
    assert.match(masked['note'] ?? '', /^line\nto "EMAIL_[A-Z2-7]{10}"$/)
  })

  test('a block as a response: 200 with the message of the service, in each API, streamed or not; counts stay 403', async () => {
    await publishProfile(service, { preset: 'standard', blockAs: 'refusal' })
    stub.forget()
    for (const [how, ask] of Object.entries(asked)) {
      const key = planter('aws_access_key_id')
      const text = await ask(key.sentence)
      assert.match(text, /AWS access key ID in /, how)
      assert.match(text, /Request ID/i)
      assert.ok(!text.includes(key.needle))
    }
    assert.equal(stub.received.length, 0)
    const messages = [{ role: 'user' as const, content: planter('aws_access_key_id').sentence }]
    const refused = await anthropic.messages.create({ model: 'm', max_tokens: 9, messages })
    assert.equal(refused.stop_reason, 'end_turn')
    await assert.rejects(anthropic.messages.countTokens({ model: 'm', messages }), { status: 403 })
    const chat = await openai.chat.completions.create({ model: 'm', messages })
    assert.equal(chat.choices[0]?.finish_reason, 'content_filter')
  })
})

/**
 * Checks what is masked, and that everything else arrives byte for byte. Bodies are written by hand, with unusual white
 * space and escapes, because any re-serialization of the JSON would show there.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { TestedDialect } from '../support/dialects.ts'
import { assertOnlyMasked, placeholdersIn } from '../support/placeholder.ts'
import { createPlanter } from '../support/planted.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers, compresses } from '../support/upstream-behaviours.ts'

const planter = createPlanter(7)
const email = (): string => planter('email').value

const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex').toString('base64')
const signature = Buffer.from(Array.from({ length: 96 }, (_, i) => (i * 73 + 5) % 256)).toString('base64')

/** Fields in scope: each has one planted value in a text of its own. */
const maskedPlaces: Record<TestedDialect, Record<string, (value: string) => string>> = {
  'chat-completions': {
    'system string': (v) => `{"messages":[{"role":"system","content":"Owner: ${v}"}]}`,
    'system parts': (v) => `{"messages":[{"role":"system","content":[{"type":"text","text":"Owner: ${v}"}]}]}`,
    developer: (v) => `{"messages":[{"role":"developer","content":"Owner: ${v}"}]}`,
    'user string': (v) => `{"messages":[{"role":"user","content":"I am ${v}."}]}`,
    'user parts': (v) =>
      `{"messages":[{"role":"user","content":[{"type":"text","text":"Hello."},{"type":"text","text":"I am ${v}."}]}]}`,
    'role after content': (v) => `{"messages":[{"content":"I am ${v}.","role":"user"}]}`,
    'escaped key': (v) => String.raw`{"messages":[{"role":"user","\u0063ontent":"I am ${v}."}]}`,
    'escaped value': (v) => `{"messages":[{"role":"user","content":"I am ${v.replace('@', String.raw`\u0040`)}."}]}`,
    'tool result': (v) => `{"messages":[{"role":"tool","tool_call_id":"call_1","content":"{\\"mail\\":\\"${v}\\"}"}]}`,
    'tool result parts': (v) =>
      `{"messages":[{"role":"tool","tool_call_id":"call_1","content":[{"type":"text","text":"mail=${v}"}]}]}`,
    'function result': (v) => `{"messages":[{"role":"function","name":"look_up","content":"mail=${v}"}]}`,
    prediction: (v) =>
      `{"messages":[{"role":"user","content":"Go."}],"prediction":{"type":"content","content":"mail=${v}"}}`,
    'unknown part of a user': (v) =>
      `{"messages":[{"role":"user","content":[{"type":"hologram","caption":"mail=${v}"}]}]}`,
    'unknown role': (v) => `{"messages":[{"role":"narrator","content":"mail=${v}"}]}`,
    'doubled key in an unknown field': (v) =>
      `{"messages":[{"role":"user","content":[{"type":"text","text":"a","note":"${v}","note":"b"}]}]}`
  },
  messages: {
    'system string': (v) => `{"system":"Owner: ${v}","messages":[{"role":"user","content":"Hello."}]}`,
    'system blocks': (v) =>
      `{"system":[{"type":"text","text":"Owner: ${v}","cache_control":{"type":"ephemeral"}}],"messages":[]}`,
    'role system inside messages': (v) =>
      `{"messages":[{"role":"user","content":"Hello."},{"role":"system","content":"Owner: ${v}"}]}`,
    'role system with blocks': (v) =>
      `{"messages":[{"role":"system","content":[{"type":"text","text":"Owner: ${v}"}]}]}`,
    'user string': (v) => `{"messages":[{"role":"user","content":"I am ${v}."}]}`,
    'user blocks': (v) => `{"messages":[{"role":"user","content":[{"type":"text","text":"I am ${v}."}]}]}`,
    'tool result string': (v) =>
      `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"mail=${v}"}]}]}`,
    'tool result blocks': (v) =>
      `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"mail=${v}"}]}]}]}`,
    'text document': (v) =>
      `{"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"mail=${v}"}}]}]}`,
    'document title': (v) =>
      `{"messages":[{"role":"user","content":[{"type":"document","title":"Mail of ${v}","source":{"type":"text","media_type":"text/plain","data":"-"}}]}]}`,
    'document context': (v) =>
      `{"messages":[{"role":"user","content":[{"type":"document","context":"Mail of ${v}","source":{"type":"text","media_type":"text/plain","data":"-"}}]}]}`,
    'content document': (v) =>
      `{"messages":[{"role":"user","content":[{"type":"document","source":{"type":"content","content":[{"type":"text","text":"mail=${v}"}]}}]}]}`,
    'search result': (v) =>
      `{"messages":[{"role":"user","content":[{"type":"search_result","source":"wiki","title":"One","content":[{"type":"text","text":"mail=${v}"}]}]}]}`,
    'document in a tool result': (v) =>
      `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"mail=${v}"}}]}]}]}`
  }
}

/** A whole conversation as an agent sends it, including everything that must not change. */
function untouched(dialect: TestedDialect): string {
  return dialect === 'messages'
    ? `\n{ "model" : "model-one","max_tokens":9223372036854775807 ,"temperature":1.0e0,"zeta":1,"alpha":-0.0,
  "system":[{"type":"text","text":"caf\\u00e9 \\ud83d\\ude00 \\/ \\t\\u2028 {{0}}","cache_control":{"type":"ephemeral","ttl":"1h"}}],
  "messages":[ {"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${png}"}},
      {"type":"text","text":"caf\u00e9 \u{1f600} {{1}}"} ] },
    {"content":[{"type":"thinking","thinking":"They said: nothing much.","signature":"${signature}"},
      {"type":"redacted_thinking","data":"${signature}"},{"type":"text","text":"Let me look."},
      {"type":"tool_use","id":"toolu_01A09q90qw90lq917835lq9","name":"read","input":{"path":"src/a.ts","big":18446744073709551615}}],"role":"assistant"},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01A09q90qw90lq917835lq9","is_error":false,"content":"{{0}} and {{2}}"}]}],
  "metadata":{"user_id":"user_8d3a1f_account__session_1f0d3c2e-9f1b-4a77-8f57-0a4be6d2c001"},"thinking":{"type":"enabled","budget_tokens":1024},
  "unknown":{"b":[1,  2,{"a":null}],"a":true} ,"tools":[{"name":"read","description":"Reads a file.","input_schema":{"type":"object"}}]}\r\n`
    : `\t{ "model" : "model-one","seed":9223372036854775807 ,"temperature":1.0e0,"zeta":1,"alpha":-0.0,
  "messages":[ {"role":"system","content":"caf\\u00e9 \\ud83d\\ude00 \\/ \\t\\u2028 {{0}}"},
    {"role":"user","name":"someone","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,${png}","detail":"low"}},
      {"type":"text","text":"caf\u00e9 \u{1f600} {{1}}"} ] },
    {"tool_calls":[{"id":"call_9f2Kq","type":"function","function":{"name":"read","arguments":"{\\"path\\": \\"src/a.ts\\",\\"big\\":18446744073709551615}"}}],"content":null,"role":"assistant"},
    {"role":"tool","tool_call_id":"call_9f2Kq","content":"{{0}} and {{2}}"}],
  "metadata":{"run":"1f0d3c2e-9f1b-4a77-8f57-0a4be6d2c001"},"logit_bias":{"50256":-100},
  "unknown":{"b":[1,  2,{"a":null}],"a":true} ,"tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object"}}}]}\r\n`
}

describe('bytes', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(await startStubUpstream(answers()))
    service = running.use(await startTestService({ upstream: stub }))
  })
  after(() => running.disposeAsync())

  for (const [dialect, places] of Object.entries(maskedPlaces) as [
    TestedDialect,
    (typeof maskedPlaces)[TestedDialect]
  ][]) {
    for (const [place, body] of Object.entries(places)) {
      test(`${dialect}: ${place} is masked`, async () => {
        const value = email()
        const sent = body(value)
        const reply = await service.send(dialect, sent)
        assert.equal(reply.status, 200, reply.text)
        assert.equal(reply.headers['x-service-entities-masked'], '1')
        const received = stub.lastBody()
        const written = value.replace('@', place === 'escaped value' ? String.raw`\u0040` : '@')
        assert.equal(assertOnlyMasked(sent, received, [written]).size, 1, received)
      })
    }

    test(`${dialect}: everything that is not masked arrives byte for byte`, async () => {
      const values = [email(), planter('phone').value, email()]
      const sent = untouched(dialect).replace(/\{\{(\d)\}\}/g, (_, index: string) => values[Number(index)] as string)
      const reply = await service.send(dialect, sent)
      assert.equal(reply.status, 200, reply.text)
      assert.equal(assertOnlyMasked(sent, stub.lastBody(), values).size, 3)
      const clean = untouched(dialect).replace(/\{\{\d\}\}/g, 'nothing')
      await service.send(dialect, clean)
      assert.equal(stub.lastBody(), clean)
    })

    test(`${dialect}: appending a message changes no earlier byte`, async () => {
      const values = [email(), planter('phone').value, email()]
      const turn = untouched(dialect).replace(/\{\{(\d)\}\}/g, (_, index: string) => values[Number(index)] as string)
      await service.send(dialect, turn)
      const first = stub.lastBody()
      const at = turn.indexOf('}],\n  "metadata"') + 1
      await service.send(
        dialect,
        `${turn.slice(0, at)},{"role":"user","content":"Now ${email()} and ${values[2]}."}${turn.slice(at)}`
      )
      const second = stub.lastBody()
      const end = first.indexOf('],\n  "metadata"')
      assert.ok(end > 0)
      assert.equal(second.slice(0, end), first.slice(0, end))
      assert.equal(
        placeholdersIn(second).at(-1),
        placeholdersIn(first).at(-1),
        'a value seen before has its placeholder'
      )
    })
  }

  test('messages: a base64 text document is decoded, masked and encoded again', async () => {
    const value = email()
    const text = `Grüße an ${value} 😀\n`
    const document = (data: string): string =>
      `{"messages":[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"text/plain","data":"${data}"}}]}]}`
    const reply = await service.send('messages', document(Buffer.from(text).toString('base64')))
    assert.equal(reply.status, 200, reply.text)
    const data = /"data":"([^"]*)"/.exec(stub.lastBody())?.[1] ?? ''
    assert.equal(stub.lastBody(), document(data))
    assertOnlyMasked(text, Buffer.from(data, 'base64').toString('utf8'), [value])
  })

  test('chat-completions: a file of base64 text is decoded, masked and encoded again', async () => {
    const value = email()
    const text = `name,mail\nA,${value}\n`
    const file = (data: string): string =>
      `{"messages":[{"role":"user","content":[{"type":"file","file":{"filename":"a.csv","file_data":"data:text/csv;base64,${data}"}}]}]}`
    const reply = await service.send('chat-completions', file(Buffer.from(text).toString('base64')))
    assert.equal(reply.status, 200, reply.text)
    const data = /base64,([^"]*)"/.exec(stub.lastBody())?.[1] ?? ''
    assert.equal(stub.lastBody(), file(data))
    assertOnlyMasked(text, Buffer.from(data, 'base64').toString('utf8'), [value])
  })

  test('a high-risk value blocks wherever it occurs', async () => {
    const at: [TestedDialect, (value: string) => string][] = [
      ['messages', (v) => `{"messages":[{"role":"assistant","content":"${v}"}]}`],
      ['messages', (v) => `{"messages":[],"metadata":{"user_id":"${v}"}}`],
      ['messages', (v) => `{"messages":[],"tools":[{"name":"a","description":"${v}"}]}`],
      [
        'messages',
        (v) =>
          `{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"${v}","signature":"${signature}"}]}]}`
      ],
      [
        'messages',
        (v) =>
          `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"a","input":{"k":"${v}"}}]}]}`
      ],
      ['messages', (v) => `{"messages":[],"mcp_servers":[{"authorization_token":"${v}"}]}`],
      ['chat-completions', (v) => `{"messages":[{"role":"assistant","content":"${v}"}]}`],
      ['chat-completions', (v) => `{"messages":[],"user":"${v}"}`],
      ['chat-completions', (v) => `{"messages":[],"stop":["${v}"]}`],
      ['chat-completions', (v) => `{"messages":[],"unknown":{"${v}":1}}`],
      [
        'chat-completions',
        (v) =>
          `{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\\"k\\":\\"${v}\\"}"}}]}]}`
      ]
    ]
    for (const [dialect, body] of at) {
      const secret = planter('aws_access_key_id')
      stub.forget()
      const reply = await service.send(dialect, body(secret.value))
      assert.equal(reply.status, 403, `${body('VALUE')}: ${reply.text}`)
      assert.deepEqual(stub.received, [])
    }
  })

  test('responses pass byte for byte, compressed or not', async () => {
    const answer = '{ "id":"x" ,"usage":{"prompt_tokens":9223372036854775807},"content":"\\u00e9 EMAIL_AAAAAAAAAA"}\n'
    stub.behave((_, res) => void res.writeHead(200, { 'content-type': 'application/json' }).end(answer))
    assert.equal((await service.send('chat-completions', '{"messages":[]}')).text, answer)
    stub.behave(compresses)
    const reply = await service.send('chat-completions', '{"messages":[]}')
    assert.equal(reply.headers['content-encoding'], 'gzip')
    assert.match(gunzipSync(reply.bytes).toString(), /Compressed\./)
    stub.behave(answers())
  })
})

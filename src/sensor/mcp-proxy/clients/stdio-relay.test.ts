/** What happens to the messages that a gate judges, between a client on pipes and a server that keeps what it gets. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { eventually } from '../../../../test/support/eventually.ts'
import type { GateSession, Step } from '../gate-contract.ts'
import type { DownstreamEvents } from '../servers/downstream.ts'
import { StdioRelay } from './stdio-relay.ts'

const message = (text: string): Buffer => Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: text }))
const methodOf = (bytes: Uint8Array): string => (JSON.parse(Buffer.from(bytes).toString()) as { method: string }).method

/**
 * A relay whose gate answers by the method of a message; what it has no answer for passes unchanged.
 * @param steps by method
 */
function startRelay(steps: Readonly<Record<string, () => Step | Promise<Step>>>) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const toServer: string[] = []
  const server = { isFull: false }
  let events: DownstreamEvents | undefined
  const judge = (bytes: Uint8Array): Step | Promise<Step> => (steps[methodOf(bytes)] ?? (() => ({ forward: bytes })))()
  const session: GateSession = {
    fromClient: judge,
    fromServer: judge,
    errorWords: () => undefined,
    close: () => undefined
  }
  const relay = new StdioRelay({
    input,
    output,
    session,
    open: (given) => {
      events = given
      return {
        send: (bytes) => void toServer.push(methodOf(bytes)),
        get isFull() {
          return server.isFull
        },
        openRequests: 0,
        close: async () => undefined
      }
    },
    messageBytesMax: 1000,
    log: pino({ enabled: false })
  })
  let received = ''
  output.setEncoding('utf8').on('data', (text: string) => void (received += text))
  const lines = (): string[] => received.trimEnd().split('\n').filter(Boolean)
  return {
    input,
    toServer,
    /** Methods of the messages that the client has received. */
    toClient: () => lines().map((line) => methodOf(Buffer.from(line))),
    lines,
    output,
    close: () => relay.close(10),
    say: (...methods: readonly string[]) =>
      void input.write(methods.map((one) => `${message(one).toString()}\n`).join('')),
    fromServer: (method: string) => events?.onMessage(message(method)),
    /** Sets whether the server has room, and reports when it has some again. */
    fill(isFull: boolean) {
      server.isFull = isFull
      if (!isFull) events?.onDrain()
    },
    [Symbol.asyncDispose]: () => relay.close(0)
  }
}

type Relay = ReturnType<typeof startRelay>

/** Waits until the client has received as many messages, and returns them. */
const received = (relay: Relay, count: number): Promise<string[]> =>
  eventually('the messages', () => (relay.toClient().length >= count ? relay.toClient() : undefined))

describe('a client on pipes', () => {
  it('gets a refusal, and the server nothing', async () => {
    await using relay = startRelay({ refused: () => ({ reply: message('refusal') }) })
    relay.say('refused', 'fine')
    assert.deepEqual(await received(relay, 1), ['refusal'])
    assert.deepEqual(relay.toServer, ['fine'])
  })

  it('is asked for consent, and the message passes or is refused as it says', async () => {
    const consent = { yes: Promise.withResolvers<Step>(), no: Promise.withResolvers<Step>() }
    // oxlint-disable-next-line unicorn/no-thenable -- it holds a promise and no method, so nothing takes it for one
    const asking = (then: Promise<Step>) => () => ({ ask: { question: message('question'), then } })
    await using relay = startRelay({ risky: asking(consent.yes.promise), riskier: asking(consent.no.promise) })
    relay.say('risky', 'riskier', 'between')
    assert.deepEqual(await received(relay, 2), ['question', 'question'])
    assert.deepEqual(relay.toServer, ['between'])
    consent.yes.resolve({ forward: message('allowed') })
    consent.no.resolve({ reply: message('refusal') })
    assert.deepEqual(await received(relay, 3), ['question', 'question', 'refusal'])
    assert.deepEqual(relay.toServer, ['between', 'allowed'])
  })

  it('does not get what its server asks for in vain; the server gets the refusal', async () => {
    await using relay = startRelay({ sampling: () => ({ reply: message('refusal') }) })
    await relay.fromServer('sampling')
    await relay.fromServer('result')
    assert.deepEqual(await received(relay, 1), ['result'])
    assert.deepEqual(relay.toServer, ['refusal'])
  })

  it('that reads no more, but is still there, does not keep the relay from ending', async () => {
    await using relay = startRelay({})
    relay.output.pause()
    let waiting: Promise<void> | undefined
    for (let sent = 0; waiting === undefined && sent < 10_000; sent++) waiting = relay.fromServer('flood')
    assert.ok(waiting)
    await relay.close()
    relay.output.resume()
  })

  it('is not read while its server has no room', async () => {
    await using relay = startRelay({})
    relay.fill(true)
    relay.say('one')
    await eventually('the pause', () => relay.input.isPaused() || undefined)
    relay.say('two')
    relay.fill(false)
    await eventually('the rest', () => relay.toServer.length === 2 || undefined)
    assert.deepEqual(relay.toServer, ['one', 'two'])
    assert.ok(!relay.input.isPaused())
  })

  it('is not read while too many of its messages wait to be judged, and none is lost', async () => {
    const first = Promise.withResolvers<Step>()
    await using relay = startRelay({ slow: () => first.promise })
    const others = Array.from({ length: 100 }, (_, place) => `message ${place}`)
    relay.say('slow', ...others)
    await eventually('the pause', () => relay.input.isPaused() || undefined)
    assert.deepEqual(relay.toServer, [])
    first.resolve({ forward: message('slow') })
    await eventually('all messages', () => relay.toServer.length === 101 || undefined)
    assert.deepEqual(relay.toServer, ['slow', ...others])
    await eventually('the client being read', () => !relay.input.isPaused() || undefined)
  })

  it('that sends a message above the size limit is told so under its id, wherever that stands', async () => {
    await using relay = startRelay({})
    const params = { text: 'x'.repeat(20_000) }
    for (const request of [
      { id: 1, method: 'tools/call', params },
      { method: 'tools/call', params, jsonrpc: '2.0', id: 'last' }
    ])
      relay.input.write(`${JSON.stringify(request)}\n`)
    const answers = await eventually('both answers', () => (relay.lines().length === 2 ? relay.lines() : undefined))
    assert.deepEqual(
      answers.map((line) => (JSON.parse(line) as { id: unknown }).id),
      [1, 'last']
    )
    assert.deepEqual(relay.toServer, [])
  })
})

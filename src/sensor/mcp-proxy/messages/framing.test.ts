/** Messages are separated where they end, however the stream is cut, and parsed no further than needed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../../test/support/property.ts'
import { readCutEnvelope, readEnvelope } from './envelope.ts'
import { eventOf } from '../clients/http-answer.ts'
import { findMember, rawOf, withSpans } from './json-members.ts'
import { LineSplitter } from './line-splitter.ts'
import { encodeHeader } from './mirrored-headers.ts'
import { oneLine } from './one-line.ts'
import { EventTooLarge, readEvents } from './sse-reader.ts'

const bytesOf = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))

/** Cuts bytes at the given positions, as a pipe might. */
function* cutAt(bytes: Buffer, places: readonly number[]): Generator<Buffer> {
  const inside = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  let from = 0
  for (const to of [...inside, bytes.length]) {
    yield bytes.subarray(from, to)
    from = to
  }
}

describe('an envelope', () => {
  it('holds what the message says, in any order of its members', () => {
    const member = fc.tuple(fc.constantFrom('params', 'extra', 'jsonrpc', 'x"y'), fc.jsonValue())
    const id = fc.option(fc.oneof(fc.integer(), fc.string({ unit: 'binary' }), fc.constant(null)), { nil: undefined })
    const kind = fc.constantFrom('method', 'result', 'error', 'neither')
    fc.assert(
      fc.property(fc.array(member), id, kind, fc.nat(4), fc.boolean(), (others, id, kind, at, isSpaced) => {
        const entries: [string, unknown][] = others.filter(([key], i) => others.findIndex(([one]) => one === key) === i)
        if (id !== undefined) entries.splice(at, 0, ['id', id])
        if (kind !== 'neither')
          entries.splice(at >> 1, 0, [kind, kind === 'method' ? 'a/b"c' : { id: 'inner', method: 'no' }])
        const text = `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value, null, isSpaced ? 1 : 0)}`).join(',')}}`
        const read = readEnvelope(bytesOf(text))
        const isId = id !== undefined && id !== null
        const expected = {
          method: isId ? 'request' : 'notification',
          result: 'response',
          error: 'response',
          neither: 'unreadable'
        }
        assert.equal(read.kind, expected[kind])
        assert.equal(read.id, isId ? JSON.stringify(id) : undefined)
        assert.equal(read.method, kind === 'method' ? 'a/b"c' : undefined)
      })
    )
  })

  it('of what is not a message is `unreadable`, and does not throw', () => {
    for (const text of [
      '',
      ' ',
      '{',
      '{"',
      '{"id',
      '{"id"',
      '{"id":',
      '[1]',
      'null',
      '"x"',
      '{"method":5}',
      '{,}',
      '{"a\\":1}'
    ])
      assert.equal(readEnvelope(bytesOf(text)).kind, 'unreadable', text)
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void readEnvelope(bytes)))
  })

  it('is found in the two ends of a message, with the id first as well as last', () => {
    const filler = { text: '"id":1}, {"id":2'.repeat(40) }
    const endBytes = 100
    const id = fc.oneof(fc.integer(), fc.string({ unit: 'binary', maxLength: 8 }))
    const body = fc.constantFrom({ method: 'tools/call', params: filler }, { result: filler }, { error: filler })
    fc.assert(
      fc.property(id, body, fc.boolean(), fc.constantFrom(0, 2), (own, members, isFirst, indent) => {
        const whole = isFirst ? { jsonrpc: '2.0', id: own, ...members } : { ...members, jsonrpc: '2.0', id: own }
        const bytes = bytesOf(JSON.stringify(whole, undefined, indent))
        const read = readCutEnvelope(bytes.subarray(0, endBytes), bytes.subarray(-endBytes))
        assert.deepEqual(read, readEnvelope(bytes))
      })
    )
  })

  it('has no id that only looks like one at the end of a message', () => {
    for (const end of [
      '"id":7}}',
      '"id":7]',
      '"id":7',
      '"a","id":7},',
      '\\",\\"id":7}',
      '{"x":"id"}',
      '"id":[1]}}',
      ''
    ])
      assert.deepEqual(readCutEnvelope(bytesOf('{"method":"m",'), bytesOf(`,${end}`)).id, undefined, end)
  })

  it('gives the position of a value by its path, so that it can be replaced on its own', () => {
    const message = bytesOf('{"id" : 12, "params":{"_meta":{"a.b/progressToken":1,"progressToken":"t\\"}"}},"z":9e99}')
    const token = findMember(message, ['params', '_meta', 'progressToken'])
    const id = findMember(message, ['id'])
    assert.ok(token && id)
    assert.equal(rawOf(message, token), '"t\\"}"')
    const changed = withSpans(message, [
      { ...id, text: '"x"' },
      { ...token, text: '7' }
    ])
    assert.equal(
      Buffer.from(changed).toString(),
      '{"id" : "x", "params":{"_meta":{"a.b/progressToken":1,"progressToken":7}},"z":9e99}'
    )
    assert.equal(findMember(message, ['params', 'no', 'such']), undefined)
  })
})

describe('lines', () => {
  const split = (text: string, places: readonly number[], max: number) => {
    const lines: string[] = []
    const cut: string[][] = []
    const splitter = new LineSplitter(
      {
        line: (bytes) => lines.push(Buffer.from(bytes).toString()),
        tooLong: (...ends) => cut.push(ends.map((bytes) => Buffer.from(bytes).toString()))
      },
      max
    )
    for (const piece of cutAt(bytesOf(text), places)) splitter.push(piece)
    assert.ok(splitter.heldBytes <= max)
    splitter.end()
    return { lines, cut }
  }

  it('are the same however the pipe cuts them; empty ones are omitted', () => {
    const line = fc.oneof(fc.constantFrom('', '\r', 'a', '{"x":1}', 'grüße'), fc.string({ maxLength: 20 }))
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, places) => {
        const text = lines.join('\n')
        const expected = text.split('\n').flatMap((one) => one.replace(/\r$/, '') || [])
        assert.deepEqual(split(text, places, 1000).lines, expected)
      })
    )
  })

  it('over the limit are reported once by their two ends, and later lines are still read', () => {
    const long = `{"id":7,${' '.repeat(9000)}"id":8}`
    fc.assert(
      fc.property(fc.array(fc.nat()), (places) => {
        const { lines, cut } = split(`a\n${long}\nb\n${long}`, places, 20)
        assert.deepEqual(lines, ['a', 'b'])
        assert.equal(cut.length, 2)
        for (const [beginning = '', ending = ''] of cut) {
          assert.ok(beginning.length > 0 && long.startsWith(beginning))
          assert.ok(ending.length > 20 && ending.length <= 4096 && long.endsWith(ending))
        }
      })
    )
  })
})

describe('events', () => {
  async function read(text: string, places: readonly number[], max = 10_000): Promise<string[]> {
    const events: string[] = []
    async function* pieces() {
      yield* cutAt(bytesOf(text), places)
    }
    for await (const event of readEvents(pieces(), max)) events.push(event.toString())
    return events
  }

  it('end at a blank line, with any line end, and lose no byte', async () => {
    const event = fc.constantFrom(
      'data: 1\n\n',
      'data: ü\r\n\r\n',
      'id: 1\rdata: x\r\r',
      ': c\n\n',
      'event: a\ndata: b\ndata: c\n\n',
      '\n'
    )
    await fc.assert(
      fc.asyncProperty(fc.array(event), fc.boolean(), fc.array(fc.nat()), async (events, hasMark, places) => {
        // The CR of one event and the LF of the next would form one line end.
        const all = events.filter((one, i) => !(events[i - 1]?.endsWith('\r') && one.startsWith('\n')))
        const got = await read((hasMark ? '\uFEFF' : '') + all.join('') + 'data: rest', places)
        assert.equal(got.join(''), `${all.join('')}data: rest`)
        if (!all.includes('\n')) assert.deepEqual(got.slice(0, -1), all)
      })
    )
  })

  it('over the limit end the stream', async () => {
    await assert.rejects(read(`data: ${'x'.repeat(200)}\n\n`, [50, 100], 100), EventTooLarge)
    assert.equal((await read(`data: ${'x'.repeat(50)}\n\n`.repeat(9), [13, 77, 131], 100)).length, 9)
  })

  it('have one data line for a message, even if the message has several lines', () => {
    assert.equal(eventOf(bytesOf('{\r\n "a":\n1}')).toString(), 'event: message\ndata: {   "a": 1}\n\n')
    const same = bytesOf('{"a":1}')
    assert.equal(oneLine(same), same)
  })
})

it('header values are encoded if a header could not carry them', () => {
  const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`
  for (const plain of ['us-west1', 'a b', 'x']) assert.equal(encodeHeader(plain), plain)
  for (const odd of ['', ' a', 'a ', 'ü', 'a\nb', '=?base64?x?=']) assert.equal(encodeHeader(odd), encoded(odd))
})

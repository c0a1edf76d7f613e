import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { it } from 'node:test'
import { PolicyWriter } from './policy-writer.ts'

/** An answer whose writes complete on demand. */
function startWriter() {
  const written: string[] = []
  let done: (() => void) | undefined
  const socket = { destroyed: false }
  const connection: { socket: typeof socket | null } = { socket }
  const response = Object.assign(new EventEmitter(), connection, {
    destroyed: false,
    write(bytes: Buffer, whenWritten: () => void) {
      written.push(bytes.toString())
      done = whenWritten
    }
  })
  const writer = new PolicyWriter(response as unknown as ServerResponse)
  return { writer, response, socket, written, complete: () => done?.() }
}

it('has a client until the answer or its connection is gone', () => {
  const losses: ((state: ReturnType<typeof startWriter>) => void)[] = [
    ({ response }) => (response.destroyed = true),
    ({ response }) => (response.socket = null),
    ({ socket }) => (socket.destroyed = true)
  ]
  for (const lose of losses) {
    const state = startWriter()
    assert.equal(state.writer.isGone, false)
    state.writer.send(Buffer.from('one'))
    state.writer.send(Buffer.from('two'))
    lose(state)
    assert.equal(state.writer.isGone, true)
    state.complete()
    assert.deepEqual(state.written, ['one'], 'nothing is written to a client that is gone')
  }
})

it('has one write in progress, and behind it the newest frame alone', () => {
  const { writer, written, complete } = startWriter()
  const send = (text: string) => writer.send(Buffer.from(text))
  assert.deepEqual([send('one'), send('two'), send('three')], ['sent', 'held', 'coalesced'])
  writer.beat(Buffer.from('beat'))
  assert.ok(writer.stalledMs(performance.now() + 10) >= 10)
  complete()
  complete()
  assert.deepEqual(written, ['one', 'three'])
  assert.equal(writer.stalledMs(Infinity), 0)
  writer.beat(Buffer.from('beat'))
  assert.deepEqual(written, ['one', 'three', 'beat'])
})

it('survives the error of a connection that was just lost', () => {
  const { response } = startWriter()
  assert.ok(response.emit('error', new Error('lost')))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Channel, type Subscriber } from './channel.ts'
import { encodeFrame } from './frame.ts'
import { frameOf } from './hub.fixture.ts'

class Listener implements Subscriber {
  sequence: number
  readonly frames: Buffer[] = []

  constructor(sequence: number) {
    this.sequence = sequence
  }

  deliver(frame: Buffer, sequence: number): void {
    this.frames.push(frame)
    this.sequence = sequence
  }
}

test('a frame is sent in slices, as one shared buffer, and only to streams that lack it', async () => {
  const channel = new Channel<Listener>(3000)
  channel.offer(frameOf(1))
  const listeners = Array.from({ length: 200 }, () => new Listener(1))
  for (const listener of listeners) channel.streams.add(listener)
  channel.offer(frameOf(2))
  const served = (): number => listeners.filter(({ frames }) => frames.length > 0).length
  assert.ok(served() > 0 && served() < 200)
  const opening = new Listener(0)
  const greeted = new Listener(2)
  channel.streams.add(opening).add(greeted)
  while (served() < 200) await nextTurn()
  await nextTurn()
  assert.equal(new Set(listeners.flatMap(({ frames }) => frames)).size, 1)
  assert.deepEqual(listeners[0]?.frames, [encodeFrame(frameOf(2))])
  assert.deepEqual([...opening.frames, ...greeted.frames], [])
})

test('a frame that arrives while another is being sent replaces it for streams that have neither', async () => {
  const channel = new Channel<Listener>(3000)
  channel.offer(frameOf(1))
  const listeners = Array.from({ length: 200 }, () => new Listener(1))
  for (const listener of listeners) channel.streams.add(listener)
  for (const sequence of [2, 3, 4]) channel.offer(frameOf(sequence))
  while (listeners.some(({ sequence }) => sequence < 4)) await nextTurn()
  assert.equal(listeners.at(0)?.frames.length, 2)
  assert.equal(listeners.at(-1)?.frames.length, 1)
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MessageId } from './open-message.ts'
import { OpenRequests, type OpenRequest } from './open-requests.ts'

const request: OpenRequest = { kind: 'task' }
const idOf = (number: number): MessageId => ({ json: String(number), key: String(number) })
/** The limit of the module. */
const openMax = 10_000

/** Opens requests from a number on, until there is no room for another. @returns how many */
function fill(requests: OpenRequests, from: number): number {
  let count = 0
  while (requests.open(idOf(from + count), request)) count++
  return count
}

describe('when too many requests are open', () => {
  it('one that the client has cancelled gives way, and no other', () => {
    const requests = new OpenRequests()
    assert.equal(fill(requests, 0), openMax)
    requests.cancel('7')
    assert.ok(requests.open(idOf(openMax), request))
    assert.deepEqual([requests.isOpen(idOf(7)), requests.isOpen(idOf(8))], [false, true])
    assert.ok(!requests.open(idOf(openMax + 1), request))
  })

  for (const [how, end] of Object.entries({
    answered: (requests: OpenRequests): void => void requests.answer(idOf(7)),
    dropped: (requests: OpenRequests): void => requests.drop(idOf(7))
  }))
    it(`a new request stays open whose id belonged to one that was cancelled and ${how}`, () => {
      const requests = new OpenRequests()
      requests.open(idOf(7), request)
      requests.cancel('7')
      end(requests)
      requests.open(idOf(7), request)
      assert.equal(fill(requests, 100), openMax - 1)
      assert.ok(requests.isOpen(idOf(7)))
    })
})

it('an answer that is repeated is recognised, but not after 256 others, nor as the answer to a new request', () => {
  const requests = new OpenRequests()
  const first: OpenRequest = { kind: 'listen' }
  requests.open(idOf(0), first)
  for (let repeat = 0; repeat < 2; repeat++) assert.equal(requests.answer(idOf(0)), first)
  const answerOthers = (from: number, count: number): void => {
    for (let i = from; i < from + count; i++) {
      requests.open(idOf(i), request)
      requests.answer(idOf(i))
    }
  }
  answerOthers(1, 255)
  assert.equal(requests.answer(idOf(0)), first)
  answerOthers(256, 1)
  assert.equal(requests.answer(idOf(0)), undefined)
  requests.open(idOf(5), { kind: 'held' })
  assert.equal(requests.answer(idOf(5)), undefined)
  requests.open(idOf(6), request)
  requests.drop(idOf(6))
  assert.equal(requests.answer(idOf(6)), undefined)
})

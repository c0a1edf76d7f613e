import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnswerSink, UpstreamAnswer } from '../../upstream/exchange.ts'
import { peekAnswer } from './peek.ts'

test('an answer that is longer than the look at it goes on from its first byte, and does not stay paused', async () => {
  const heard: string[] = []
  let upstream: AnswerSink | undefined
  const answer: UpstreamAnswer = {
    status: 200,
    headers: {},
    receive: (sink) => (upstream = sink),
    resume: () => heard.push('resumed'),
    dismiss: () => heard.push('dismissed')
  }
  const peeking = peekAnswer(answer, 4)
  assert.equal(upstream?.data(Buffer.from('ab')), true)
  assert.equal(upstream?.data(Buffer.from('cdef')), false, 'nothing more until somebody reads')
  const peeked = await peeking
  assert.equal(peeked.beginning.toString(), 'abcdef')
  peeked.answer.receive({
    data: (chunk) => heard.push(String(chunk)) > 0,
    end: () => heard.push('end'),
    fail: () => heard.push('fail')
  })
  assert.deepEqual(heard, ['ab', 'cdef', 'resumed'])
  upstream?.data(Buffer.from('gh'))
  upstream?.end()
  assert.deepEqual(heard, ['ab', 'cdef', 'resumed', 'gh', 'end'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JudgingOrder } from './judging-order.ts'

interface Request {
  readonly name: string
  readonly args: readonly unknown[]
}

const draft = (name: string, rules: number): Request => ({
  name,
  args: [{ mcpToolPolicy: { version: 1, rules: Array.from({ length: rules }, () => ({ tool: 'a' })) } }, {}]
})

test('the oldest and the smallest request alternate, and each is taken once', () => {
  const order = new JudgingOrder<Request>()
  const taken = () => order.take()?.name
  for (const one of [draft('a', 900), draft('b', 800), draft('c', 700), draft('d', 2), draft('e', 1)]) order.add(one)
  const text = { name: 'text', args: [{ text: 'x'.repeat(20) }] }
  order.add(text)
  assert.deepEqual([taken(), taken(), taken(), taken(), taken()], ['a', 'e', 'b', 'd', 'c'])
  order.delete(text)
  assert.equal(taken(), undefined)
})

test('a large request is not delayed indefinitely by small ones that keep arriving', () => {
  const order = new JudgingOrder<Request>()
  const large = draft('large', 900)
  order.add(draft('first', 1))
  order.add(large)
  const taken: (string | undefined)[] = []
  for (let at = 0; at < 4; at++) {
    order.add(draft('small', 1))
    taken.push(order.take()?.name)
  }
  assert.ok(taken.includes('large'), String(taken))
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { formatTraceParent, isTraceId, parseTraceContext } from './trace-context.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const good = `00-${traceId}-${spanId}-01`

it('a context is parsed, and formatted as it was', () => {
  const context = parseTraceContext(good)
  assert.deepEqual(context, { traceId, spanId, isSampled: true })
  assert.equal(formatTraceParent(context), good)
  assert.equal(parseTraceContext(`00-${traceId}-${spanId}-00`)?.isSampled, false)
})

it('a later version is parsed by its leading fields, and formatted as version 00', () => {
  const context = parseTraceContext(`01-${traceId}-${spanId}-03-more`)
  assert.ok(context)
  assert.equal(formatTraceParent(context), good)
})

it('malformed headers are dropped', () => {
  const wrong = [
    '',
    'garbage',
    good.toUpperCase(),
    ` ${good}`,
    `${good}, ${good}`,
    `${good}-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    `01-${traceId}-${spanId}-01-${'x'.repeat(200)}`
  ]
  for (const parent of wrong) assert.equal(parseTraceContext(parent, 'a=1'), undefined, parent)
  assert.equal(parseTraceContext(undefined, 'a=1'), undefined)
})

it('a well-formed state within the limits passes, and any other is dropped on its own', () => {
  const stateOf = (state: string): string | undefined => parseTraceContext(good, state)?.state
  assert.equal(stateOf('rojo=00f067aa0ba902b7, congo=t61rcWkgMzE'), 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE')
  assert.equal(stateOf('fw529a3039@dt=FfAAAAA,,'), 'fw529a3039@dt=FfAAAAA')
  assert.equal(stateOf(Array.from({ length: 32 }, (_, n) => `a${n}=1`).join(','))?.split(',').length, 32)
  const wrong = ['', ' , ', 'a', 'a=', 'A=1', 'a=1=2', 'a=é', `a=${'x'.repeat(257)}`, 'a b=1']
  const many = Array.from({ length: 33 }, (_, n) => `a${n}=1`).join(',')
  for (const state of [...wrong, many, `a=${'x'.repeat(250)},b=${'x'.repeat(250)},c=${'x'.repeat(50)}`]) {
    assert.equal(stateOf(state), undefined, state)
    assert.equal(parseTraceContext(good, state)?.traceId, traceId)
  }
})

it('a trace id is 32 hexadecimal digits, not all zero', () => {
  assert.ok(isTraceId(traceId) && isTraceId(traceId.toUpperCase()))
  for (const text of ['', '0'.repeat(32), traceId.slice(1), `${traceId}0`, 'g'.repeat(32)]) assert.ok(!isTraceId(text))
})

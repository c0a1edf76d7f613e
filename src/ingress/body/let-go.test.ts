import assert from 'node:assert/strict'
import { test } from 'node:test'
import { letGo } from './let-go.ts'

test('memory that only this buffer uses is freed at once', () => {
  const bytes = Buffer.alloc(100_000, 'x')
  letGo(bytes)
  assert.equal(bytes.length, 0)
  assert.equal(bytes.buffer.byteLength, 0)
})

test('memory shared with other buffers stays', () => {
  const whole = Buffer.alloc(100_000, 'x')
  const part = whole.subarray(0, 50_000)
  letGo(part)
  letGo(whole.subarray(1))
  assert.equal(part.toString(), 'x'.repeat(50_000))
  const pooled = Buffer.from('x'.repeat(1000))
  letGo(pooled)
  assert.equal(pooled.toString(), 'x'.repeat(1000))
})

test('memory shared with another thread stays', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(100_000)).fill(1)
  letGo(shared)
  assert.equal(shared.length, 100_000)
})

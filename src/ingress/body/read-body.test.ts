import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, IncomingMessage, request } from 'node:http'
import { connect, Socket, type AddressInfo } from 'node:net'
import { mock, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { eventually } from '../../../test/support/eventually.ts'
import { createByteBudget } from './byte-budget.ts'
import { readBody, type BodyLimits } from './read-body.ts'

const limits: BodyLimits = { bodyBytesMax: 1000, inflatedBytesMax: 5000, uploadTimeoutMs: 5000 }

/** Serves one request by reading its body. @returns the outcome */
async function reading(
  send: (port: number) => void,
  options: { limits?: Partial<BodyLimits>; budgetBytes?: number; isLate?: boolean } = {}
): Promise<{ text?: string; wireBytes?: number; error?: string; budgetLeft: number }> {
  const budget = createByteBudget(options.budgetBytes ?? 200_000)
  const outcome = Promise.withResolvers<{ text?: string; wireBytes?: number; error?: string; budgetLeft: number }>()
  const serve = async (req: IncomingMessage): Promise<void> => {
    try {
      if (options.isLate) await eventually('the request is there', () => req.complete || undefined)
      const held = await readBody(req, { ...limits, ...options.limits }, budget)
      const { wireBytes } = held
      const text = held.bytes.toString()
      held.release()
      held.release()
      outcome.resolve({ text, wireBytes, budgetLeft: budget.taken })
    } catch (error) {
      const { code, name } = error as { code?: string; name: string }
      outcome.resolve({ error: code ?? name, budgetLeft: budget.taken })
    }
  }
  const server = createServer((req, res) => {
    void serve(req).then(() => res.end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  send((server.address() as AddressInfo).port)
  const result = await outcome.promise
  server.closeAllConnections()
  server.close()
  return result
}

function post(body: Buffer | string, headers: Record<string, string> = {}) {
  return (port: number): void => {
    const req = request({ port, method: 'POST', headers, agent: false })
    req.on('error', () => undefined)
    req.end(body)
  }
}

test('a body is read whole, and its bytes are returned to the budget once', async () => {
  assert.deepEqual(await reading(post('{"a":"é"}')), { text: '{"a":"é"}', wireBytes: 10, budgetLeft: 0 })
})

test('every encoding is inflated', async () => {
  const short = JSON.stringify({ text: 'x'.repeat(2000) })
  // More than a decoder emits at a time.
  const long = JSON.stringify(Array.from({ length: 40_000 }, (_, i) => i))
  const limits = { bodyBytesMax: 300_000, inflatedBytesMax: long.length }
  for (const [encoding, compress] of [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['GZIP', gzipSync]
  ] as const) {
    for (const text of [short, long]) {
      const send = post(compress(Buffer.from(text)), { 'content-encoding': encoding })
      const result = await reading(send, { limits, budgetBytes: 600_000 })
      assert.equal(result.text, text, encoding)
      assert.equal(result.budgetLeft, 0)
    }
  }
})

test('each fault has its own code and holds no bytes afterwards', async () => {
  const bomb = gzipSync(Buffer.alloc(6000))
  const table: [string, Parameters<typeof reading>[0], string, Parameters<typeof reading>[1]?][] = [
    ['declared too large', post('x'.repeat(1001)), 'body_too_large'],
    ['inflates too large', post(bomb, { 'content-encoding': 'gzip' }), 'inflated_too_large'],
    ['unknown encoding', post('x', { 'content-encoding': 'compress' }), 'unsupported_encoding'],
    ['two encodings', post('x', { 'content-encoding': 'gzip, br' }), 'unsupported_encoding'],
    ['corrupt encoding', post('not gzip', { 'content-encoding': 'gzip' }), 'invalid_encoding'],
    [
      'cut encoding',
      post(gzipSync(Buffer.from('abc')).subarray(0, 12), { 'content-encoding': 'gzip' }),
      'invalid_encoding'
    ],
    ['not UTF-8', post(Buffer.from([0x22, 0xff, 0x22])), 'invalid_utf8'],
    ['beyond the budget', post('x'.repeat(900)), 'overloaded', { budgetBytes: 500 }]
  ]
  for (const [label, send, code, options] of table) {
    for (const isLate of [false, true]) {
      const result = await reading(send, { ...options, isLate })
      assert.equal(result.error, code, label)
      assert.equal(result.budgetLeft, 0, label)
    }
  }
})

test('a body that has already arrived is read like any other, without waiting', async () => {
  const isLate = true
  for (const text of ['', '{"a":"é"}', 'x'.repeat(1000), 'x'.repeat(100_000)]) {
    const wireBytes = Buffer.byteLength(text)
    const wide = { bodyBytesMax: 100_000 }
    assert.deepEqual(await reading(post(text), { isLate, limits: wide }), { text, wireBytes, budgetLeft: 0 })
  }
  const chunked = post('x'.repeat(1001), { 'transfer-encoding': 'chunked' })
  assert.deepEqual(await reading(chunked, { isLate }), { error: 'body_too_large', budgetLeft: 0 })
  const timer = mock.method(globalThis, 'setTimeout')
  try {
    for (const isEnded of [true, false]) {
      const whole = new IncomingMessage(new Socket())
      whole.headers['content-length'] = '2'
      for (const chunk of ['{', '}']) whole.push(chunk)
      if (isEnded) whole.push(null)
      whole.complete = isEnded
      const held = await readBody(whole, limits, createByteBudget(2))
      assert.equal(held.bytes.toString(), '{}')
      assert.equal(timer.mock.callCount(), 0)
      // The parser releases a request whose end was read.
      if (!isEnded) whole.push(null)
      await eventually('the end is read', () => whole.readableEnded || undefined)
      timer.mock.resetCalls()
    }
  } finally {
    timer.mock.restore()
  }
})

test('a body that is still arriving, or whose client has gone, is not taken for complete', async () => {
  const half = new IncomingMessage(new Socket())
  half.headers['content-length'] = '4'
  half.push('{}')
  const reading = readBody(half, limits, createByteBudget(4))
  half.push('  ')
  half.push(null)
  assert.equal((await reading).bytes.toString(), '{}  ')
  const gone = new IncomingMessage(new Socket())
  gone.headers['content-length'] = '4'
  gone.destroy()
  await once(gone, 'close')
  await assert.rejects(readBody(gone, limits, createByteBudget(4)), { name: 'ClientGone' })
})

test('chunks of any size are assembled, and tiny ones are not kept one by one', async () => {
  const parts = Array.from({ length: 30_000 }, (_, i) => String.fromCharCode(97 + (i % 26)).repeat(i % 5000 ? 1 : 5000))
  const send = (port: number): void => {
    const socket = connect({ port, host: '127.0.0.1' })
    const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
    socket.end(`${chunks.join('')}0\r\n\r\n`)
  }
  const concat = mock.method(Buffer, 'concat')
  const { text, budgetLeft } = await reading(send, { limits: { bodyBytesMax: 100_000 } })
  const kept = Math.max(...concat.mock.calls.map(({ arguments: [list] }) => list.length))
  concat.mock.restore()
  assert.equal(text, parts.join(''))
  assert.equal(budgetLeft, 0)
  assert.ok(kept > 1 && kept < 50, `${kept} pieces`)
})

test('decompressed bytes count against the budget as they are produced', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const options = { limits: { bodyBytesMax: 100_000, inflatedBytesMax: 100_000_000 }, budgetBytes: 1_000_000 }
  const result = await reading(post(bomb, { 'content-encoding': 'gzip' }), options)
  assert.deepEqual(result, { error: 'overloaded', budgetLeft: 0 })
})

test('a decompression bomb in any encoding is cut at the limit', async () => {
  for (const [encoding, compress] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync]
  ] as const) {
    const bomb = compress(Buffer.alloc(20_000_000))
    const result = await reading(post(bomb, { 'content-encoding': encoding }), { limits: { bodyBytesMax: 100_000 } })
    assert.deepEqual(result, { error: 'inflated_too_large', budgetLeft: 0 }, encoding)
  }
})

/**
 * A frame with one raw block (RFC 8878, 3.1.1) that requests a window of `2 ** windowLog` bytes, whatever it contains.
 */
function zstdFrame(windowLog: number, text: string): Buffer {
  const [magic, descriptor, window] = [[0x28, 0xb5, 0x2f, 0xfd], 0, (windowLog - 10) << 3]
  const isLast = 1
  const block = Buffer.alloc(3)
  block.writeUIntLE((text.length << 3) | isLast, 0, 3)
  return Buffer.concat([Buffer.of(...magic, descriptor, window), block, Buffer.from(text)])
}

test('a few bytes that request a window above the limit for HTTP are refused', async () => {
  const text = '{"a":1}'
  const read = (windowLog: number) => reading(post(zstdFrame(windowLog, text), { 'content-encoding': 'zstd' }))
  assert.equal((await read(23)).text, text)
  for (const windowLog of [24, 27]) {
    assert.deepEqual(await read(windowLog), { error: 'invalid_encoding', budgetLeft: 0 })
  }
})

test('a truncated or damaged stream is refused, and junk after its end is dropped', async () => {
  const text = JSON.stringify({ text: 'abc'.repeat(100) })
  for (const [encoding, compress] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync]
  ] as const) {
    const whole = compress(Buffer.from(text))
    const headers = { 'content-encoding': encoding }
    assert.equal((await reading(post(whole.subarray(0, -1), headers))).error, 'invalid_encoding', encoding)
    assert.equal((await reading(post('', headers))).error, 'invalid_encoding', encoding)
    const { text: read, error } = await reading(post(Buffer.concat([whole, Buffer.from('junk')]), headers))
    if (encoding === 'gzip') assert.ok(read === text || error === 'invalid_encoding')
    else assert.equal(read, text, encoding)
  }
  const damaged = gzipSync(Buffer.from(text))
  damaged[damaged.length - 6] = (damaged[damaged.length - 6] ?? 0) ^ 0xff
  assert.equal((await reading(post(damaged, { 'content-encoding': 'gzip' }))).error, 'invalid_encoding')
})

test('an upload without a declared length is cut at the limit', async () => {
  const result = await reading((port) => {
    const req = request({ port, method: 'POST', agent: false })
    req.on('error', () => undefined)
    for (let i = 0; i < 20; i++) req.write('x'.repeat(100))
    req.end()
  })
  assert.equal(result.error, 'body_too_large')
})

test('a slow upload ends at the timeout', async () => {
  const slow = (port: number): void => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf')
  }
  assert.equal((await reading(slow, { limits: { uploadTimeoutMs: 50 } })).error, 'upload_timeout')
})

test('a client that leaves during the upload is reported as gone', async () => {
  const leaving = (port: number): void => {
    const socket = connect(port, '127.0.0.1')
    // Only once the bytes are on their way: a connection reset before that is not a client that left during its upload.
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf', () => socket.destroy())
  }
  assert.equal((await reading(leaving)).error, 'ClientGone')
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pino } from 'pino'
import { eventually } from '../../../../test/support/eventually.ts'
import { ChildDownstream } from './child-downstream.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-child-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A server that reads `lines`, and writes with `tell`; `run` is the number of its start. */
const serverOf = (name: string, body: string): string => `
  const { appendFileSync, readFileSync } = require('node:fs')
  const file = ${JSON.stringify(join(folder, name))}
  appendFileSync(file, '.')
  const run = readFileSync(file).length
  const tell = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
  const lines = require('node:readline').createInterface({ input: process.stdin })
  ${body}`

interface Told {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

function openServer(name: string, body: string, requestTimeoutMs = 60_000) {
  const told: Told[] = []
  let drains = 0
  const command = { command: process.execPath, args: ['-e', serverOf(name, body)], env: process.env }
  const limits = { messageBytesMax: 1_000_000, requestTimeoutMs, log: pino({ level: 'silent' }) }
  const server = new ChildDownstream(
    { ...command, ...limits },
    {
      onMessage: (message) => void told.push(JSON.parse(Buffer.from(message).toString()) as Told),
      onDrain: () => drains++
    }
  )
  let id = 0
  const send = (message: object): void => server.send(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })))
  const ask = (method: string): Promise<Told> => {
    const own = ++id
    send({ id: own, method })
    return eventually(`the answer to ${method}`, () => told.find((message) => message.id === own))
  }
  return { server, send, ask, told, drains: () => drains }
}

/** Begins a session, and lets the server exit: the next request starts it again. */
async function begin({ ask, send, server }: ReturnType<typeof openServer>): Promise<void> {
  await ask('initialize')
  send({ method: 'notifications/initialized' })
  send({ method: 'exit' })
  await ask('lost')
  assert.equal(server.isFull, false)
}

describe('a server on pipes that is started again', () => {
  it('and refuses the handshake costs the waiting requests, and later ones are heard', async (test) => {
    const opened = openServer(
      'refusing',
      `lines.on('line', (line) => {
        const { id, method } = JSON.parse(line)
        if (method === 'exit') process.exit(0)
        if (method === 'initialize' && run === 2) tell({ id, error: { code: -32603, message: 'no' } })
        else if (id !== undefined && method !== 'lost') tell({ id, result: { run } })
      })`
    )
    test.after(() => opened.server.close(0))
    await begin(opened)
    const before = opened.drains()
    assert.match((await opened.ask('ping')).error?.message ?? '', /did not take the handshake/)
    assert.equal(opened.server.isFull, false)
    assert.ok(opened.drains() > before)
    const answered = await eventually('a run that takes it', async () => (await opened.ask('ping')).result)
    assert.deepEqual(answered, { run: 3 })
  })

  it('and stays silent is ended when the time for the request is over', async (test) => {
    const opened = openServer(
      'silent',
      `lines.on('line', (line) => {
        const { id, method } = JSON.parse(line)
        if (method === 'exit') process.exit(0)
        if (run !== 2 && id !== undefined && method !== 'lost') tell({ id, result: { run } })
      })`,
      20_000
    )
    test.after(() => opened.server.close(0))
    await begin(opened)
    const lost = opened.ask('ping')
    const now = performance.now.bind(performance)
    test.mock.method(performance, 'now', () => now() + 30_000)
    assert.match((await lost).error?.message ?? '', /silent for 20000 ms/)
    assert.equal(opened.server.isFull, false)
    const answered = await eventually('the third run', async () => (await opened.ask('ping')).result)
    assert.deepEqual(answered, { run: 3 })
  })
})

it('an answer above the size limit becomes an error, though its id follows what is dropped', async (test) => {
  const opened = openServer(
    'huge',
    `lines.on('line', (line) => {
      const { id } = JSON.parse(line)
      const result = { text: 'x'.repeat(2_000_000) }
      process.stdout.write(JSON.stringify({ result, jsonrpc: '2.0', id }) + '\\n')
    })`
  )
  test.after(() => opened.server.close(0))
  assert.match((await opened.ask('tools/call')).error?.message ?? '', /more than 1000000 bytes/)
})

it('a server that is silent for too long is told that its answer is no longer wanted', async (test) => {
  const opened = openServer(
    'slow',
    `let cancelled
    lines.on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      if (method === 'notifications/cancelled') cancelled = params.requestId
      if (method === 'seen') tell({ id, result: { cancelled } })
    })`,
    20_000
  )
  test.after(() => opened.server.close(0))
  const slow = opened.ask('slow')
  const now = performance.now.bind(performance)
  test.mock.method(performance, 'now', () => now() + 30_000)
  assert.match((await slow).error?.message ?? '', /silent for 20000 ms/)
  assert.deepEqual((await opened.ask('seen')).result, { cancelled: 1 })
})

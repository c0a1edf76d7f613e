import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'

const file = join(import.meta.dirname, 'demo.ts')

function start(args: readonly string[]) {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return { child, ended, output: () => output }
}

test('the demo keeps its promises and ends with status 0', async () => {
  const demo = start(['--exit'])
  assert.equal(await demo.ended, 0, demo.output())
  assert.match(demo.output(), /All \d+ checks passed\./)
  assert.doesNotMatch(demo.output(), /✗|\u001b/)
})

test('if it keeps running, it answers the proposed call, and Ctrl-C ends it with status 0', async () => {
  const demo = start([])
  try {
    const endedEarly = demo.ended.then(() => assert.fail(demo.output()))
    while (!/^ {2}-d /m.test(demo.output())) await Promise.race([once(demo.child.stdout, 'data'), endedEarly])
    const url = /base URL +(\S+)/.exec(demo.output())?.[1]
    const authorization = /authorization: (Bearer \S+)'/.exec(demo.output())?.[1] ?? ''
    const body = /^ {2}-d '(.+)'$/m.exec(demo.output())?.[1] ?? ''
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await (await fetch(`${url}/chat/completions`, { method: 'POST', headers, body })).text()
    // The preset of the last step is in force: the address was sent as a placeholder and restored in the answer.
    assert.match(answer, /You said: Write to [\w.]+@/)
    // The screen output is written in parallel to the answer, and may arrive after it.
    const shown = /upstream received {2}user: Write to EMAIL_[A-Z2-7]{10}/
    while (!shown.test(demo.output())) await Promise.race([once(demo.child.stdout, 'data'), endedEarly])
  } finally {
    demo.child.kill('SIGINT')
  }
  assert.equal(await demo.ended, 0)
})

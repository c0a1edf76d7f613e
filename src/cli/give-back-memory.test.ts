import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it, mock } from 'node:test'
import { giveBackWhenQuiet } from './give-back-memory.ts'

const source = JSON.stringify(join(import.meta.dirname, 'give-back-memory.ts'))

describe('a start', () => {
  it('runs without optimisation, and what is called often afterwards is optimised', () => {
    const script = `
      import { setTimeout as sleep } from 'node:timers/promises'
      import { giveBackMemory, startLightly } from ${source}
      // The loop is inside the function: a surrounding loop could inline the function before that is optimised on its
      // own.
      const sum = (name) => new Function('return function ' + name + '() { let s = 0; for (let i = 0; i < 2e7; i++) s += i % 7; return s }')()
      const left = new WeakRef([])
      startLightly()
      sum('early')()
      giveBackMemory()
      // The timer of the collection is before this one.
      await sleep(1001)
      console.log('collected', left.deref() === undefined)
      sum('late')()`
    const args = ['--trace-opt', '--input-type=module', '-e', script]
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    const optimised = [...stdout.matchAll(/compiling method 0x[0-9a-f]+ <JSFunction (\w+) .*TURBOFAN/g)]
    const names = optimised.map(([, name]) => name)
    assert.ok(names.includes('late') && !names.includes('early'), names.join(' '))
    assert.match(stdout, /^collected true$/m)
  })
})

describe('a spell of work', () => {
  it('is followed by a collection once it is over, and only then', () => {
    mock.timers.enable({ apis: ['setInterval'] })
    try {
      let usedMs = 0
      let held = 0
      let collections = 0
      giveBackWhenQuiet(
        () => void held++,
        () => usedMs,
        () => void collections++
      )
      const after = (workMs: number): number => {
        usedMs += workMs
        mock.timers.tick(30_000)
        return collections
      }
      assert.equal(after(0), 0, 'nothing was done')
      assert.equal(held, 0, 'nothing is worth holding yet')
      assert.equal(after(5000), 0, 'it is still working')
      assert.equal(held, 1, 'held during the work')
      assert.equal(after(200), 1, 'it has come to rest')
      assert.equal(after(200), 1, 'there is nothing more to give back')
      for (let i = 0; i < 4; i++) after(200)
      assert.equal(collections, 2, 'little work adds up')
      assert.equal(held, 1, 'held for good')
    } finally {
      mock.timers.reset()
    }
  })
})

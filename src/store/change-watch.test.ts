import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { ChangeWatch } from './change-watch.ts'

/** A counter that can be unreachable, and a watch that only polls when told to. */
function createWatch() {
  const counter = { value: 1, isAway: false, reads: 0 }
  const watch = new ChangeWatch(
    async () => {
      counter.reads++
      if (counter.isAway) throw new Error('away')
      return counter.value
    },
    { pollMs: 1_000_000 }
  )
  let calls = 0
  const end = watch.onChange(() => void calls++)
  const callsAfter = async (act: () => void): Promise<number> => {
    calls = 0
    act()
    await turn()
    return calls
  }
  return { counter, watch, end, callsAfter }
}

describe('the watch of the change counter', () => {
  it('calls on the first poll, on every change, and not without one', async () => {
    const { counter, watch, callsAfter } = createWatch()
    assert.equal(await callsAfter(() => {}), 1)
    assert.equal(await callsAfter(() => watch.hint()), 0)
    counter.value++
    assert.equal(await callsAfter(() => watch.hint()), 1)
    watch.close()
  })

  it('calls when contact is restored, changed or not', async () => {
    const { counter, watch, callsAfter } = createWatch()
    await callsAfter(() => {})
    counter.isAway = true
    assert.equal(await callsAfter(() => watch.hint()), 0)
    counter.isAway = false
    assert.equal(await callsAfter(() => watch.hint()), 1)
    assert.equal(await callsAfter(() => watch.missed()), 1)
    watch.close()
  })

  it('turns many hints into one poll, and one more for those that came in the meantime', async () => {
    const { counter, watch, callsAfter } = createWatch()
    await callsAfter(() => {})
    counter.reads = 0
    counter.value++
    assert.equal(await callsAfter(() => [1, 2, 3, 4].forEach(() => watch.hint())), 1)
    assert.equal(counter.reads, 2)
    watch.close()
  })

  it('does not poll without listeners', async () => {
    const { counter, watch, end, callsAfter } = createWatch()
    await callsAfter(() => {})
    end()
    counter.reads = 0
    await callsAfter(() => watch.hint())
    assert.equal(counter.reads, 0)
    watch.onChange(() => {})
    await turn()
    assert.equal(counter.reads, 1)
    watch.close()
  })

  it('calls a listener that comes after the last one left during a poll', async () => {
    const { watch, end, callsAfter } = createWatch()
    end()
    await callsAfter(() => {})
    let calls = 0
    watch.onChange(() => void calls++)
    await turn()
    assert.equal(calls, 1)
    watch.close()
  })
})

import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { filler } from '../sample-text.ts'
import { blockOfDepth, blockUnits, TextBlock } from '../engine/text-block.ts'
import { RunFinder } from './encoded-run.ts'

/** A name of 26 letters, as program text is full of. */
const name = 'listManagedAgentsOfSession'

/** For each run of a text, where it starts and ends, and whether it may have a digit. */
function runsOf(
  text: string,
  block = blockOfDepth(0)
): (readonly [start: number, end: number, mayHaveDigit: boolean])[] {
  const finder = new RunFinder(text)
  const runs: (readonly [number, number, boolean])[] = []
  for (let from = 0; from < text.length; from += blockUnits) {
    block.load(text, from, Math.min(text.length, from + blockUnits))
    for (let start = finder.next(block); start >= 0; start = finder.next(block)) {
      runs.push([start, finder.end, finder.mayHaveDigit])
      finder.skip(finder.end)
    }
  }
  block.clear()
  return runs
}

test('says that a run within a block has no digit, wherever it stands, and only of those', () => {
  for (let before = 0; before < 40; before++) {
    const at = before + 16
    const head = `0 ${' '.repeat(before + 13)}\n`
    deepEqual(runsOf(`${head}${name}(7)`), [[at, at + name.length, false]])
    for (let digit = 0; digit <= name.length; digit++) {
      const key = `${name.slice(0, digit)}4${name.slice(digit)}`
      deepEqual(runsOf(`${head}${key} 0`), [[at, at + key.length, true]], key)
    }
  }
})

test('says nothing of a run that leaves the block, at either end', () => {
  const at = blockUnits - 10
  deepEqual(runsOf(`${' '.repeat(at)}${name} `), [[at, at + name.length, true]])
  deepEqual(runsOf(name), [[0, name.length, true]])
})

test('says nothing of any run where no machine reads it', () => {
  const long = filler(40, 'bcdfghjkm')
  deepEqual(runsOf(` ${long} `, new TextBlock()), [[1, 41, true]])
})

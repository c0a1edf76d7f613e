/** A text that is resumed from what it holds is judged like one that is scanned. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { builtInDetectors } from '../detectors/index.ts'
import type { ScanMemory } from '../findings.ts'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner()
const password = filler(14)
const told = `the password is ${password}`
const alone = `logged in by ${password}`
const hits = builtInDetectors.flatMap(({ hits: own }) => own())

/** What a text is found to hold behind another that reveals a value, and what is known behind it. */
function outcome(text: string, isResumed: boolean) {
  const memory = scanner.createMemory()
  scanner.scan(told, memory)
  const run = isResumed ? resumed(text, memory) : scanner.begin(text, memory)
  if (run === undefined) return undefined
  while (!run.step(200));
  const behind = [alone, text, text.slice(1, -1)].map((one) => scanner.recaller.scan(one, memory))
  return { found: run.findings(), behind, size: memory.size, keeps: memory.keeps }
}

function resumed(text: string, memory: ScanMemory) {
  const first = scanner.begin(text, scanner.createMemory())
  first.step(Infinity)
  const own = first.own()
  return own && scanner.resume(text, own, memory)
}

it('in every text of every detector, as it stands and in a listing', () => {
  let count = 0
  for (const hit of hits)
    for (const text of [hit, `     1\t${alone}\n     2\t${hit}\n     3\t${hit}\n`]) {
      const actual = outcome(text, true)
      if (actual === undefined) continue
      assert.deepEqual(actual, outcome(text, false), text)
      count++
    }
  assert.ok(count > hits.length * 1.8, `${count} texts of ${hits.length} hits`)
})

it('a text must be scanned again if what it reveals stands in what it, or a part of it, reads as', () => {
  for (const [text, key] of [
    [btoa(told), 'content'],
    [password, 'password']
  ] as const) {
    const run = scanner.begin(text, scanner.createMemory(), { key })
    run.step(Infinity)
    assert.deepEqual([run.findings().length, run.own()], [1, undefined])
  }
})

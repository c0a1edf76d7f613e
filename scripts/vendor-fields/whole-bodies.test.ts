/**
 * Bodies with everything that the vendors' types allow at once: what is beside a text (its type, a signature, a media
 * type, other texts of all kinds) does not affect how it is treated.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeholdersIn } from '../../test/support/placeholder.ts'
import { createPlanter } from '../../test/support/planted.ts'
import { createRandom } from '../../test/support/random.ts'
import { sampledBodies } from './fields.ts'
import { judge } from './judgement.ts'
import { createOrdinary } from './ordinary.fixture.ts'
import { redact } from './redact.fixture.ts'

interface Leaf {
  readonly path: string
  readonly isMasked: boolean
  readonly needle: string
}

test('in a whole body, with an address of its own at each place and a secret at all, each is masked where judged to be', () => {
  const planter = createPlanter(123)
  const secret = planter('openai_key')
  const random = createRandom(123)
  const leaves: Leaf[] = []
  const ofBodies: Leaf[][] = []
  const bodies = sampledBodies(40, (dialect) => {
    const own: Leaf[] = []
    ofBodies.push(own)
    return {
      below: (count) => random.below(count),
      leaf({ path, kind, words }) {
        if (kind === 'word') return words[random.below(words.length)]
        const { value, needle } = planter('email')
        const leaf = { path, needle, isMasked: judge({ dialect, path })?.scope === 'masked' }
        // With its type a reference belongs to the model; without one it might be anything.
        if (!path.startsWith('input[]<ItemReference>')) own.push(leaf)
        leaves.push(leaf)
        const text = `Write to ${value} or use ${secret.value} .`
        return kind === 'open' ? { note: [text] } : text
      }
    }
  })
  const faults = bodies.flatMap(({ dialect, body }, i) => {
    const masked = redact(JSON.stringify(body), dialect, 'masking').body
    const wrong = (ofBodies[i] ?? []).filter(({ needle, isMasked }) => masked.includes(needle) === isMasked)
    const all = wrong.map(({ path, isMasked }) => `${dialect} ${path} is ${isMasked ? 'not ' : ''}masked`)
    return masked.includes(secret.needle) ? [...all, `${dialect}: the secret is there`] : all
  })
  assert.deepEqual([...new Set(faults)], [])
  assert.ok(leaves.length > 5000, `${leaves.length} texts`)
})

test('nothing is masked of what vendors issue and programs send, even if every place is acted on', () => {
  const random = createRandom(124)
  const ordinary = createOrdinary(random)
  const bodies = sampledBodies(40, (dialect) => ({
    below: (count) => random.below(count),
    leaf({ path, kind, words }) {
      if (kind === 'word') return words[random.below(words.length)]
      const text = ordinary(path, judge({ dialect, path })?.held)
      return kind === 'open' ? { note: text } : text
    }
  }))
  const altered = bodies.flatMap(({ dialect, body }) => {
    const text = JSON.stringify(body)
    const { body: out, action } = redact(text, dialect, 'strict')
    if (out === text && action === 'allow') return []
    const around = placeholdersIn(out).map((one) => out.slice(out.indexOf(one) - 60, out.indexOf(one) + one.length))
    return [`${dialect}, ${action}: ${around.join(' | ')}`]
  })
  assert.deepEqual(altered, [])
})

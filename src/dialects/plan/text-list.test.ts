import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { dialects } from '../index.ts'
import { dialectNames, type BodyPlan } from '../dialect.ts'
import { finish, indexOf } from '../json/indexing.fixture.ts'
import { TextList } from './text-list.ts'

const word = fc.constantFrom('text', 'content', 'type', 'tool_use', 'input', 'a', 'secret', 'arguments', '{"a":"b"}')
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.integer(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.uniqueArray(fc.tuple(word, tie('value')), { selector: ([key]) => key, maxLength: 4 }).map(Object.fromEntries)
  )
}))
const message = fc.record({ role: fc.constantFrom('user', 'assistant', 'system', 'tool'), content: anyValue })
const extra = fc.uniqueArray(
  fc.tuple(fc.constantFrom('tools', 'system', 'instructions', 'odd', 'other', 'metadata', 'thread'), anyValue),
  { selector: ([key]) => key, maxLength: 5 }
)
const bodies = fc.record({ message: fc.array(message, { minLength: 1, maxLength: 4 }), extra, input: anyValue })

test('sections hold the texts of the list in its order, and those of one value in a section of its own', () => {
  let own = 0
  fc.assert(
    fc.property(
      bodies,
      fc.constantFrom(...dialectNames),
      fc.nat({ max: 60 }),
      ({ message, extra, input }, name, bytesMin) => {
        const conversation = name === 'embeddings' ? input : message
        const index = indexOf({ messages: message, input: conversation, ...Object.fromEntries(extra) })
        let plan: BodyPlan
        try {
          plan = finish(dialects[name].plan(index)).value
        } catch {
          return
        }
        const bytesOf = (node: number): number => index.ends[node]! - index.starts[node]!
        const nodes: number[] = []
        const codes: number[] = []
        for (const section of plan.texts.sections((node) => bytesOf(node) >= bytesMin)) {
          const inside = [...section.texts]
          assert.equal(section.codes.length, inside.length)
          assert.ok(inside.length > 0)
          for (const { node } of inside) {
            nodes.push(node)
            if (section.node >= 0) assert.ok(node >= section.node && node < index.nexts[section.node]!)
          }
          codes.push(...section.codes)
          if (section.node < 0) continue
          own++
          assert.notEqual(section.name, '')
          assert.ok(bytesOf(section.node) >= bytesMin)
          const within = [...plan.texts].filter(({ node }) => node >= section.node && node < index.nexts[section.node]!)
          assert.equal(within.length, inside.length, 'no other text stands in the value')
        }
        assert.deepEqual(
          nodes,
          [...plan.texts].map(({ node }) => node)
        )
        assert.equal(codes.length, nodes.length)
      }
    ),
    { numRuns: 2000 }
  )
  assert.ok(own > 2000, `${own} sections of their own`)
})

test('a list of many sections keeps the place and the value of each', () => {
  const count = 1000
  const list = new TextList(count)
  for (let i = 0; i < count; i++) {
    list.beginSection('tools', i, count + i)
    list.add(i, 0)
  }
  const places = [...list].map((text) => text.place())
  assert.deepEqual(
    places,
    places.map((_, i) => `tools[${i}]`)
  )
  const sections = [...list.sections(() => true)]
  assert.deepEqual(
    sections.map(({ node }) => node),
    places.map((_, i) => count + i)
  )
  assert.deepEqual(
    sections.map(({ texts }) => [...texts].map(({ node }) => node)),
    places.map((_, i) => [i])
  )
})

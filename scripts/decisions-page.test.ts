import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decisionsPage, readDecisions } from './decisions-page.ts'

const first = {
  file: '0001-a.md',
  text: '# 1. First\n\n**Decision.** Asks `a: "b. C"`, and\nno | other. Then\nmore.\n\n**Why.** So.\n'
}
const second = {
  file: '0002-b.md',
  text: '# 2. Second\n\n**State.** Changed in part by [1](0001-a.md).\n\n**Decision.**\n\n- One point\n- another\n'
}

const topics = [
  { title: 'Some, and more', folders: '`src/a`', numbers: [2, 7] },
  { title: 'Nothing', folders: '', numbers: [9] }
]

test('a record is listed below its topic by number, title, first sentence and state, and without a topic at the end', () => {
  const page = decisionsPage([first, second], topics)
  const list = page.slice(page.indexOf('## Records by topic'))
  const head = ['', '| No. | Decision | In a sentence | Changed since |', '| --- | --- | --- | --- |']
  assert.deepEqual(list.split('\n'), [
    '## Records by topic',
    '',
    '- [Some, and more](#some-and-more): `src/a`',
    '- [Others](#others)',
    '',
    '### Some, and more',
    ...head,
    '| 2 | [Second](0002-b.md) | One point | Changed in part by [1](0001-a.md). |',
    '',
    '### Others',
    ...head,
    '| 1 | [First](0001-a.md) | Asks `a: "b. C"`, and no \\| other. |  |',
    ''
  ])
})

test('the index lists every record once, in the order of numbers below each topic', () => {
  const records = readDecisions()
  const page = decisionsPage(records)
  assert.ok(records.length > 70)
  for (const { file } of records) {
    assert.equal(page.split('\n').filter((line) => line.includes(`](${file}) | `)).length, 1, file)
  }
  for (const section of page.split('\n### ').slice(1)) {
    const numbers = Array.from(section.matchAll(/^\| (\d+) \|/gm), ([, number]) => Number(number))
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
      section.slice(0, section.indexOf('\n'))
    )
  }
})

test('a record in another format is rejected by name', () => {
  const refused = (text: string, file = '0003-c.md') => {
    assert.throws(() => decisionsPage([first, { file, text }]), new RegExp(`^Error: ${file}: `))
  }
  refused('# 4. Other number\n\n**Decision.** Yes.\n')
  refused('# Without number\n\n**Decision.** Yes.\n')
  refused('# 3. Without a decision\n\nText.\n')
  refused('# 3. Replaced\n\n**State.** Replaced by [9](0009-none.md).\n\n**Decision.** Yes.\n')
  refused('# 1. The same number\n\n**Decision.** Yes.\n', '0001-b.md')
})

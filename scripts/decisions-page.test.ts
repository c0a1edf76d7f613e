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

test('a record is listed by number, title, first sentence and state', () => {
  const rows = decisionsPage([first, second]).split('\n').slice(-3)
  assert.deepEqual(rows, [
    '| 1 | [First](0001-a.md) | Asks `a: "b. C"`, and no \\| other. | in force |',
    '| 2 | [Second](0002-b.md) | One point | Changed in part by [1](0001-a.md). |',
    ''
  ])
})

test('the index lists every record once', () => {
  const records = readDecisions()
  const page = decisionsPage(records)
  assert.ok(records.length > 70)
  for (const { file } of records) {
    assert.equal(page.split('\n').filter((line) => line.includes(`](${file}) | `)).length, 1, file)
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

import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { createPlanter } from '../../../test/support/planted.ts'
import { Refused } from '../../ingress/refusal/refused.ts'
import { standardPolicy } from '../../policy/revision.ts'
import { looseText } from '../../policy/redaction/text-place.ts'
import { createJudgeThread } from './judge.ts'
import { judgements } from './judging.ts'

const context = { now: 0, reportedTools: [{ tool: 'read' }], surfaces: ['sdk'], blockHighRisk: true, confirm: false }
const draft = {
  mcpToolPolicy: { version: 1, rules: [{ id: 'no', effect: 'deny', tool: 'raed', surface: ['sdk'] }] },
  redactionProfile: { version: 1, mode: 'observe' }
}
const heavy = {
  mcpToolPolicy: {
    version: 1,
    rules: Array.from({ length: 2000 }, (_, index) => ({
      id: `r${index}`,
      effect: 'deny',
      tool: `*${'a'.repeat(20)}*${index}*`
    }))
  },
  redactionProfile: { version: 1 }
}
const isOverloaded = (error: unknown): boolean => error instanceof Refused && error.code === 'overloaded'

describe('the thread that judges policies', () => {
  const thread = createJudgeThread()
  after(() => thread.close())

  it('gives the same results as this thread', async () => {
    const current = { ...standardPolicy, sequence: 4 }
    assert.deepEqual(await thread.lint(draft, context), await judgements.lint(draft, context))
    assert.deepEqual(await thread.prepare(draft, context, current), await judgements.prepare(draft, context, current))
    const after = { ...standardPolicy, redactionProfile: draft.redactionProfile }
    assert.deepEqual(await thread.diff(standardPolicy, after), await judgements.diff(standardPolicy, after))
    const trial = {
      text: createPlanter(1)('email').sentence,
      place: looseText,
      redactionProfile: { version: 1, placeholder: 'typed' },
      allowKey: createSecretKey(randomBytes(32)),
      blockHighRisk: true
    }
    assert.deepEqual(await thread.try(trial), await judgements.try(trial))
  })

  it('leaves this thread free', async () => {
    await thread.lint(draft, context)
    let turns = 0
    let isOver = false
    const turn = (): void => {
      turns++
      if (!isOver) setImmediate(turn)
    }
    const judging = thread.lint(heavy, context).finally(() => (isOver = true))
    turn()
    await judging
    assert.ok(turns > 20, `the event loop had ${turns} turns`)
  })

  it('is not asked about what is too large or too deep', async () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    const report = await thread.lint({ ...draft, redactionProfile: { version: 1, deny: deep } }, context)
    assert.deepEqual(
      report.findings.map(({ code }) => code),
      ['too_deep']
    )
    const many = { ...draft, mcpToolPolicy: { version: 1, rules: Array.from({ length: 100_000 }, () => 1) } }
    const { report: refused, prepared } = await thread.prepare(many, context, { ...standardPolicy, sequence: 1 })
    assert.deepEqual([refused.findings[0]?.code, prepared], ['too_large', undefined])
  })

  it('accepts a limited number of requests at a time', async () => {
    const asked = Array.from({ length: 33 }, () => thread.lint(draft, context).then(() => 'judged', isOverloaded))
    const outcomes = await Promise.all(asked)
    assert.equal(outcomes.filter((one) => one === 'judged').length, 32)
    assert.equal(outcomes.at(-1), true)
  })

  it('answers small requests before large ones that wait as well', async () => {
    await thread.lint(draft, context)
    const answered: string[] = []
    const ask = (what: string, asked: Promise<unknown>) => asked.then(() => answered.push(what))
    const large = [0, 1].map((at) => ask(`large ${at}`, thread.lint(heavy, context)))
    await Promise.all([...large, ask('small', thread.lint(draft, context))])
    assert.deepEqual(answered, ['large 0', 'small', 'large 1'])
  })

  it('refuses what it cannot answer, and another thread takes the next request', async () => {
    await assert.rejects(thread.try(undefined as never), isOverloaded)
    const cut = assert.rejects(thread.lint(heavy, context), isOverloaded)
    await thread.close()
    await cut
    assert.equal((await thread.lint(draft, context)).isPublishable, true)
  })
})

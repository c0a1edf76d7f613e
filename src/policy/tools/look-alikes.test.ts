import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/support/property.ts'
import { compileLookAlikes, foldedName, foldedUnitsMax, readingsOf } from './look-alikes.ts'
import { compileToolPolicy } from './decide.ts'
import { toolPolicySchema } from './policy.ts'

const policyOf = (rules: object[], more: object = {}) => toolPolicySchema.parse({ version: 1, rules, ...more })
const deny = { id: 'no-delete', effect: 'deny', tool: 'delete_file' }

/** Each would be taken for `delete_file` by a person, or by a server that normalises names. */
const alike = [
  'Delete_File',
  'DELETE_FILE',
  'dеlete_file', // Cyrillic
  'delete_filе',
  'ｄｅｌｅｔｅ＿ｆｉｌｅ', // full width
  'delete\u200b_file',
  ' delete_file',
  'delete_file\u0000',
  'delete_file\u0000.txt',
  'delete_file%00.txt',
  'délete_file',
  'delete%5Ffile',
  'delete%255ffile',
  'files/delete_file',
  'x/../delete_file',
  'files%2Fdelete_file',
  'files∕delete_file',
  'files:delete_file',
  'files.delete_file',
  'files__delete_file',
  'mcp__files___delete_file',
  'gateway/files.Delete_File',
  'delete_ﬁle' // ligature
]

describe('look-alikes of a name', () => {
  for (const tool of alike)
    it(`fall under the rule that forbids the name: ${JSON.stringify(tool)}`, () => {
      const { decide, outlook } = compileLookAlikes(policyOf([deny]))
      assert.equal(decide({ server: 'unknown', tool, now: 0 }).ruleId, 'no-delete')
      assert.equal(outlook({ server: 'unknown', tool, now: 0 }).mildest.effect, 'deny')
    })

  it('fall under it even if the rule is written in other letters, and its exceptions apply to them', () => {
    const rule = { ...deny, tool: 'deleteFile*', except: [{ tool: 'deletefiletemp' }] }
    const { decide } = compileLookAlikes(policyOf([rule]))
    assert.equal(decide({ server: 'unknown', tool: 'DELETEFILES', now: 0 }).effect, 'deny')
    assert.equal(decide({ server: 'unknown', tool: 'deletefile', now: 0 }).effect, 'deny')
    assert.equal(decide({ server: 'unknown', tool: 'deleteFileTemp', now: 0 }).effect, 'allow')
  })

  it('do not fall under a rule that excepts exactly the name that was sent', () => {
    const except = [{ tool: ['readFile', 'files/read', 'files__get', 'read-∂'] }]
    const { decide, outlook } = compileLookAlikes(policyOf([{ id: 'all', effect: 'deny', tool: '*', except }]))
    for (const tool of ['readFile', 'files/read', 'files__get', 'read-∂']) {
      assert.equal(decide({ server: 'unknown', tool, now: 0 }).effect, 'allow', tool)
      assert.equal(outlook({ server: 'unknown', tool, now: 0 }).strictest.effect, 'allow', tool)
    }
    for (const tool of ['READFILE', 'x/readFile', 'readFilе', 'files/readx'])
      assert.equal(decide({ server: 'unknown', tool, now: 0 }).effect, 'deny', tool)
  })

  it('are as long as a name may be', () => {
    const tool = `delete_file${'\u200b'.repeat(foldedUnitsMax - 11)}`
    assert.equal(compileLookAlikes(policyOf([deny])).decide({ server: 'unknown', tool, now: 0 }).effect, 'deny')
  })

  it('do not fall under a rule that allows the name', () => {
    const policy = policyOf([{ id: 'read', effect: 'allow', tool: 'read_file' }], { defaultEffect: 'deny' })
    for (const tool of ['Read_File', 'files/read_file', 'read_filе'])
      assert.equal(compileToolPolicy(policy).decide({ server: 'unknown', tool, now: 0 }).effect, 'deny', tool)
    assert.equal(compileLookAlikes(policy).decide({ server: 'unknown', tool: 'Read_File', now: 0 }).effect, 'allow')
  })

  it('do not exist for a plain name, nor for a distinct name', () => {
    assert.deepEqual(readingsOf('get_weather'), [])
    assert.deepEqual(readingsOf('_get_weather-2'), [])
    assert.deepEqual(readingsOf('files/read.text'), ['read.text', 'text'])
    const { decide } = compileLookAlikes(policyOf([deny]))
    for (const tool of ['delete_files', 'undelete_file', 'delete-file', 'files/undelete_file', 'delete_file__undo'])
      assert.equal(decide({ server: 'unknown', tool, now: 0 }).effect, 'allow', tool)
  })

  it('are the same for every spelling of a name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (name) => {
        const folded = foldedName(name)
        assert.equal(foldedName(folded), folded)
        assert.equal(foldedName(name.normalize('NFD')), folded)
      }),
      { numRuns: 500 }
    )
  })
})

describe('the outlook of a tool', () => {
  const outlookOf = (rules: object[], more: object = {}) => {
    const { mildest, strictest } = compileToolPolicy(policyOf(rules, more)).outlook({ server: 'a', tool: 't', now: 0 })
    return `${mildest.effect} to ${strictest.effect}`
  }
  const when = [{ argument: '/path', pathWithin: '/srv' }]
  it('is one effect if no rule examines arguments', () => {
    assert.equal(outlookOf([]), 'allow to allow')
    assert.equal(
      outlookOf([
        { id: 'a', effect: 'ask' },
        { id: 'b', effect: 'allow' }
      ]),
      'ask to ask'
    )
    assert.equal(
      outlookOf([
        { id: 'a', effect: 'deny' },
        { id: 'b', effect: 'allow', when }
      ]),
      'deny to deny'
    )
    assert.equal(outlookOf([], { unknownServer: 'deny' }), 'deny to deny')
  })

  it('is a range if one does', () => {
    assert.equal(outlookOf([{ id: 'a', effect: 'deny', when }]), 'allow to deny')
    assert.equal(outlookOf([{ id: 'a', effect: 'allow', when }], { defaultEffect: 'deny' }), 'allow to deny')
    assert.equal(
      outlookOf([
        { id: 'a', effect: 'deny', when },
        { id: 'b', effect: 'ask' }
      ]),
      'ask to deny'
    )
    assert.equal(outlookOf([{ id: 'a', effect: 'allow', when }], { unknownServer: 'ask' }), 'ask to ask')
  })

  it('contains every decision about the tool', () => {
    const effect = fc.constantFrom('deny', 'ask', 'allow')
    const rule = fc.record({ effect, isConditional: fc.boolean() })
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), effect, fc.boolean(), (rules, defaultEffect, isInside) => {
        const policy = policyOf(
          rules.map(({ effect: one, isConditional }, i) => ({
            id: `r${i}`,
            effect: one,
            ...(isConditional && { when })
          })),
          { defaultEffect }
        )
        const compiled = compileToolPolicy(policy)
        const call = { server: 'a', tool: 't', now: 0 }
        const order = ['allow', 'ask', 'deny']
        const { mildest, strictest } = compiled.outlook(call)
        const path = isInside ? '/srv/a' : '/etc/a'
        const is = order.indexOf(compiled.decide({ ...call, arguments: { path } }).effect)
        assert.ok(order.indexOf(mildest.effect) <= is && is <= order.indexOf(strictest.effect))
      })
    )
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lintPolicy } from './lint.ts'
import { standardPolicy } from '../revision.ts'
import { findSoftenings } from './softenings.ts'

const codes = ['softens', 'wide_allow', 'allows_high_risk', 'trusts_server']
const told = (findings: readonly { readonly code: string; readonly path: string }[]) =>
  findings.map(({ code, path }) => `${code} ${path}`).toSorted()

const soft = {
  mcpToolPolicy: {
    version: 1,
    mode: 'observe',
    defaultEffect: 'deny',
    scan: { arguments: false, results: true },
    rules: [{ id: 'reads', effect: 'allow', annotations: { readOnlyHint: true } }]
  },
  redactionProfile: {
    version: 1,
    mode: 'observe',
    blockHighRisk: false,
    actions: { groups: { contact: 'allow' } },
    allow: { emailDomains: ['gmail.com'], patterns: ['.*@.*'] }
  }
}

describe('softenings', () => {
  it('do not occur in the policy that every workspace starts with', () => {
    assert.deepEqual(findSoftenings(standardPolicy), [])
  })

  it('are the same as in a lint, at any time and whatever tools were seen', () => {
    const found = told(findSoftenings(soft))
    assert.ok(found.length >= 7, found.join('\n'))
    assert.deepEqual(new Set(found.map((line) => line.split(' ')[0])), new Set(codes))
    for (const now of [0, Date.UTC(2100, 0)]) {
      const { findings } = lintPolicy(soft, { now, reportedTools: [{ tool: 'read_page' }] })
      assert.deepEqual(told(findings.filter(({ code }) => codes.includes(code))), found)
    }
  })

  it('are reported besides any number of other findings', () => {
    const rules = Array.from({ length: 300 }, (_, place) => ({
      id: `rule-${place}`,
      effect: 'deny',
      tool: `t${place}_*`
    }))
    const policy = { mcpToolPolicy: { version: 1, mode: 'observe', rules }, redactionProfile: { version: 1 } }
    const lint = lintPolicy(policy, { now: 0, reportedTools: [{ tool: 'read_page' }] })
    assert.deepEqual(told(lint.findings.filter(({ code }) => codes.includes(code))), [], 'a lint has no room for it')
    assert.deepEqual(told(findSoftenings(policy)), ['softens /mcpToolPolicy/mode'])
  })
})

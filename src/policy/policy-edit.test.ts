import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { editPolicy } from './policy-edit.ts'
import type { PolicyDocuments } from './revision.ts'

const documents = {
  mcpToolPolicy: { version: 1, rules: [{ id: 'a', effect: 'deny' }] },
  redactionProfile: { version: 1, allow: { values: ['x'] } }
} as unknown as PolicyDocuments

describe('an edit of a policy', () => {
  it('adds to a list, creates missing objects on the path, and does not change its input', () => {
    const before = structuredClone(documents)
    const edited = editPolicy(documents, [
      { op: 'add', path: '/redactionProfile/allow/values', value: 'y' },
      { op: 'set', path: '/redactionProfile/actions/kinds/ipv4', value: 'allow' },
      { op: 'add', path: '/mcpToolPolicy/rules/0/except', value: { tool: 'ls' } },
      { op: 'set', path: '/mcpToolPolicy/a~1b~0c', value: 1 }
    ])
    assert.deepEqual(edited, {
      mcpToolPolicy: {
        version: 1,
        rules: [{ id: 'a', effect: 'deny', except: [{ tool: 'ls' }] }],
        'a/b~c': 1
      },
      redactionProfile: { version: 1, allow: { values: ['x', 'y'] }, actions: { kinds: { ipv4: 'allow' } } }
    })
    assert.deepEqual(documents, before)
  })

  it('refuses a path that leads nowhere, and reaches no prototype', () => {
    for (const path of [
      '/redactionProfile/version/x/y',
      '/mcpToolPolicy/rules/7/except',
      '/redactionProfile/version'
    ]) {
      assert.throws(() => editPolicy(documents, [{ op: 'add', path, value: 1 }]), RangeError, path)
    }
    editPolicy(documents, [{ op: 'set', path: '/redactionProfile/__proto__/polluted', value: true }])
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  })
})

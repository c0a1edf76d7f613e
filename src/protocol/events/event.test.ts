import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/support/property.ts'
import { specifiedEvent as full } from './event.fixture.ts'
import { entityKindsMax, toolListMax } from './event-schema.ts'
import { judgeEvent, type EventRules } from './event.ts'
import { builtInVocabularies } from '../vocabularies.ts'

/** Stands for a secret that a scan would find. */
const planted = ['PLA', 'NTED9'].join('')
const scrub = (text: string) => text.replaceAll(new RegExp(planted, 'gi'), 'secret')
const rules: EventRules = { vocabularies: builtInVocabularies, scrub }

const uuid = '0b8f7a52-3c1d-4e5f-9a6b-7c8d9e0f1a2b'

function accept(body: unknown, more: Partial<EventRules> = {}) {
  const judged = judgeEvent(body, { ...rules, ...more })
  assert.ok(judged.ok, JSON.stringify(judged))
  return judged
}

function faults(body: unknown) {
  const judged = judgeEvent(body, rules)
  return judged.ok ? [] : judged.faults.map((fault) => [fault.path, fault.code])
}

describe('an accepted event', () => {
  it('keeps every field of the specification unchanged, without a warning', () => {
    assert.deepEqual(accept(full), { ok: true, event: full, warnings: [] })
  })

  it('needs only a kind', () => {
    assert.deepEqual(accept({ kind: 'heartbeat' }), { ok: true, event: { kind: 'heartbeat' }, warnings: [] })
  })

  it('keeps the optional fields', () => {
    const more = {
      kind: 'k',
      eventId: uuid,
      requestId: uuid,
      occurredAt: '2026-11-20T10:00:00.5+01:00',
      sensorId: 's-1',
      sensorVersion: '1.2.3',
      policyRevision: '7-0123456789abcdef',
      ruleId: 'r',
      reasonCode: 'denied_by_rule',
      entityCounts: { email: 2, iban: 0 },
      decisionMs: 0.25,
      durationMs: 12,
      dropped: 3
    }
    assert.deepEqual(accept(more).event, more)
  })

  it('reads null as absent and ids in either case', () => {
    const { event } = accept({ kind: 'k', action: null, requestId: uuid.toUpperCase() })
    assert.deepEqual(event, { kind: 'k', requestId: uuid })
  })

  it('gets a warning for a tool call without its action or tool', () => {
    assert.equal(accept({ kind: 'tool_call_enforcement' }).warnings.length, 2)
  })

  it('has labels outside the vocabulary replaced by unknown, with a warning that does not repeat them', () => {
    const odd = { clientSurface: planted, modelProvider: 'OpenAI', downstreamServer: 'cave', platform: 'My Laptop' }
    const { event, warnings } = accept({ kind: 'k', ...odd })
    for (const field of Object.keys(odd)) assert.equal(event[field as 'platform'], 'unknown', field)
    assert.equal(warnings.length, 4)
    assert.doesNotMatch(warnings.join(), new RegExp(`${planted}|OpenAI|cave|My Laptop`))
  })

  it('accepts names added by the configuration', () => {
    const surfaces = new Set([...builtInVocabularies.surfaces, 'zed'])
    const judged = accept({ kind: 'k', clientSurface: 'zed' }, { vocabularies: { ...builtInVocabularies, surfaces } })
    assert.deepEqual([judged.event.clientSurface, judged.warnings], ['zed', []])
  })

  it('takes missing fields from the headers', () => {
    const fallback = { clientSurface: 'codex', modelProvider: 'xai', requestId: uuid, modelId: undefined }
    const { event } = accept({ kind: 'k', clientSurface: 'sdk' }, { fallback })
    assert.deepEqual(event, { kind: 'k', clientSurface: 'sdk', modelProvider: 'xai', requestId: uuid })
  })

  it('loses unknown fields, with a warning that names those that may be named', () => {
    const { event, warnings } = accept({ kind: 'k', colour: 'red', [`x${planted}`]: 1, 'two words': {} })
    assert.deepEqual(event, { kind: 'k' })
    assert.deepEqual(warnings, [
      'The field colour is not known and was dropped.',
      'Fields that are not known were dropped: 2 more.'
    ])
  })

  it('has every free text scrubbed', () => {
    const text = {
      modelId: 0,
      mcpToolName: 0,
      mcpServer: 0,
      mcpServerLabel: 0,
      sensorId: 0,
      sensorVersion: 0,
      policyRevision: 0,
      ruleId: 0,
      reasonCode: 0
    }
    const body = Object.fromEntries(Object.keys(text).map((field) => [field, `a ${planted} b`]))
    const { event } = accept({ kind: 'k', ...body, entityCounts: { [planted.toLowerCase()]: 1, secret: 2 } })
    for (const field of Object.keys(text)) assert.equal(event[field as 'ruleId'], 'a secret b', field)
    assert.deepEqual(event.entityCounts, { secret: 3 })
  })
})

describe('a list of tools in an event', () => {
  const digest = 'ab'.repeat(32)
  const tool = { name: 'read', effect: 'allow', digest }

  it('is kept with its known fields, and names scrubbed', () => {
    const tools = [{ ...tool, name: `a ${planted} b`, isConditional: true, colour: 'red' }]
    const { event } = accept({ kind: 'tool_inventory', tools, toolCount: 1, inventoryDigest: digest })
    assert.deepEqual(event.tools, [{ ...tool, name: 'a secret b', isConditional: true }])
  })

  it('is refused if it is too long, holds text, or anything other than tools', () => {
    const refused: [unknown, string][] = [
      [Array.from({ length: 101 }, () => tool), 'invalid_value'],
      [[{ ...tool, effect: 'maybe' }], 'invalid_value'],
      [[{ ...tool, name: 'x'.repeat(129) }], 'invalid_value'],
      [[{ ...tool, digest: 'abc' }], 'invalid_value'],
      [[{ ...tool, arguments: {} }], 'content_not_accepted'],
      ['read', 'invalid_value']
    ]
    for (const [tools, code] of refused) assert.equal(faults({ kind: 'tool_inventory', tools })[0]?.[1], code)
  })
})

describe('a refused event', () => {
  const table: [what: string, body: unknown, expected: [path: string, code: string][]][] = [
    ['no object', [], [['', 'invalid_body']]],
    ['null', null, [['', 'invalid_body']]],
    ['no kind', {}, [['/kind', 'missing_field']]],
    ['a kind that is null', { kind: null }, [['/kind', 'missing_field']]],
    ['a kind in capitals', { kind: 'Kind' }, [['/kind', 'invalid_value']]],
    ['a kind of 49 characters', { kind: 'k'.repeat(49) }, [['/kind', 'invalid_value']]],
    ['a kind with a find in it', { kind: planted.toLowerCase() }, [['/kind', 'invalid_value']]],
    ['the kind of the service', { kind: 'ingress_proxy' }, [['/kind', 'reserved_kind']]],
    ['an action outside its list', { ...full, action: 'deny' }, [['/action', 'invalid_value']]],
    ['a tier outside its list', { ...full, riskTier: 'HIGH' }, [['/riskTier', 'invalid_value']]],
    ['a model id of 81 characters', { ...full, modelId: 'm'.repeat(81) }, [['/modelId', 'model_id_too_long']]],
    ['a count below zero', { ...full, entitiesMasked: -1 }, [['/entitiesMasked', 'invalid_value']]],
    ['a count in parts', { ...full, entitiesMasked: 1.5 }, [['/entitiesMasked', 'invalid_value']]],
    ['a count as text', { ...full, entitiesMasked: '1' }, [['/entitiesMasked', 'invalid_value']]],
    ['a long tool name', { ...full, mcpToolName: 't'.repeat(129) }, [['/mcpToolName', 'invalid_value']]],
    ['a long label', { ...full, clientSurface: 's'.repeat(257) }, [['/clientSurface', 'invalid_value']]],
    ['an event id that is no UUID', { ...full, eventId: planted }, [['/eventId', 'invalid_value']]],
    ['a local time', { ...full, occurredAt: '2026-11-20T10:00:00' }, [['/occurredAt', 'invalid_value']]],
    [
      'an endless fraction of a second',
      { ...full, occurredAt: `2026-11-20T10:00:00.${'1'.repeat(60)}Z` },
      [['/occurredAt', 'invalid_value']]
    ],
    ['counts by odd kinds', { ...full, entityCounts: { [`a ${planted}`]: 1 } }, [['/entityCounts', 'invalid_value']]],
    [
      'two faults',
      { kind: 'k', action: 1, dropped: 'x' },
      [
        ['/action', 'invalid_value'],
        ['/dropped', 'invalid_value']
      ]
    ],
    ['a prompt', { kind: 'k', prompt: 'x' }, [['/prompt', 'content_not_accepted']]],
    ['a prompt by another name', { kind: 'k', userPrompt: 'x' }, [['/userPrompt', 'content_not_accepted']]],
    [
      'a prompt deep down',
      { kind: 'k', extra: [{ tool_RESULT: null }] },
      [['/extra/0/tool_RESULT', 'content_not_accepted']]
    ],
    [
      'a tool name with a control character',
      { kind: 'k', mcpToolName: 'a\u0000b' },
      [['/mcpToolName', 'invalid_value']]
    ],
    ['half a surrogate pair', { kind: 'k', modelId: 'a\ud800' }, [['/modelId', 'invalid_value']]],
    ['an act of administration', { kind: 'token_created' }, [['/kind', 'reserved_kind']]],
    ['a prompt under an odd key', { kind: 'k', [planted]: { text: 1 } }, [['/*/text', 'content_not_accepted']]]
  ]
  for (const [what, body, expected] of table) {
    it(`is refused because of ${what}`, () => assert.deepEqual(faults(body), expected))
  }

  it('is refused because of message text under any spelling', () => {
    const spellings =
      `Prompt PROMPT prompt_ userprompt user-prompt user_prompt userPrompt USERPrompt prompt1 prompt_2 promptV2
      raw.message rawMessage messagecontent toolinput tool_INPUT ｐｒｏｍｐｔ pro\u200Bmpt Prompt\u00A0 $prompt`.split(
        /[ \n]+/
      )
    for (const key of spellings)
      assert.deepEqual(faults({ kind: 'k', deep: [{ [key]: 1 }] })[0]?.[1], 'content_not_accepted', key)
  })

  it('has a thousand unknown keys summarised', () => {
    const { event, warnings } = accept({
      kind: 'k',
      ...Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key_${i}`, i]))
    })
    assert.deepEqual([event, warnings.length], [{ kind: 'k' }, 11])
    assert.match(warnings.at(-1) ?? '', /990 more/)
  })

  it('cannot reach a prototype', () => {
    const body = JSON.parse(
      '{"kind":"k","__proto__":{"action":"block"},"constructor":{"x":1},"entityCounts":{"__proto__":5}}'
    ) as unknown
    const judged = judgeEvent(body, rules)
    assert.ok(
      !judged.ok || (judged.event.action === undefined && Object.keys(judged.event.entityCounts ?? {}).length === 0)
    )
    assert.equal(({} as { action?: unknown }).action, undefined)
  })

  it('may have counts about content', () => {
    assert.deepEqual(faults({ kind: 'k', inputTokens: 3, promptHash: 'x', operatingSystem: 'linux' }), [])
  })

  it('may have 80 characters of any size in its model id', () => {
    assert.deepEqual(faults({ kind: 'k', modelId: '😀'.repeat(80) }), [])
    assert.deepEqual(faults({ kind: 'k', modelId: '😀'.repeat(81) }), [['/modelId', 'model_id_too_long']])
  })

  it('is searched for content in all of its fields', () => {
    const entityCounts = Object.fromEntries(Array.from({ length: entityKindsMax }, (_, n) => [`kind_${n}`, 1]))
    const tool = { effect: 'deny', isConditional: true, digest: 'a'.repeat(64) }
    const tools = Array.from({ length: toolListMax }, (_, n) => ({ name: `tool${n}`, ...tool }))
    assert.deepEqual(faults({ ...full, entityCounts, tools, toolCount: toolListMax }), [])
  })

  it('is found to hold content at any depth, and refused if there is too much to search', () => {
    const nested = (depth: number): unknown => {
      let body: unknown = { arguments: 1 }
      for (let level = 0; level < depth; level++) body = [body]
      return judgeEvent({ kind: 'k', deep: body }, rules)
    }
    const faultOf = (judged: unknown) => (judged as { faults: { path: string; code: string }[] }).faults[0]
    assert.equal(faultOf(nested(1500))?.path, '/deep/0/0/0/0/0/0/0/*/arguments')
    assert.equal(faultOf(nested(200_000))?.code, 'too_many_values')
    const wide = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, n) => [`key${n}`, n]))
    assert.deepEqual(faults({ kind: 'k', ...wide(1999) }), [])
    assert.deepEqual(faults({ kind: 'k', ...wide(2000) }), [['', 'too_many_values']])
    assert.deepEqual(faults({ kind: 'k', entityCounts: wide(2000) }), [['', 'too_many_values']])
  })
})

describe('any value at all', () => {
  const value = fc.jsonValue({ maxDepth: 4 })
  const known = fc.constantFrom(...Object.keys(full), 'eventId', 'entityCounts', 'occurredAt', 'prompt', 'x')
  const body = fc.oneof(value, fc.dictionary(known, fc.oneof(value, fc.constantFrom(planted, ...Object.values(full)))))

  it('is validated without a throw, and nothing planted comes out', () => {
    fc.assert(
      fc.property(body, (event) => {
        const judged = judgeEvent(event, rules)
        assert.ok(!JSON.stringify(judged).toLowerCase().includes(planted.toLowerCase()))
      }),
      { numRuns: 500 }
    )
  })

  it('gets the same result when what was accepted is sent again', () => {
    fc.assert(
      fc.property(body, (event) => {
        const judged = judgeEvent(event, rules)
        if (judged.ok) assert.deepEqual(accept(JSON.parse(JSON.stringify(judged.event))).event, judged.event)
      }),
      { numRuns: 500 }
    )
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/support/property.ts'
import { eventFormat, readEventBatch } from './event-batch.ts'

const json = (body: unknown, countMax = 10) => readEventBatch(JSON.stringify(body), 'json', countMax)
const lines = (text: string, countMax = 10) => readEventBatch(text, 'lines', countMax)

function values(batch: ReturnType<typeof readEventBatch>): unknown[] {
  assert.ok(batch.ok, JSON.stringify(batch))
  return batch.candidates.map((candidate) => (candidate.ok ? candidate.value : candidate.fault.code))
}

describe('the content type', () => {
  it('determines the form', () => {
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/x+json'
    ])
      assert.equal(eventFormat(type), 'json', type)
    for (const type of ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'])
      assert.equal(eventFormat(type), 'lines', type)
    for (const type of [
      '',
      'text/plain',
      'application/xml',
      'application/jsonp',
      'text/json',
      'json',
      'application/json; charset=latin1'
    ])
      assert.equal(eventFormat(type), undefined, type)
  })
})

describe('a body', () => {
  it('may begin with a byte order mark', () => {
    for (const format of ['json', 'lines'] as const)
      assert.deepEqual(values(readEventBatch('\uFEFF{"kind":"a"}', format, 10)), [{ kind: 'a' }])
    assert.equal(readEventBatch('\uFEFF\uFEFF{"kind":"a"}', 'json', 10).ok, false)
  })
})

describe('a JSON body', () => {
  it('is one event, a list, or a list under events', () => {
    assert.deepEqual(json({ kind: 'a' }), { ok: true, candidates: [{ ok: true, value: { kind: 'a' } }] })
    assert.deepEqual(
      [values(json([1, {}])), values(json({ events: [{ kind: 'a' }, 'b'] }))],
      [
        [1, {}],
        [{ kind: 'a' }, 'b']
      ]
    )
    const [list, under] = [json([1]), json({ events: [1] })]
    assert.ok(list.ok && under.ok)
    assert.deepEqual([list.base, under.base], ['', '/events'])
  })

  it('is refused as a whole if it is none of these', () => {
    const cases: [unknown, string, string][] = [
      [[], '', 'invalid_body'],
      [{ events: [] }, '/events', 'invalid_body'],
      [{ events: {} }, '/events', 'invalid_body'],
      [{ events: [{}], sensorId: 's' }, '', 'invalid_body'],
      [{ events: [{}], prompt: 'words' }, '', 'content_not_accepted']
    ]
    for (const [body, path, code] of cases) {
      const batch = json(body)
      assert.ok(!batch.ok && 'fault' in batch, JSON.stringify(body))
      assert.deepEqual([batch.fault.path, batch.fault.code], [path, code], JSON.stringify(body))
      assert.doesNotMatch(batch.fault.message, /words/)
    }
    const broken = readEventBatch('{"kind":', 'json', 10)
    assert.ok(!broken.ok && 'fault' in broken && broken.fault.code === 'invalid_json')
  })

  it('may have as many events as the limit allows', () => {
    assert.equal(values(json([1, 2, 3], 3)).length, 3)
    assert.deepEqual(json([1, 2, 3, 4], 3), { ok: false, tooMany: true })
  })
})

describe('lines', () => {
  it('are separate events; blank ones do not count, and a broken one affects no other', () => {
    const text = '\uFEFF{"kind":"a"}\r\n\n  \n{"kind":\n{"kind":"b"}'
    assert.deepEqual(values(lines(text)), [{ kind: 'a' }, 'invalid_json', { kind: 'b' }])
    const batch = lines(text)
    assert.ok(batch.ok && batch.candidates[1]?.ok === false)
    assert.equal(batch.candidates[1].fault.message, 'Line 4 is not valid JSON.')
  })

  it('may end with or without a line end, and must hold at least one event and at most the limit', () => {
    assert.deepEqual([values(lines('1')), values(lines('1\n')), values(lines('1\n2', 2))], [[1], [1], [1, 2]])
    assert.deepEqual(lines('1\n2\n3', 2), { ok: false, tooMany: true })
    const empty = lines('\n \r\n')
    assert.ok(!empty.ok && 'fault' in empty && empty.fault.code === 'invalid_body')
  })

  it('return what was written into them', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 10 }), (all) => {
        const written = all.map((one) => JSON.stringify(one))
        assert.deepEqual(
          values(lines(written.join('\n'))),
          written.map((one) => JSON.parse(one) as unknown)
        )
      })
    )
  })
})

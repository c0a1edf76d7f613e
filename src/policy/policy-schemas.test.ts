import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lintPolicy } from './lint/lint.ts'
import { alternativesOf, documentNames, jsonSchemaOf, knownNamesAt, type JsonSchema } from './policy-schemas.ts'

function* settings(
  schema: JsonSchema,
  root: JsonSchema,
  path: string,
  seen: Set<JsonSchema>
): Generator<[string, JsonSchema]> {
  for (const one of alternativesOf(schema, root)) {
    if (seen.has(one)) continue
    seen.add(one)
    for (const [name, inner] of Object.entries(one.properties ?? {})) {
      yield [`${path}/${name}`, inner]
      yield* settings(inner, root, `${path}/${name}`, seen)
    }
    if (one.items) yield* settings(one.items, root, `${path}/*`, seen)
  }
}

test('every setting of both documents has a description', () => {
  for (const name of documentNames) {
    const root = jsonSchemaOf(name)
    const all = [...settings(root, root, `/${name}`, new Set())]
    assert.ok(all.length > 20)
    for (const [path, { description }] of all) assert.match(description ?? '', /.\.$/s, path)
  }
})

test('the names that are possible at a path are known, also inside conditions', () => {
  assert.ok(knownNamesAt('mcpToolPolicy', []).includes('defaultEffect'))
  assert.ok(knownNamesAt('mcpToolPolicy', ['rules', 3, 'when', 0, 'any', 1, 'not']).includes('pathWithin'))
  assert.ok(knownNamesAt('redactionProfile', ['actions', 'groups']).includes('contact'))
  assert.deepEqual(knownNamesAt('redactionProfile', ['actions', 'kinds']), [])
  assert.deepEqual(knownNamesAt('redactionProfile', ['nowhere']), [])
})

test('the examples in the documentation can be published as they are', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/policy.md'), 'utf8')
  const [profile, tools] = [...page.matchAll(/```json\n(.*?)```/gs)].map(
    ([, text]) => JSON.parse(text as string) as unknown
  )
  const { findings } = lintPolicy({ mcpToolPolicy: tools, redactionProfile: profile }, { now: 0 })
  assert.deepEqual(
    findings.filter(({ severity }) => severity === 'error'),
    []
  )
})

/**
 * No field of a vendor's API escapes: a secret and personal data are planted at every place in which the types of the
 * vendors' SDKs allow text, in every spelling. If an update of an SDK adds a field, the failing tests name it.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { BodyError, dialectNames, type DialectName } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/index.ts'
import { base64, planOf, png, seal } from '../../src/dialects/plan/planning.fixture.ts'
import { placeholdersIn } from '../../test/support/placeholder.ts'
import { createPlanter } from '../../test/support/planted.ts'
import { textsIn } from '../leak-matrix/places.ts'
import { fieldsPage } from '../fields-page.ts'
import { bodyFields, headerFields, type BodyField } from './fields.ts'
import { forms, textsOf } from './forms.ts'
import { judge, type Held } from './judgement.ts'
import { redact } from './redact.fixture.ts'

const fieldsOf = (dialect: DialectName): readonly BodyField[] => {
  const own = bodyFields().filter((field) => field.dialect === dialect)
  return [...new Map(own.map((field) => [`${field.path} ${field.kind}`, field])).values()]
}

/** What can be at a place: a text, and if any value is allowed, nested texts and names. */
const standingAt = ({ kind }: BodyField, text: string): unknown[] =>
  kind === 'open' ? [text, { note: [text] }, { [text]: 'a' }] : [text]

/** The scope and the encoding of a text in a body; `left` if it must not be altered. */
function readAs(field: BodyField, text: string): string {
  const { labels } = planOf(dialects[field.dialect], field.value(text))
  const [, label = 'nothing'] =
    Object.entries(labels).find(([pointer]) => valueAt(field.value(text), pointer) === text) ?? []
  const [scope = '', , encoding = ''] = label.split(' ')
  return scope === 'sealed' ? 'left' : encoding === '' ? scope : `${scope} ${encoding}`
}

function valueAt(body: unknown, pointer: string): unknown {
  if (pointer.endsWith('#')) return undefined
  const steps = pointer.split('/').slice(1)
  return steps.reduce((value, step) => (value as Record<string, unknown> | undefined)?.[step], body)
}

/** Values that look like something that is left unchanged or decoded. */
const looks = {
  id: 'zq_marker_1',
  seal,
  picture: `data:image/png;base64,${png}`,
  'text file': `data:text/plain;base64,${base64('a note, with a few words in it')}`,
  base64: base64('a note, with a few words in it!'),
  json: '{"note":"a"}'
}
type Look = keyof typeof looks

const dataUri = (text: string): string => `data:text/plain;base64,${base64(text)}`

/** How a text may be written at a place that holds such values. */
const encodings: Readonly<Partial<Record<Held, readonly ((text: string) => string)[]>>> = {
  json: [(text) => JSON.stringify({ note: [text] }), (text) => JSON.stringify([JSON.stringify({ note: text })])],
  media: [base64],
  archive: [base64],
  link: [dataUri],
  file: [base64, dataUri]
}

/** How each look is treated at a place that holds such values; otherwise as ordinary text. */
const readings: Readonly<Record<Held, Partial<Record<Look, string>>>> = {
  id: { id: 'left' },
  seal: { seal: 'left', base64: 'left' },
  opaque: { id: 'left', seal: 'left', base64: 'left' },
  signed: {},
  media: { id: 'left', seal: 'left', base64: '~ base64' },
  link: { picture: 'left', 'text file': '~ data-uri' },
  file: { id: '~ base64', seal: '~ base64', picture: 'left', 'text file': '~ data-uri', base64: '~ base64' },
  archive: { id: '~ base64', seal: '~ base64', base64: '~ base64' },
  json: { json: '~ json' }
}

test('the parameters that the SDKs send as headers are known', () => {
  // They are forwarded by the list in `ingress/headers/forward-headers.ts`; `test/e2e/sdk-shapes.test.ts` sends them.
  assert.deepEqual(headerFields(), ['betas', 'user_profile_id', 'workspace_id'])
})

test('every field is documented', () => {
  const written = new Set(readFileSync(join(import.meta.dirname, '../../docs/fields.md'), 'utf8').split('\n'))
  const missing = fieldsPage()
    .split('\n')
    .filter((line) => !written.has(line))
  assert.deepEqual(missing, [], 'npm run docs writes it')
})

for (const dialect of dialectNames) {
  describe(`${dialect}: every field of the vendor’s types`, () => {
    const fields = fieldsOf(dialect)
    const texts = fields.filter(({ kind }) => kind !== 'word')

    test('is judged', () => {
      assert.ok(fields.length > 4)
      assert.deepEqual(
        texts.flatMap((field) => (judge(field) === undefined ? [field.path] : [])),
        []
      )
    })

    test('is at the place for which it was judged, and is left unchanged only if it looks like what it holds', () => {
      const faults = texts.flatMap((field) => {
        const { scope = 'nothing', held } = judge(field) ?? {}
        const own = readAs(field, 'Two words.') === scope ? [] : [`${field.path} is not ${scope}`]
        return Object.entries(looks).reduce((all, [look, text]) => {
          const wanted = (held && readings[held][look as Look])?.replace('~', scope) ?? scope
          const read = readAs(field, text)
          return read === wanted ? all : [...all, `${field.path}: ${look} is ${read}, not ${wanted}`]
        }, own)
      })
      assert.deepEqual(faults, [])
    })

    test('is in a block that the dialect knows', () => {
      const faults = fields.filter(
        (field) => planOf(dialects[dialect], field.value(field.words[0] ?? 'a')).plan.unknownBlocks > 0
      )
      assert.deepEqual(
        faults.map(({ path }) => path),
        []
      )
    })

    test('lets nothing through, however the body is written, and nothing else is altered', () => {
      const planter = createPlanter(120)
      const [secret, email] = [planter('openai_key'), planter('email')]
      const text = `${secret.sentence}\n${email.sentence}`
      const faults = texts.flatMap((field) => {
        const isMasked = judge(field)?.scope === 'masked'
        const bodies = standingAt(field, text).flatMap((at) =>
          forms.map(({ name, write }) => ({ name: `${field.path}, ${name}`, body: write(field.value(at), at) }))
        )
        return bodies.flatMap(({ name, body }) => {
          let masked
          try {
            masked = redact(body, dialect, 'masking').body
          } catch (error) {
            return error instanceof BodyError && error.code === 'duplicate_key' ? [] : [`${name}: ${String(error)}`]
          }
          const said = textsOf(masked)
          const values = [secret.value, email.value]
          const back = placeholdersIn(masked).reduce((all, one, i) => all.replace(one, values[i] ?? one), masked)
          return [
            ...(said.includes(secret.needle) ? [`${name}: the secret`] : []),
            ...(said.includes(email.needle) === isMasked
              ? [`${name}: the address is ${isMasked ? '' : 'not '}there`]
              : []),
            ...(textsOf(back) === textsOf(body) ? [] : [`${name}: altered`])
          ]
        })
      })
      assert.deepEqual(faults, [])
    })

    test('lets nothing through in the encodings that are decoded', () => {
      const planter = createPlanter(124)
      const [secret, email] = [planter('openai_key'), planter('email')]
      const text = `${secret.sentence}\n${email.sentence}`
      const faults = texts.flatMap((field) => {
        const { scope, held } = judge(field) ?? {}
        return ((held && encodings[held]) ?? []).flatMap((encode) => {
          const sent = field.value(encode(text))
          const { body } = redact(JSON.stringify(sent), dialect, 'masking')
          const said = textsIn(JSON.parse(body)).join('\n')
          return [
            ...(textsIn(sent).join('\n').includes(secret.needle) ? [] : [`${field.path}: the search would miss it`]),
            ...(said.includes(secret.needle) ? [`${field.path}: the secret`] : []),
            ...(said.includes(email.needle) === (scope === 'watched') ? [] : [`${field.path}: the address`])
          ]
        })
      })
      assert.deepEqual(faults, [])
    })

    test('stops a secret, both alone and in a sentence', () => {
      const planter = createPlanter(121)
      const faults = texts.flatMap((field) => {
        const { value, sentence } = planter('github_token')
        return [value, sentence].flatMap((text) =>
          standingAt(field, text)
            .filter((at) => redact(JSON.stringify(field.value(at)), dialect, 'blocking').action !== 'block')
            .map(() => `${field.path}: ${text === value ? 'alone' : 'in a sentence'}`)
        )
      })
      assert.deepEqual(faults, [])
    })

    test('keeps every one of the vendor’s words', () => {
      const faults = fields.flatMap((field) =>
        field.words.filter((word) => {
          const body = JSON.stringify(field.value(word))
          return redact(body, dialect, 'strict').body !== body
        })
      )
      assert.deepEqual(faults, [])
    })
  })
}

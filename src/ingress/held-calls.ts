/**
 * Calls of our own that stop halfway and are kept, so that the runtime keeps the optimised code of all calls.
 *
 * Optimised code depends on the hidden classes of the objects that it reads. A full garbage collection removes hidden
 * classes without an object, and with them all code that depends on them. The objects of a call live only as long as
 * the call, so a collection between two calls would discard nearly all code that masks bodies (decision 205).
 */
import { finish } from '../detection/engine/pace.ts'
import type { Scanner } from '../detection/findings.ts'
import { dialects } from '../dialects/index.ts'
import { indexJson } from '../dialects/json/json-index.ts'
import { spliceBody } from '../dialects/json/splice.ts'
import { JsonWalk } from '../dialects/json/walk.ts'
import { compileProfile } from '../policy/redaction/decide.ts'
import { createPlaceholders } from '../policy/redaction/placeholder.ts'
import { standardProfile } from '../policy/redaction/profile.ts'
import { CleanSections } from './body/clean-sections.ts'
import { decoderOver } from './body/decode-utf8.ts'
import { redactBody, type BodyBounds } from './body/redact-body.ts'
import { createRedactor, redactTexts, type Redactor } from './body/redact-texts.ts'
import { WorkPace } from './body/work-pace.ts'

/** Never read. */
const held: unknown[] = []

/** Steps so short that the few lines of the example have some of each kind. */
const step = { bytes: 256, units: 512 }

/**
 * Starts masking an example, with texts of every kind that agents send, and keeps it in each of its states. Call it
 * once per process; takes 20 to 50 ms of processor time. What is passed to the parts of a call must be of the same form
 * as in real calls, or their code would be optimised for two forms.
 * @param bounds those of real calls
 */
export function holdCalls(scanner: Scanner, bounds: BodyBounds): void {
  const bytes = exampleBody()
  const dialect = dialects['chat-completions']
  const options = { ...bounds, decodeUtf8: decoderOver(bytes) }
  const index = finish(indexJson(bytes, options))
  held.push(new JsonWalk(bytes, options), dialect.plan(index))
  const { texts } = finish(dialect.plan(index))
  const profile = compileProfile(standardProfile, { blockHighRisk: false })
  const placeholders = createPlaceholders('keyed', () => new Uint8Array(32))
  const redactor = (): Redactor => createRedactor(scanner, profile, placeholders, { pace: new WorkPace(step.units) })
  const clean = new CleanSections(1).of(scanner, '', dialect.name, Infinity)
  for (const known of [undefined, clean]) holdStates(() => redactBody(bytes, dialect, redactor(), bounds, known))
  const edits = finish(redactTexts(index, texts, redactor()))
  holdStates(() => spliceBody(index, edits, step.bytes))
}

/** Keeps one generator for each pause of some work. */
function holdStates(begin: () => Generator<void, unknown, void>): void {
  for (let steps = 1; ; steps++) {
    const work = begin()
    for (let i = 0; i < steps; i++) if (work.next().done) return
    held.push(work)
  }
}

/** A short conversation with code, a log, and values to mask. */
function exampleBody(): Buffer {
  const mail = ['jane.doe', 'corp.dev'].join('@')
  const code = [
    'export async function loadBatch(cursor: string, limit = 500): Promise<void> {',
    '  const response = await fetch(`https://api.example.net/v2/batches?cursor=${cursor}`, { headers })',
    "  if (response.status !== 200) throw new Error('the batch is gone: ' + response.status)",
    `  // Written by ${mail} on 2026-03-14.`,
    '}',
    '2026-03-14T09:26:53.589Z INFO worker 7 took job 8f14e45f-ceea-467f-a0e6-2d3c1b0f9a77 in 118 ms',
    `password = "${['Xk9', 'vQ2mLr7t'].join('#')}"`
  ].join('\n')
  const call = { name: 'read_file', arguments: JSON.stringify({ path: 'src/core/batch.ts', owner: mail }) }
  const messages = [
    { role: 'system', content: 'You are a careful engineer. Answer in short sentences.' },
    { role: 'user', content: `Why does the test in src/core/batch.ts fail? I am ${mail}, +1 415 555 0132.` },
    { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: call }] },
    { role: 'tool', tool_call_id: 'call_1', content: code }
  ]
  const parameters = { type: 'object', properties: { path: { type: 'string', description: 'The path of a file.' } } }
  const tools = [{ type: 'function', function: { name: 'read_file', description: 'Reads a file.', parameters } }]
  return Buffer.from(JSON.stringify({ model: 'example', stream: true, messages, tools }))
}

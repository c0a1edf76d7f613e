/** Large bodies whose masking is hard to divide into short steps. */
import { makeBody, type BodyDialect } from './bodies.ts'
import { createRandom } from '../test/support/random.ts'

/** A request and how it is named in the report. */
export interface StepBody {
  readonly name: string
  readonly dialect: BodyDialect
  readonly bytes: Uint8Array
}

const random = createRandom(5)
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const value = (units: number): string => random.text(letters, units)
const password = (): string => `password="${value(14)}"\n`

/** Lines of so many units in all. */
function lines(units: number, line: () => string): string {
  const all: string[] = []
  for (let left = units; left > 0; left -= (all.at(-1) as string).length) all.push(line())
  return all.join('')
}

const prose = 'The build failed again after the upgrade, and nobody knows why it did. '
/** Prose with a secret now and then. */
const seldom = (units: number): string => lines(units, () => prose.repeat(200) + password())
/** A key of many lines, as if it had been wrapped. */
const wrapped = (): string => `API_TOKEN="${Array.from({ length: 60 }, () => value(64)).join('\n')}"\n`

const block = (...content: readonly unknown[]): Uint8Array =>
  Buffer.from(JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] }))
const text = (content: string): Uint8Array => block({ type: 'text', text: content })
const texts = (units: number, each: () => string): Uint8Array => {
  const all: unknown[] = []
  for (let left = units; left > 0;) {
    const one = each()
    all.push({ type: 'text', text: one })
    left -= one.length + 30
  }
  return block(...all)
}
const file = (content: string, type = 'text/plain', encoding: BufferEncoding = 'utf8'): Uint8Array =>
  block({
    type: 'document',
    source: { type: 'base64', media_type: type, data: Buffer.from(content, encoding).toString('base64') }
  })
const call = (given: string): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      model: 'm',
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: given } }] }
      ]
    })
  )

/** Bodies of about so many bytes each. */
export function* stepBodies(bytes: number): Generator<StepBody> {
  const messages = 'messages'
  const chat = 'chat-completions'
  const one = (name: string, dialect: BodyDialect, body: Uint8Array): StepBody => ({ name, dialect, bytes: body })
  yield one("an agent's body", messages, makeBody('messages', bytes, 1).bytes)
  yield one('one long text, few secrets', messages, text(seldom(bytes)))
  yield one('one long text, a secret a line', messages, text(lines(bytes, password)))
  yield one('short texts, a secret each', messages, texts(bytes, password))
  yield one(
    'fields of secret names',
    chat,
    call(JSON.stringify(Object.fromEntries(Array.from({ length: bytes / 40 }, (_, i) => [`password${i}`, value(14)]))))
  )
  yield one('hidden characters', messages, text(lines(bytes / 2, () => `pass\u200bword="${value(14)}" `)))
  yield one('full-width names', messages, text(lines(bytes / 2, () => `ｐａｓｓｗｏｒｄ＝"${value(14)}" `)))
  yield one('percent-encoded', messages, text(lines(bytes / 1.3, () => encodeURIComponent(password()))))
  yield one('wrapped keys', messages, text(lines(bytes, wrapped)))
  yield one(
    'text in a string in a string',
    messages,
    text(lines(bytes / 1.5, () => JSON.stringify(JSON.stringify(password().repeat(20))) + '\n'))
  )
  yield one('base64 within a text', messages, text(lines(bytes, () => `${btoa(password().repeat(20))}\n`)))
  yield one('a file in base64, few secrets', messages, file(seldom((bytes * 3) / 4)))
  yield one('a file in base64, a secret a line', messages, file(lines((bytes * 3) / 4, password)))
  yield one(
    'a file in base64, in Cyrillic',
    messages,
    file(lines((bytes * 3) / 8, () => `Пароль от почты и от всего остального\n`.repeat(20) + password()))
  )
  yield one('a file in base64, in UTF-16', messages, file(lines((bytes * 3) / 8, password), 'text/plain', 'utf16le'))
  yield one(
    'a file in base64, and its padding',
    messages,
    block({
      type: 'document',
      source: { type: 'base64', media_type: 'text/plain', data: lines(bytes, () => btoa(`${password()}x`)) }
    })
  )
  yield one('arguments in JSON, few secrets', chat, call(JSON.stringify({ a: seldom(bytes) })))
  yield one(
    'arguments in JSON, in Cyrillic',
    chat,
    call(
      JSON.stringify({ a: lines(bytes / 2, () => `Пароль от почты и от всего остального\n`.repeat(20) + password()) })
    )
  )
  yield one('arguments in JSON, a secret a line', chat, call(JSON.stringify({ a: lines(bytes, password) })))
  yield one(
    'arguments in JSON, many strings',
    chat,
    call(JSON.stringify({ a: Array.from({ length: bytes / 30 }, () => password()) }))
  )
  yield one('arguments, not JSON', chat, call(`{${lines(bytes, password)}`))
}

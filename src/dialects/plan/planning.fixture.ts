/** Plans bodies and records the label of each string, for tests. */
import type { BodyPlan, Dialect } from '../dialect.ts'
import { finish, indexOf } from '../json/indexing.fixture.ts'
import { nodeKind, type JsonIndex } from '../json/json-index.ts'
import { messages } from '../messages/messages.ts'

interface Planned {
  readonly index: JsonIndex
  readonly plan: BodyPlan
  /** `scope origin`, and the encoding if it is not plain, by JSON pointer of the value; a key's pointer ends in `#`. */
  readonly labels: Record<string, string>
  /** The same pointers in the order of the scan. */
  readonly order: readonly string[]
  readonly places: Record<string, string>
}

export function planOf(dialect: Dialect, body: unknown): Planned {
  const index = indexOf(body)
  const plan = finish(dialect.plan(index)).value
  const labels: Record<string, string> = {}
  const places: Record<string, string> = {}
  const order: string[] = []
  for (const text of plan.texts) {
    const isKey = index.kind(text.node) === nodeKind.key
    const pointer = index.pointer(text.node, () => true) + (isKey ? '#' : '')
    labels[pointer] = `${text.scope} ${text.origin}${text.encoding === 'plain' ? '' : ` ${text.encoding}`}`
    places[pointer] = text.place()
    order.push(pointer)
  }
  return { index, plan, labels, order, places }
}

/** Base64 of a length that signatures have. */
export const seal = 'EqoBCkYIARgCKkBz0Zt+w/3kq9Qm=='

export function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** The first bytes of media files, in base64. */
export const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\0\0\0\x01\0', 'latin1').toString('base64')
export const jpeg = Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01', 'latin1').toString('base64')
export const wav = Buffer.from('RIFF\x24\x08\0\0WAVEfmt \x10\0\0\0', 'latin1').toString('base64')

export function source(mediaType: string, data: string): object {
  return { type: 'base64', media_type: mediaType, data }
}

/** The labels of one message, by pointers below it. */
export function messageLabels(role: string, content: unknown, more: object = {}): Record<string, string> {
  const { labels } = planOf(messages, { messages: [{ ...more, content, role }] })
  return Object.fromEntries(
    Object.entries(labels).map(([pointer, label]) => [pointer.replace(/^\/messages\/0/, ''), label])
  )
}

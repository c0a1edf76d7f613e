/** Finds the texts in the events of a stream, and routes each to the channel that it continues. */
import { isUtf8 } from 'node:buffer'
import type { AnswerReader, AnswerText } from '../../dialects/answer/answer.ts'
import { eventData } from '../answer/sse-event.ts'
import { EditMembers } from '../../policy/restore/edit-arguments.ts'
import { RestoreChannel } from './channel.ts'
import type { EventTemplates, LikeEvent, ReadEvent } from './event-template.ts'
import type { StreamEvent } from './held-events.ts'
import { indexAnswer } from './index-answer.ts'
import { wayOf, wholeTextEdits, type RestoreCounts, type RestorePlan } from './text.ts'

export class EventTexts {
  readonly #reader: AnswerReader
  readonly #plan: RestorePlan
  readonly #counts: RestoreCounts
  readonly #templates: EventTemplates
  readonly #channels = new Map<string, RestoreChannel>()
  /** The channels in which something may wait: an answer may have any number of others. */
  readonly #open = new Map<string, RestoreChannel>()

  /** The newest channel of the texts that clients join. */
  #joined: RestoreChannel | undefined
  #isWatching = false

  /** @param templates learns from every event that is parsed */
  constructor(reader: AnswerReader, plan: RestorePlan, counts: RestoreCounts, templates: EventTemplates) {
    this.#reader = reader
    this.#plan = plan
    this.#counts = counts
    this.#templates = templates
  }

  /** Whether no event may be passed on before it is parsed. */
  get isWatching(): boolean {
    return this.#isWatching
  }

  /** Parses an event. */
  take(bytes: Buffer): StreamEvent {
    const event = newEvent(bytes)
    const data = eventData(bytes)
    if (data === undefined || !isUtf8(data.bytes)) return event
    const index = indexAnswer(data.bytes)
    if (index === undefined) return event
    event.read = { data, index }
    const { texts, ended } = this.#reader.read(index)
    const restored = texts.filter(({ tool }) => tool === undefined || this.#plan.mayRestoreTool(tool))
    const members = new EditMembers()
    for (const text of restored) {
      const content = index.text(text.node)
      if (text.channel !== undefined) this.#hold(event, text, content)
      else {
        const start = text.isJoined && this.#channels.get(text.repeats ?? '')?.trailAtStart()
        const way = { ...wayOf(text, this.#plan, members), start }
        for (const edit of wholeTextEdits(text.node, content, way, this.#counts)) event.edits.push(edit)
      }
    }
    this.end(ended)
    this.#learn(event.bytes, event.read, restored, ended)
    return event
  }

  /** Takes an event that matches a template, without parsing it. */
  takeLike({ template: { text, ended }, content }: LikeEvent, bytes: Buffer): StreamEvent {
    const event = newEvent(bytes)
    if (text) this.#hold(event, text, content)
    this.end(ended)
    return event
  }

  /**
   * Takes an event that matches a template if it can go on unchanged. Call it only while no event waits. @returns
   * whether it was taken
   */
  passes({ template: { text, ended }, content }: LikeEvent): boolean {
    if (text && !isUndecided(text, content) && !this.#channelOf(text).pass(content)) return false
    this.end(ended)
    return true
  }

  /**
   * Ends the channels whose names have one of these prefixes. They are kept: a client joins what comes before and after a
   * tool call into one text. The open channels are passed once, since one event may open ten thousands and end them all.
   */
  end(beginnings: readonly string[]): void {
    if (beginnings.length === 0 || this.#open.size === 0) return
    const isEnded = prefixTest(beginnings)
    for (const [name, channel] of this.#open) {
      if (isEnded(name)) channel.end()
      if (!channel.isOpen) this.#open.delete(name)
    }
  }

  /** Offers an event with at most one text as a template. */
  #learn(
    bytes: Buffer,
    { data, index }: NonNullable<StreamEvent['read']>,
    texts: readonly AnswerText[],
    ended: ReadEvent['ended']
  ): void {
    const [text] = texts
    if (texts.length > 1 || (text && text.channel === undefined) || data.lines.length > 1) return
    const dataStart = data.bytes.byteOffset - bytes.byteOffset
    const dataEnd = dataStart + data.bytes.length
    this.#templates.learn({ bytes, dataStart, dataEnd, index, text, ended, revision: this.#reader.revision })
  }

  #hold(event: StreamEvent, text: AnswerText, content: string): void {
    if (isUndecided(text, content)) return
    const piece = { event, text: content, edits: [] }
    const channel = this.#channelOf(text)
    event.pieces.push({ node: text.node, piece, channel })
    channel.push(piece)
    this.#isWatching ||= channel.isWatching
    if (channel.isOpen) this.#open.set(text.channel ?? '', channel)
    else this.#open.delete(text.channel ?? '')
  }

  #channelOf(text: AnswerText): RestoreChannel {
    const { channel = '' } = text
    const known = this.#channels.get(channel)
    if (known !== undefined) return known
    const start = text.isJoined && this.#joined?.trailAtEnd()
    const made = new RestoreChannel({ ...wayOf(text, this.#plan), start }, this.#counts)
    if (text.isJoined) this.#joined = made
    this.#channels.set(channel, made)
    return made
  }
}

/** Whether a piece of arguments is empty and before the name of its tool, which decides how the others are restored. */
const isUndecided = ({ tool }: AnswerText, content: string): boolean => tool === '' && content === ''

/** Whether a name has one of some prefixes. */
function prefixTest(prefixes: readonly string[]): (name: string) => boolean {
  const [only = ''] = prefixes
  if (prefixes.length === 1) return (name) => name.startsWith(only)
  const known = new Set(prefixes)
  const lengths = [...new Set(prefixes.map(({ length }) => length))]
  return (name) => lengths.some((length) => length <= name.length && known.has(name.slice(0, length)))
}

const newEvent = (bytes: Buffer): StreamEvent => ({ bytes, open: 0, pieces: [], edits: [] })

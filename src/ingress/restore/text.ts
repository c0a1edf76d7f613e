/** Restores values in the texts of an answer: which ones, and how they are written there. */
import type { AnswerText } from '../../dialects/answer/answer.ts'
import type { TextEdit } from '../../dialects/json/splice.ts'
import { EditArguments, EditMembers, type EditFollower } from '../../policy/restore/edit-arguments.ts'
import { goesOnAsHost } from '../../policy/restore/host-trail.ts'
import { tagUnits } from '../../policy/redaction/placeholder.ts'
import { isPartOfWord, type PlaceholderMatch, type RestoreTable } from '../../policy/restore/restore.ts'
import { UrlTrail } from '../../policy/restore/url-trail.ts'

/** With what one answer is restored. */
export interface RestorePlan {
  readonly table: RestoreTable
  /** For the arguments of tools that edit files: includes values of the high tier. Absent if no tool does. */
  readonly editTable?: RestoreTable | undefined
  /** Whether the arguments of this tool are restored. */
  mayRestoreTool(name: string): boolean
  /** Whether this tool edits files on the agent's machine. */
  editsFiles?(name: string): boolean
  /**
   * Stands before the second old text of an edit. No file can hold it, so the client refuses the edit, in which it would
   * otherwise put a restored value in the place of another text than the one for whose sake it was restored.
   */
  readonly repeatMark?: string
  /** Whether the text of the answer is JSON, as requests for structured outputs ask. */
  readonly isJson?: boolean
}

/** The outcome: values restored, and placeholders that stayed. */
export interface RestoreCounts {
  restored: number
  left: number
}

/**
 * The form of a text: plain, JSON to be parsed, or plain text that happens to be JSON (`verbatim`). A client parses a
 * value out of the last, but sends it back as text, in which a scan would not find an escaped value.
 */
type TextForm = AnswerText['form'] | 'verbatim'

/** How one text of an answer is restored. */
export interface RestoreWay {
  readonly table: RestoreTable
  readonly form: TextForm
  /** For arguments that arrive as an object: the name of the member that holds the text, or a list with it. */
  readonly member?: string | undefined
  /** If a client joins the text with others before it: a trail that has followed those. */
  readonly start?: UrlTrail | undefined
  /** For the arguments of a tool that edits files: decides which values of the high tier are restored. */
  readonly edit?: EditFollower | undefined
  /** As in the plan. */
  readonly repeatMark?: string | undefined
}

/**
 * How a text of an answer, or the text that it is a piece of, is restored.
 * @param members follows the arguments that arrive as objects, with this text and those before it
 */
export function wayOf(text: AnswerText, plan: RestorePlan, members = new EditMembers()): RestoreWay {
  const { tool, form, member } = text
  const table = tool !== undefined && plan.editsFiles?.(tool) === true ? plan.editTable : undefined
  const common = { form: formOf(text, plan), member: member?.list ?? member?.name }
  if (table === undefined) return { table: plan.table, ...common }
  const whole = form === 'json' ? new EditArguments() : undefined
  const edit = member ? members.member(member.object, member.name) : whole
  return { table, ...common, edit, repeatMark: plan.repeatMark }
}

/** The form of a text of an answer, or of the text that it is a piece of. */
const formOf = ({ form, tool }: AnswerText, { isJson = false }: RestorePlan): TextForm =>
  isJson && form === 'plain' && tool === undefined ? 'verbatim' : form

/** Follows a text and knows where it is a URL. */
export const trailOf = ({ form, member, start }: RestoreWay): UrlTrail =>
  start?.copy() ?? new UrlTrail(form === 'json' ? form : 'plain', member)

/** A value as written inside a text: as it is, or as the content of a JSON string. */
function writtenValue(value: string, form: TextForm): string {
  return form === 'json' ? JSON.stringify(value).slice(1, -1) : value
}

/**
 * The replacement for a match, or undefined if the placeholder stays.
 * @param text what precedes the match, as far as it is known, the match, and as much after it as {@link isSettled} asks
 *   for
 * @param trail has followed the text up to the match, and so has `edit`
 */
export function restoredValue(
  text: string,
  { start, end, value, isHigh }: PlaceholderMatch,
  trail: Pick<UrlTrail, 'isInside' | 'isInLogin'>,
  { form, edit }: RestoreWay,
  counts: RestoreCounts
): string | undefined {
  const isBroken = form === 'verbatim' && value !== undefined && writtenValue(value, 'json') !== value
  if (
    value === undefined ||
    isBroken ||
    (trail.isInside && !trail.isInLogin) ||
    isPartOfWord(text, start, end) ||
    goesOnAsHost(text, end) === true ||
    ((isHigh === true || trail.isInside) && edit?.allows(text.slice(start, end)) !== true)
  ) {
    counts.left++
    return undefined
  }
  counts.restored++
  return writtenValue(value, form)
}

/** Whether enough of the text is known to tell what a placeholder that ends at `end` belongs to. */
export function isSettled(text: string, end: number): boolean {
  return end < text.length && goesOnAsHost(text, end) !== 'unknown'
}

/** Code units searched between two pauses: a few milliseconds, even if they hold nothing but placeholders. */
const searchedPerStep = 16_384
/** Code units followed between two pauses: a few milliseconds, even if each is part of an escape. */
const followedPerStep = 8192

/** Follows a text that has arrived in full, up to the places about which something is asked. */
class TextWalk {
  trail: UrlTrail
  readonly edits: TextEdit[] = []
  readonly #node: number
  readonly #text: string
  readonly #way: RestoreWay
  #followed = 0

  constructor(node: number, text: string, way: RestoreWay) {
    this.#node = node
    this.#text = text
    this.#way = way
    this.trail = trailOf(way)
    this.#advance(0)
  }

  *upTo(until: number): Generator<void, void, void> {
    while (this.#followed < until) {
      if (this.#followed > 0 && until - this.#followed > followedPerStep) yield
      this.#advance(Math.min(until, this.#followed + followedPerStep))
    }
  }

  replace(start: number, end: number, replacement: string): void {
    this.edits.push({ node: this.#node, start, end, replacement })
  }

  #advance(to: number): void {
    this.trail.advance(this.#text, this.#followed, to)
    const { edit, repeatMark = '' } = this.#way
    edit?.advance(this.#text, this.#followed, to, (at) => this.replace(at, at, repeatMark))
    this.#followed = to
  }
}

/** Texts that clients join into one: a URL that is open at the end of one goes on in the next. */
export class JoinedTexts {
  readonly #trail = new UrlTrail('plain')
  #unfollowed: string[] = []

  add(text: string): void {
    this.#unfollowed.push(text)
  }

  /** A trail that has followed all texts. They are followed only once somebody asks: few answers hold placeholders. */
  *trailAtEnd(): Generator<void, UrlTrail, void> {
    for (const text of this.#unfollowed)
      for (let from = 0; from < text.length; from += followedPerStep) {
        if (from > 0) yield
        this.#trail.advance(text, from, Math.min(text.length, from + followedPerStep))
      }
    this.#unfollowed = []
    return this.#trail.copy()
  }
}

/**
 * The edits of a text that has arrived in full, made in steps.
 * @param before the texts before it with which a client joins it
 */
export function* editsInSteps(
  node: number,
  text: string,
  way: RestoreWay,
  counts: RestoreCounts,
  before?: JoinedTexts
): Generator<void, TextEdit[], void> {
  const walk = new TextWalk(node, text, way)
  let isFirst = before !== undefined
  let reached = 0
  for (let from = 0; from < text.length; from += searchedPerStep) {
    if (from > 0) yield
    for (const match of way.table.matches(text, from + tagUnits, from + searchedPerStep, reached)) {
      if (isFirst && before) walk.trail = yield* before.trailAtEnd()
      isFirst = false
      yield* walk.upTo(match.start)
      reached = match.end
      const replacement = restoredValue(text, match, walk.trail, way, counts)
      if (replacement !== undefined) walk.replace(match.start, match.end, replacement)
    }
  }
  if (way.edit?.isWatching) yield* walk.upTo(text.length)
  return walk.edits
}

/** The edits of a text that has arrived in full. */
export function wholeTextEdits(node: number, text: string, way: RestoreWay, counts: RestoreCounts): TextEdit[] {
  for (const work = editsInSteps(node, text, way, counts); ;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

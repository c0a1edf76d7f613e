/**
 * Decides for every string of a body what it is, by a dialect's tables. Every decision is made at the object, with all
 * its keys known: the order in which a client writes `role`, `type` and `content` does not matter.
 */
import { BodyError } from '../json/body-error.ts'
import { judgeAtOnce, judgeClaim, type Verdict } from '../claims/claims.ts'
import type { BodyPlan } from '../dialect.ts'
import { nodeKind, type JsonIndex } from '../json/json-index.ts'
import { decisiveNames, type DecisiveName } from './names.ts'
import type { Block, Claim, DialectTables, Rule, Shape } from './shape.ts'
import { encoded, labelCode, labelOf, sealed, TextList, type LabelCode } from './text-list.ts'

/** Nodes listed between two yields: a fraction of a millisecond. */
const nodesPerStep = 8192
/** Nesting of blocks inside blocks: anything deeper is ordinary text of its surroundings. */
const shapeDepthMax = 24
/** Keys of a part among which `text` is searched; real parts have three or four. */
const wordyKeysMax = 32

const keyCode = labelCode('watched', 'other')
const defaultPart = { code: keyCode, rule: undefined }

/** The result of work without a pause, or with one at its end: avoids a generator for each of many small objects. */
const nothing: readonly void[] = []
const pause: readonly void[] = [undefined]

/** @throws BodyError `missing_field`, `invalid_type`, `duplicate_key` */
export function planBody(index: JsonIndex, tables: DialectTables): Generator<void, BodyPlan, void> {
  return new Planner(index, tables).plan()
}

class Planner {
  readonly #index: JsonIndex
  readonly #tables: DialectTables
  readonly #texts: TextList
  readonly #found = new Int32Array(decisiveNames.length)
  /** The content of the current message, or -1; where its parts begin among the texts, and its last part with words. */
  #content = -1
  #partsFrom = 0
  #lastWords = 0
  #mediaParts = 0
  #unknownBlocks = 0
  #work = 0

  constructor(index: JsonIndex, tables: DialectTables) {
    this.#index = index
    this.#tables = tables
    this.#texts = new TextList(index.stringCount)
  }

  *plan(): Generator<void, BodyPlan, void> {
    const index = this.#index
    if (index.kind(index.root) !== nodeKind.object)
      throw new BodyError('invalid_type', '', 'The body must be a JSON object.')
    yield* this.#decide(index.root)
    const { field, isRequired } = this.#tables.conversation
    const conversation = this.#decided(field)
    const modelNode = this.#decided('model')
    const streamNode = this.#decided('stream')
    if (conversation < 0 && isRequired)
      throw new BodyError('missing_field', `/${field}`, `The body has no \`${field}\`.`)
    if (modelNode >= 0) this.#expect(modelNode, [nodeKind.string], 'a string')
    if (streamNode >= 0) this.#expect(streamNode, [nodeKind.true, nodeKind.false, nodeKind.null], 'a boolean')

    yield* this.#topLevel(true)
    if (conversation >= 0) yield* this.#conversation(conversation)
    yield* this.#topLevel(false)
    const stream = streamNode >= 0 && index.kind(streamNode) === nodeKind.true
    return { texts: this.#texts, stream, modelNode, mediaParts: this.#mediaParts, unknownBlocks: this.#unknownBlocks }
  }

  /** The fields beside the conversation: either the leading ones or all others. */
  *#topLevel(leading: boolean): Generator<void, void, void> {
    const index = this.#index
    const { names, leading: leadingParts, trailing, conversation } = this.#tables
    const conversationId = names.id(conversation.field)
    const end = index.nexts[index.root]!
    for (let key = index.root + 1; key < end; key = index.nexts[key + 1]!) {
      if (this.#due(1)) yield
      const id = names.idOf(index, key)
      const part = id < 0 ? undefined : leadingParts[id]
      if (id === conversationId || (part !== undefined) !== leading) continue
      const name = id < 0 ? 'an unknown field' : index.text(key)
      // An unknown name is a text of the section, but outside its value.
      this.#texts.beginSection(name, -1, id < 0 ? -1 : key + 1)
      this.#key(key, id, keyCode)
      const { code, rule } = part ?? trailing[id] ?? defaultPart
      yield* this.#section(key + 1, rule, code, name)
    }
  }

  /** A top-level value; each item of an array is a section of its own. */
  *#section(node: number, rule: Rule, code: LabelCode, name: string): Generator<void, void, void> {
    const index = this.#index
    if (index.kind(node) !== nodeKind.array) return yield* this.#value(node, rule, code, 0)
    const end = index.nexts[node]!
    let position = 0
    for (let item = node + 1; item < end; item = index.nexts[item]!) {
      this.#texts.beginSection(name, position++, item)
      yield* this.#value(item, rule, code, 0)
    }
  }

  *#conversation(conversation: number): Generator<void, void, void> {
    const index = this.#index
    const { field, plain } = this.#tables.conversation
    if (plain !== undefined && index.kind(conversation) === nodeKind.string) {
      this.#texts.beginSection(field, -1, conversation)
      yield* this.#value(conversation, plain.rule, plain.code, 0)
      return this.#texts.endMessage(labelOf(plain.code).origin, 0)
    }
    if (plain !== undefined && index.kind(conversation) === nodeKind.null) return
    this.#expect(conversation, [nodeKind.array], plain === undefined ? 'an array' : 'a string or an array')
    const end = index.nexts[conversation]!
    let position = 0
    const first = this.#texts.count
    for (let item = conversation + 1; item < end; item = index.nexts[item]!) {
      this.#texts.beginSection(field, position++, item)
      const isObject = index.kind(item) === nodeKind.object
      if (plain === undefined || isObject) yield* this.#item(item)
      else {
        yield* this.#value(item, plain.rule, plain.code, 0)
        if (this.#isTokenized(conversation, item)) this.#mediaParts++
        // Plain strings all come from one person and are all new: nothing separates them.
        this.#texts.endMessage(labelOf(plain.code).origin, first)
      }
    }
  }

  /** Whether an item is a text as token numbers, or the first number of a single such text. */
  #isTokenized(conversation: number, item: number): boolean {
    const index = this.#index
    const isNumber = (node: number): boolean => index.kind(node) === nodeKind.number
    if (isNumber(item)) return item === conversation + 1
    return index.kind(item) === nodeKind.array && index.nexts[item]! > item + 1 && isNumber(item + 1)
  }

  /** A message, or an item without a role. */
  *#item(item: number): Generator<void, void, void> {
    const index = this.#index
    const { names, roles, otherRole, conversation } = this.#tables
    this.#expect(item, [nodeKind.object], 'an object')
    yield* this.#decide(item)
    const role = this.#decided('role')
    const type = this.#decided('type')
    const content = this.#decided('content')
    if (role >= 0) this.#expect(role, [nodeKind.string], 'a string')
    else if (conversation.items === undefined)
      throw new BodyError('missing_field', `${this.#pointer(item)}/role`, 'A message has no `role`.')
    if (content >= 0) {
      this.#expect(content, [nodeKind.string, nodeKind.array, nodeKind.object, nodeKind.null], 'a string or an array')
    }
    const isTyped = type >= 0 && index.kind(type) === nodeKind.string
    const byType = isTyped ? conversation.items?.[names.idOf(index, type)] : undefined
    // An item's type decides, if it is known and not that of a message, whatever role the item also has.
    if (isTyped && conversation.items !== undefined && byType === undefined && role < 0) this.#unknownBlocks++
    const { code, rule } = byType ?? (role >= 0 ? roles[names.idOf(index, role)] : undefined) ?? otherRole
    const from = this.#texts.count
    this.#content = content
    this.#partsFrom = this.#lastWords = 0
    yield* this.#value(item, rule, code, 0)
    this.#texts.endMessage(labelOf(code).origin, from, this.#partsFrom, this.#lastWords)
  }

  *#value(node: number, rule: Rule, code: LabelCode, depth: number): Generator<void, void, void> {
    const index = this.#index
    const kind = index.kind(node)
    if (kind === nodeKind.string) {
      const claim = claimOf(rule)
      if (claim === undefined) this.#texts.add(node, code)
      else yield* this.#claimed(node, claim, code)
      if (this.#due(1)) yield
    } else if (kind === nodeKind.array || kind === nodeKind.object) {
      if (rule === undefined || depth >= shapeDepthMax) yield* this.#ordinary(node, code)
      else if (kind === nodeKind.array) {
        const end = index.nexts[node]!
        if (node === this.#content) this.#partsFrom = this.#lastWords = this.#texts.count
        for (let item = node + 1; item < end; item = index.nexts[item]!) {
          if (node === this.#content && this.#hasWords(item)) this.#lastWords = this.#texts.count
          yield* this.#value(item, rule, code, depth + 1)
        }
      } else if (typeof rule === 'object') yield* this.#object(node, rule, code, depth)
      else yield* this.#ordinary(node, code)
    } else if (this.#due(1)) yield
  }

  *#object(node: number, shape: Shape, code: LabelCode, depth: number): Generator<void, void, void> {
    const index = this.#index
    const { names } = this.#tables
    yield* this.#decide(node)
    const type = this.#decided('type')
    const isTyped = type >= 0 && index.kind(type) === nodeKind.string
    const known = isTyped ? shape.types[names.idOf(index, type)] : undefined
    if (isTyped && shape.isTyped && known === undefined) this.#unknownBlocks++
    const block: Block = known ?? shape.base
    const inner = blockCode(block, code)
    const innerKey = keyCodeIn(inner)
    const end = index.nexts[node]!
    for (let key = node + 1; key < end; key = index.nexts[key + 1]!) {
      const id = names.idOf(index, key)
      this.#key(key, id, innerKey)
      const value = key + 1
      const rule = (id < 0 ? undefined : block.rules[id]) ?? block.rest
      const kind = index.kind(value)
      const claim = kind === nodeKind.string ? claimOf(rule) : undefined
      const verdict = claim && judgeAtOnce(index, value, claim)
      // Common cases without a generator: plain text, a short claim, and a small value without a rule.
      if (verdict) this.#hold(value, verdict, inner)
      else if (kind === nodeKind.string && claim === undefined) this.#texts.add(value, inner)
      else if (rule === undefined && index.nexts[value]! - value < nodesPerStep)
        this.#list(value, index.nexts[value]!, inner)
      else yield* this.#value(value, rule, inner, depth + 1)
      if (this.#due(index.nexts[value]! - key)) yield
    }
  }

  /** Whether a part of a message is something a person wrote: `{"type": "text", "text": ...}`, or a plain string. */
  #hasWords(part: number): boolean {
    const index = this.#index
    if (index.kind(part) !== nodeKind.object) return index.kind(part) === nodeKind.string
    const end = index.nexts[part]!
    let left = wordyKeysMax
    for (let key = part + 1; key < end && left-- > 0; key = index.nexts[key + 1]!) {
      if (index.kind(key + 1) === nodeKind.string && index.is(key, 'text')) return true
    }
    return false
  }

  /** A subtree without a rule: every string is text of its surroundings. */
  *#ordinary(node: number, code: LabelCode): Generator<void, void, void> {
    const end = this.#index.nexts[node]!
    for (let from = node; from < end; from += nodesPerStep) {
      const to = Math.min(end, from + nodesPerStep)
      this.#list(from, to, code)
      if (this.#due(to - from)) yield
    }
  }

  #list(from: number, to: number, code: LabelCode): void {
    const index = this.#index
    const { names } = this.#tables
    const innerKey = keyCodeIn(code)
    for (let node = from; node < to; node++) {
      const kind = index.kind(node)
      if (kind === nodeKind.string) this.#texts.add(node, code)
      else if (kind === nodeKind.key) this.#key(node, names.idOf(index, node), innerKey)
    }
  }

  /** Lists a key that is not a field name. */
  #key(key: number, id: number, code: LabelCode): void {
    if (id < 0) this.#texts.add(key, code)
  }

  *#claimed(node: number, claim: Claim, code: LabelCode): Generator<void, void, void> {
    this.#hold(node, yield* judgeClaim(this.#index, node, claim), code)
  }

  /** Lists a string according to the verdict on its claim. */
  #hold(node: number, { holds, isMedia }: Verdict, code: LabelCode): void {
    if (isMedia) this.#mediaParts++
    if (holds === 'sealed') this.#texts.add(node, sealed(code))
    else if (holds === 'no') this.#texts.add(node, code)
    else this.#texts.add(node, encoded(holds === 'json' ? code : asDocument(code), holds))
  }

  /** Looks up the decisive names of an object. {@link #decided} then returns their values, until the next call. */
  #decide(object: number): Iterable<void> {
    const end = this.#index.nexts[object]!
    this.#found.fill(-1)
    if (end - object > nodesPerStep) return this.#decideInSteps(object + 1, end)
    this.#decideAmong(object + 1, end)
    return this.#due(end - object) ? pause : nothing
  }

  *#decideInSteps(first: number, end: number): Generator<void, void, void> {
    for (let key = first; key < end; key = this.#decideAmong(key, Math.min(end, key + nodesPerStep))) {
      if (this.#due(nodesPerStep)) yield
    }
  }

  /** @returns the first key that does not begin before `end` */
  #decideAmong(first: number, end: number): number {
    const index = this.#index
    const { names } = this.#tables
    let key = first
    for (; key < end; key = index.nexts[key + 1]!) {
      const id = names.idOf(index, key)
      if (id < 0 || id >= decisiveNames.length) continue
      if (this.#found[id]! >= 0) {
        throw new BodyError(
          'duplicate_key',
          this.#pointer(key),
          `The key \`${decisiveNames[id]}\` stands twice in one object.`
        )
      }
      this.#found[id] = key + 1
    }
    return key
  }

  /** The value node of a decisive name in the object last given to {@link #decide}, or -1. */
  #decided(name: DecisiveName): number {
    return this.#found[decisiveNames.indexOf(name)]!
  }

  #expect(node: number, kinds: readonly number[], rule: string): void {
    if (kinds.includes(this.#index.kind(node))) return
    const pointer = this.#pointer(node)
    throw new BodyError('invalid_type', pointer, `The value at ${pointer} must be ${rule}.`)
  }

  #pointer(node: number): string {
    const { names } = this.#tables
    return this.#index.pointer(node, (key) => names.idOf(this.#index, key) >= 0)
  }

  /** Counts work. @returns true if it is time to yield */
  #due(nodes: number): boolean {
    this.#work += nodes
    if (this.#work < nodesPerStep) return false
    this.#work = 0
    return true
  }
}

/** In masked messages, a block may have another origin: a tool, a document. A tool's result stays a tool's result. */
function blockCode(block: Block, code: LabelCode): LabelCode {
  const { scope, origin } = labelOf(code)
  if (scope !== 'masked' || (block.origin === undefined && block.scope === undefined)) return code
  return labelCode(block.scope ?? scope, origin === 'tool_result' ? origin : (block.origin ?? origin))
}

/** What a string claims to hold, by a rule. */
const claimOf = (rule: Rule): Claim | undefined => (typeof rule === 'object' ? rule.plain : rule)

/** Keys inside masked text are part of it; any other key is watched, whoever speaks. */
function keyCodeIn(code: LabelCode): LabelCode {
  return labelOf(code).scope === 'masked' ? code : keyCode
}

/** An attached file is a document, unless it came from a tool. */
function asDocument(code: LabelCode): LabelCode {
  const { scope, origin } = labelOf(code)
  return scope === 'masked' && origin !== 'tool_result' ? labelCode(scope, 'document') : code
}

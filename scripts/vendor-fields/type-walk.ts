/** Walks a type by means of the compiler, and creates a value for every place in it that allows text. */
import type { Checker, Project, Symbol, Type } from 'typescript/unstable/sync'
import { SymbolFlags, TypeFlags } from 'typescript/unstable/sync'

/**
 * What a place allows. `text`: any string. `word`: one of the vendor's list. `open`: a value of any form, whose names
 * are the client's as well.
 */
type FieldKind = 'text' | 'word' | 'open'

export interface Field {
  /**
   * `messages[role=user].content[type=text].text`: a step into a union names the variant by its discriminating words,
   * or by its type.
   */
  readonly path: string
  readonly kind: FieldKind
  /** The words of a `word`. */
  readonly words: readonly string[]
  /** The smallest value of the type with this value at the place. */
  value(at: unknown): unknown
}

/** A variant of a union, with what distinguishes it from the others. */
interface Variant {
  readonly type: Type
  readonly tag: string
}

/** Members whose words distinguish variants. */
const tagNames = ['type', 'role']

/** The vendors' generators' remarks on members that are not part of the body. */
const elsewhere = /^(Header|Query|Path) param\b/

const scalars =
  TypeFlags.Number | TypeFlags.NumberLiteral | TypeFlags.Boolean | TypeFlags.BooleanLiteral | TypeFlags.BigInt
const objects = TypeFlags.Object | TypeFlags.Intersection
const empties = TypeFlags.Null | TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never

const isWord = (type: Type): boolean => (type.flags & TypeFlags.StringLiteral) !== 0
const isText = (type: Type): boolean => (type.flags & (TypeFlags.String | TypeFlags.TemplateLiteral)) !== 0
const isOpen = (type: Type): boolean =>
  (type.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.NonPrimitive)) !== 0

const wordOf = (type: Type): string => (type.isStringLiteralType() ? type.value : '')

/** Below this depth, a sample only has its required members. */
const stepsMax = 8

interface Member {
  readonly name: string
  readonly type: Type
  readonly isOptional: boolean
}

/** How a sample is created: a choice among several options, and the value at a place. */
export interface Sampling {
  below(count: number): number
  leaf(field: Omit<Field, 'value'>): unknown
}

/** Caches results per type: the compiler runs in a separate process, and each query takes time. */
class ByType<T> {
  readonly #known = new Map<number, T>()

  of(type: Type, read: () => T): T {
    if (!this.#known.has(type.id)) this.#known.set(type.id, read())
    return this.#known.get(type.id) as T
  }
}

export class TypeWalk {
  readonly #checker: Checker
  readonly #isLeftOut: (path: string) => boolean
  readonly #members = new ByType<readonly Member[]>()
  readonly #minimal = new ByType<unknown>()
  readonly #items = new ByType<Type | undefined>()
  readonly #entries = new ByType<readonly Type[]>()
  readonly #told = new ByType<readonly Variant[]>()
  readonly #flattened = new ByType<readonly Type[]>()

  /** @param isLeftOut places that are not walked */
  constructor(project: Project, isLeftOut: (path: string) => boolean = () => false) {
    this.#checker = project.checker
    this.#isLeftOut = isLeftOut
  }

  /**
   * Every place below `type`. A recursive type is walked once more, so that nesting is covered.
   * @param areTold whether the variants of the type itself are distinguished: `[type=message_start].message.id`
   */
  fields(type: Type, areTold = false): Field[] {
    const variants = areTold ? this.#variants(type) : this.#flat(type).map((one) => ({ type: one, tag: '' }))
    return variants.flatMap((one) => [...this.#inside(one.type, one.tag, [one.type.id])])
  }

  /** A value of the type with every member, down to a depth of `stepsMax`. */
  sample(type: Type, by: Sampling): unknown {
    const one = this.#flat(type)[0]
    return one && this.#sampled(one, '', 0, by)
  }

  #sampled(type: Type, path: string, steps: number, by: Sampling): unknown {
    const all = this.#variants(type)
    const deep = steps > stepsMax ? all.filter(({ type: one }) => (one.flags & objects) === 0) : all
    const full = (deep.length > 0 ? deep : all).filter(({ type: one }) => (one.flags & empties) === 0)
    const from = full.length > 0 ? full : all
    const chosen = from[by.below(from.length)]
    if (chosen === undefined) return null
    const { type: one, tag } = chosen
    const words = all.filter((other) => isWord(other.type)).map((other) => wordOf(other.type))
    if (isText(one)) return by.leaf({ path, kind: 'text', words })
    if (isWord(one)) return by.leaf({ path, kind: 'word', words })
    if (isOpen(one)) return by.leaf({ path, kind: 'open', words: [] })
    if ((one.flags & objects) === 0) return this.minimal(one)
    const item = this.#itemOf(one)
    if (item !== undefined) {
      const count = steps > stepsMax ? 0 : 1 + by.below(2)
      return Array.from({ length: count }, () => this.#sampled(item, `${path}[]`, steps + 1, by))
    }
    return this.#sampledObject(one, path + tag, steps, by)
  }

  #sampledObject(type: Type, path: string, steps: number, by: Sampling): unknown {
    const speakers = this.#speakers(type)
    const { tag, fixed } = speakers[by.below(speakers.length)] ?? { tag: '', fixed: {} }
    const members = this.#membersOf(type).filter(({ isOptional }) => !isOptional || steps <= stepsMax)
    const entries = members.map(({ name, type: inner }): [string, unknown] => [
      name,
      this.#sampled(inner, path === '' ? name : `${path}${tag}.${name}`, steps + 1, by)
    ])
    const named = this.#entriesOf(type).map((valueType): [string, unknown] => [
      'entry',
      this.#sampled(valueType, `${path}.*`, steps + 1, by)
    ])
    return { ...Object.fromEntries([...entries, ...named]), ...fixed }
  }

  /** The smallest value of a type. */
  minimal(type: Type): unknown {
    return this.#minimal.of(type, () => this.#made(type))
  }

  *#walk(type: Type, path: string, within: readonly number[]): Generator<Field> {
    if (this.#isLeftOut(path)) return
    const own = this.#variants(type)
    const words = own.filter((one) => isWord(one.type)).map((one) => wordOf(one.type))
    const takesText = own.some((one) => isText(one.type))
    const at = (value: unknown): unknown => value
    if (takesText) yield { path, kind: 'text', words, value: at }
    else if (words.length > 0) yield { path, kind: 'word', words, value: at }
    if (own.some((one) => isOpen(one.type))) yield { path, kind: 'open', words: [], value: at }
    for (const variant of own) {
      const { type: one, tag } = variant
      if ((one.flags & objects) === 0) continue
      if (within.filter((id) => id === one.id).length > 1) continue
      yield* this.#inside(one, path + tag, [...within, one.id])
    }
  }

  *#inside(type: Type, path: string, within: readonly number[]): Generator<Field> {
    const item = this.#itemOf(type)
    if (item !== undefined) {
      for (const field of this.#walk(item, `${path}[]`, within)) yield { ...field, value: (at) => [field.value(at)] }
      return
    }
    // Created now, since the compiler is gone when a value is requested.
    const smallest = this.minimal(type) as object
    for (const { tag, fixed } of this.#speakers(type)) {
      for (const { name, type: inner } of this.#membersOf(type))
        for (const field of this.#walk(inner, path === '' ? name : `${path}${tag}.${name}`, within))
          yield { ...field, value: (at) => ({ ...smallest, ...fixed, [name]: field.value(at) }) }
    }
    for (const valueType of this.#entriesOf(type)) {
      for (const field of this.#walk(valueType, `${path}.*`, within))
        yield { ...field, value: (at) => ({ ...smallest, entry: field.value(at) }) }
    }
  }

  /** An object that may have one of several roles counts as one for each of them. */
  #speakers(type: Type): { readonly tag: string; readonly fixed: object }[] {
    const role = this.#membersOf(type).find(({ name }) => name === 'role')
    const words = role === undefined ? [] : this.#flat(role.type).flatMap((one) => (isWord(one) ? [wordOf(one)] : []))
    return words.length < 2
      ? [{ tag: '', fixed: {} }]
      : words.map((word) => ({ tag: `[role=${word}]`, fixed: { role: word } }))
  }

  /** The types of the members of an object whose names the client chooses. */
  #entriesOf(type: Type): readonly Type[] {
    return this.#entries.of(type, () => this.#checker.getIndexInfosOfType(type).map(({ valueType }) => valueType))
  }

  #itemOf(type: Type): Type | undefined {
    return this.#items.of(type, () => this.#readItem(type))
  }

  #readItem(type: Type): Type | undefined {
    if (!this.#checker.isArrayType(type) && !this.#checker.isTupleType(type)) return undefined
    const [item] = type.isTypeReference() ? this.#checker.getTypeArguments(type) : []
    return item
  }

  /** The members of an object that are part of a body. */
  #membersOf(type: Type): readonly Member[] {
    return this.#members.of(type, () => this.#readMembers(type))
  }

  #readMembers(type: Type): Member[] {
    const symbols = this.#checker.getPropertiesOfType(type).filter((symbol) => this.#travels(symbol))
    const types = symbols.length === 0 ? [] : this.#checker.getTypeOfSymbol(symbols)
    return symbols.flatMap((symbol, i): Member[] => {
      const own = types[i]
      return own === undefined
        ? []
        : [{ name: symbol.name, type: own, isOptional: (symbol.flags & SymbolFlags.Optional) !== 0 }]
    })
  }

  /** The members of a call's type that the SDK sends as headers. */
  headerNames(type: Type): string[] {
    const symbols = this.#flat(type).flatMap((one) => this.#checker.getPropertiesOfType(one))
    const own = symbols.filter((one) => this.#checker.getDocumentationCommentOfSymbol(one).startsWith('Header param'))
    return [...new Set(own.map(({ name }) => name))]
  }

  #travels(symbol: Symbol): boolean {
    if ((symbol.flags & SymbolFlags.Method) !== 0) return false
    return !elsewhere.test(this.#checker.getDocumentationCommentOfSymbol(symbol))
  }

  /** The possible types, each with what distinguishes it from the others. */
  #variants(type: Type): readonly Variant[] {
    return this.#told.of(type, () => this.#tellApart(this.#flat(type)))
  }

  #tellApart(types: readonly Type[]): Variant[] {
    const forms = types.filter((one) => this.#isObject(one))
    if (forms.length < 2) return types.map((one) => ({ type: one, tag: '' }))
    const tags = forms.map((one) => this.#tagOf(one))
    return types.map((one) => {
      const place = forms.indexOf(one)
      if (place < 0) return { type: one, tag: '' }
      const tag = tags[place] ?? ''
      const isShared = tag === '' || tags.filter((other) => other === tag).length > 1
      const name = one.getAliasSymbol()?.name ?? one.getSymbol()?.name ?? ''
      return { type: one, tag: isShared ? `${tag}<${name}>` : tag }
    })
  }

  #flat(type: Type): readonly Type[] {
    return this.#flattened.of(type, () => this.#flatten(type))
  }

  #flatten(type: Type): readonly Type[] {
    if (type.isUnionType()) return type.getTypes().flatMap((one) => this.#flat(one))
    if (!type.isIntersectionType()) return [type]
    // `string & {}` is a string with suggestions for editors.
    return type.getTypes().filter((one) => isText(one)).length > 0 ? [this.#checker.getStringType()] : [type]
  }

  #isObject(type: Type): boolean {
    const isObject = (type.flags & objects) !== 0
    return isObject && this.#itemOf(type) === undefined
  }

  #tagOf(type: Type): string {
    const words = tagNames.flatMap((name) => {
      const member = this.#membersOf(type).find((one) => one.name === name && !one.isOptional)
      return member !== undefined && isWord(member.type) ? [`${name}=${wordOf(member.type)}`] : []
    })
    return words.length === 0 ? '' : `[${words.join(',')}]`
  }

  #made(type: Type): unknown {
    const [first] = this.#flat(type).toSorted((a, b) => weight(a) - weight(b))
    if (first === undefined) return null
    if (isWord(first)) return wordOf(first)
    if (isText(first)) return 'a'
    if ((first.flags & empties) !== 0) return null
    if (first.isLiteralType()) return first.value
    if ((first.flags & scalars) !== 0) return (first.flags & TypeFlags.Boolean) === 0 ? 1 : true
    if (isOpen(first)) return {}
    if (this.#itemOf(first) !== undefined) return []
    const required = this.#membersOf(first).filter(({ isOptional }) => !isOptional)
    return Object.fromEntries(required.map((member) => [member.name, this.minimal(member.type)]))
  }
}

/** Which variant has the smallest value: words before texts, texts before objects. */
function weight(type: Type): number {
  if (isWord(type)) return 0
  if (isText(type)) return 1
  if ((type.flags & scalars) !== 0) return 2
  if ((type.flags & TypeFlags.Object) !== 0) return 3
  return isOpen(type) ? 4 : 5
}

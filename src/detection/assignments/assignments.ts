/**
 * Reads what is assigned to a name: in program text, JSON, YAML, shell, markup, on a command line, in a call. It does
 * not know which names are secret; it only says where the value stands and how it is written.
 */
import {
  attributesEnd,
  defaultMemberEnd,
  defaultValueEnd,
  constructEnd,
  isBeforeQuote,
  opensElement,
  typeEnd
} from './language-constructs.ts'
import {
  beginsRow,
  isMember,
  lineValueLabelEnd,
  nextItemStart,
  nextListedText,
  partContentStart,
  siblingValueEnd,
  standsInColumn
} from './name-value-members.ts'
import { storedTextStart, visibilityEnd } from './debug-dumps.ts'
import { operators, type Operator } from './operators.ts'
import {
  copulaEnd,
  isAccentedCopula,
  isCopula,
  isOption,
  skipBlanks,
  skipEmphasis,
  skipSigns,
  skipSpace,
  valueLabelEnd
} from './lexing.ts'
import { charSet, codeAt, inSet, letterSet, quoteSet, runEnd, wordSet } from '../text/chars.ts'
import { nameEnd, nameStart } from '../values/key-names.ts'
import { ValueReader } from './value-reader.ts'
import { boxDrawingBar } from '../text/rows.ts'

const colonSet = charSet(':')
/** What stands before a value that replaces a missing one. */
const fallbackSigns = ['||', '??', '?:']
const dottedSet = charSet('. ')
const dottedUnitsMin = 3
const dottedUnitsMax = 64
/** Members under which a form field or query parameter holds its content. */
const contentMembers = ['value', 'Value', 'AsString', 'Text', 'text', 'defaultValue']
const getter = 'get() = '
/** `defaults write com.acme.app apiToken -string ...`. */
const typeOption = '-string '
/** Characters that may follow the colon behind a member's visibility. */
const visibleSet = charSet('A-Z', 'a-z', '"')

/** One assignment. A single object serves all readings and holds only numbers, since most readings lead nowhere. */
export class Assignment extends ValueReader {
  nameStart = 0
  nameEnd = 0

  /** The place of the name that {@link read} read last, and where its value may begin; -1 for none. */
  #known = -1
  #from = -1
  /** Whether that value was read, and whether there is one: two kinds may ask for it, and each for its own operators. */
  #isRead = false
  #isValue = false

  /**
   * Reads the assignment to the name around the word at `at`.
   * @param wanted the operators that the caller handles; for others, reading ends early
   * @param textNumber identifies the text, so that the same name need not be read again for another kind; 0 for none
   * @returns whether there is one
   */
  read(text: string, at: number, wordUnits: number, wanted: (operator: Operator) => boolean, textNumber = 0): boolean {
    if (textNumber === 0 || textNumber !== this.textNumber || at !== this.#known) {
      const end = nameEnd(text, at + wordUnits, textNumber)
      this.nameEnd = end
      this.nameQuoted = false
      this.compared = false
      this.#from = this.#operator(text, this.#closeName(text, end, at), at)
      this.textNumber = textNumber
      this.#known = at
      this.#isRead = false
      this.at = at
    }
    if (this.#from < 0 || !wanted(this.operator)) return false
    if (!this.#isRead) {
      this.#isRead = true
      this.#isValue = this.value(text, this.#from)
      if (this.#isValue) this.nameStart = nameStart(text, at)
    }
    return this.#isValue
  }

  /** Where the value of the name may begin that was read last, even if no value was read; -1 if nothing is assigned. */
  get valueFrom(): number {
    return this.#from
  }

  /**
   * Reads the next element of the quoted list that the last value is in, or the value that it is changed to:
   * `"one" -> "two"`.
   */
  readNext(text: string): boolean {
    if (!this.quoted || this.wrapped) return false
    this.#known = -1
    const close = codeAt(text, this.end)
    let i = this.end
    while (i - this.end < 4 && codeAt(text, i) === 92) i++
    if (!inSet(quoteSet, close === 92 ? codeAt(text, i) : close)) return false
    i = skipBlanks(text, i + 1)
    if (changesTo(text, i)) i = skipBlanks(text, i + 2)
    else if (codeAt(text, i) === 44) i = skipSpace(text, i + 1)
    else return false
    let quote = i
    while (quote - i < 8 && codeAt(text, quote) === 92) quote++
    return inSet(quoteSet, codeAt(text, quote)) && this.quotedText(text, i, quote)
  }

  /**
   * Reads a value that begins at `from`, whatever precedes it.
   * @param textNumber identifies the text, so that where it ends need not be looked for again from the next place; 0 for
   *   none
   */
  readValue(text: string, from: number, textNumber: number): boolean {
    this.#begin(operators.colon, -1, textNumber)
    return this.value(text, from)
  }

  /**
   * Reads the value in the cell of a table that begins at `from`, for the name at `at`.
   * @param textNumber as for {@link readValue}
   */
  readCell(text: string, from: number, at: number, textNumber: number): boolean {
    this.#begin(operators.cell, at, textNumber)
    return this.value(text, from)
  }

  /**
   * Reads the value that a sentence states for the name in `[at, nameEnd)`, which a blank precedes: `password is X`.
   * @param textNumber as for {@link readValue}
   */
  readStated(text: string, at: number, nameEnd: number, textNumber: number): boolean {
    const from = copulaValueStart(text, skipBlanks(text, nameEnd))
    if (from < 0) return false
    this.#begin(operators.is, at, textNumber)
    return this.value(text, from)
  }

  /** Begins a reading that does not look for an operator. */
  #begin(operator: Operator, at: number, textNumber: number): void {
    this.operator = operator
    this.compared = false
    this.nameQuoted = false
    this.textNumber = textNumber
    this.at = at
    this.#known = -1
  }

  /** Steps over what may close a name: quotes, escaped or not, and a bracket. */
  #closeName(text: string, from: number, at: number): number {
    let i = skipEmphasis(text, from)
    if (i > from) return i
    const seen = codeAt(text, i) === 58 ? visibilityEnd(text, nameStart(text, at), i) : -1
    if (seen >= 0) return seen
    while (i - from < 4 && codeAt(text, i) === 92) i++
    if (inSet(quoteSet, codeAt(text, i))) {
      this.nameQuoted = true
      i++
    } else if (i > from) return from
    if (codeAt(text, i) === 93) {
      i++
      // A form field's name as the key of an object: `"user[password]": "..."`.
      if (!this.nameQuoted && inSet(quoteSet, codeAt(text, i))) {
        const next = codeAt(text, i + 1)
        // `querySelector("[name=password]")`.
        if (next === 41) this.nameQuoted = true
        if (next === 41 || next === 58) i++
      }
    } else if (this.nameQuoted && codeAt(text, i) === 58 && inSet(visibleSet, codeAt(text, i + 1))) {
      const visible = visibilityEnd(text, nameStart(text, at), i)
      if (visible >= 0) return visible
    }
    return i
  }

  /**
   * Reads the operator. Any character that it accepts directly behind a name must be in `behindAssigned` too.
   * @returns where the value may begin; -1 if there is none
   */
  #operator(text: string, from: number, at: number): number {
    const i = skipBlanks(text, from)
    const code = codeAt(text, i)
    const next = codeAt(text, i + 1)
    switch (code) {
      case 58: // :
        return this.#colon(text, i, next)
      case 61: // =
        this.operator = operators.equals
        if (next === 126) return -1
        this.compared = next === 61
        return skipSigns(text, i + 1)
      case 46: // .
        // Directly behind a name, a dot and a blank end a sentence.
        if (next === 46 || (next === 32 && i > from)) return this.#dotted(text, i)
        return next === 61 ? this.#set(operators.equals, i + 2) : -1
      case 43: // +
        return next === 61 ? this.#set(operators.equals, i + 2) : -1
      case 63: // ?
        if (next === 61 || next === 63) return this.#set(operators.equals, skipSigns(text, i + 2))
        return next === 58 ? this.#set(operators.colon, i + 2) : -1
      case 33: // !
        this.compared = true
        return next === 61 ? this.#set(operators.equals, skipSigns(text, i + 2)) : -1
      case 124: // |
        if (next === 124) return this.#set(operators.equals, skipSigns(text, i + 2))
        // `.Values.password | quote` and `$password | quote` are pipes.
        if (isMember(text, nameStart(text, at)) || this.#isPiped(text, at)) return -1
        return next === 32 || beginsRow(text, nameStart(text, at))
          ? this.#set(operators.cell, next === 32 ? i + 2 : i + 1)
          : -1
      case 45: // -
        if (i > from && text.startsWith(typeOption, i)) return this.#set(operators.option, i + typeOption.length)
        return next === 62 ? this.#set(operators.equals, i + 2) : this.#construct(text, i)
      case 44: // ,
        return this.nameQuoted ? this.#comma(text, i + 1, at) : this.#inTuple(text, i, at)
      case 59: // ;
        return this.nameQuoted ? this.#set(operators.comma, storedTextStart(text, i)) : -1
      case 40: // (
        return i === from && inSet(quoteSet, codeAt(text, i + 1)) ? this.#set(operators.call, i + 1) : -1
      case 41: // )
        if (next === 46) return this.nameQuoted ? this.#formFieldValue(text, i + 2) : -1
        return next === 32 || next === 61 ? this.#closing(text, i) : -1
      case 10:
      case 13:
        return this.#below(text, i, at)
      case 62: // >
        return opensElement(text, i, this.nameQuoted ? this.nameEnd : 0) ? this.#set(operators.element, i + 1) : -1
      case 0x2192: // →
        return this.#set(operators.equals, i + 1)
      case boxDrawingBar:
        return next === 32 ? this.#set(operators.cell, i + 2) : -1
      case 123: // {
        // `set password {...}` in Tcl.
        if (i > from && !this.nameQuoted && isOption(text, nameStart(text, at))) return this.#set(operators.option, i)
        return this.#construct(text, i)
      case 60: // <
      case 91: // [
        return this.#construct(text, i)
      default:
        return i > from && !this.nameQuoted ? this.#beside(text, i, code, at) : this.#attribute(text, i, from)
    }
  }

  /** Dot leaders: `Password . . . . . . : ...`, `Password.........: ...`. */
  #dotted(text: string, i: number): number {
    const end = runEnd(text, i, dottedSet, dottedUnitsMax)
    return end - i >= dottedUnitsMin && codeAt(text, end) === 58 ? this.#set(operators.colon, end + 1) : -1
  }

  /** A value piped through functions: `{{ "name" | quote }}`. */
  #isPiped(text: string, at: number): boolean {
    if (!this.nameQuoted) return false
    const before = nameStart(text, at) - 1
    return text.startsWith('{{', before - 2) || text.startsWith('{{ ', before - 3)
  }

  /** Constructs that some languages write between a name and its value. */
  #construct(text: string, i: number): number {
    const end = constructEnd(text, i, this.nameQuoted)
    return end < 0 ? -1 : this.#set(codeAt(text, end - 1) === 62 ? operators.tagged : operators.equals, end)
  }

  #set(operator: Operator, at: number): number {
    this.operator = operator
    return at
  }

  #colon(text: string, i: number, next: number): number {
    if (next === 61 || next === 45) return this.#set(operators.equals, i + 2)
    if (next === 58) {
      const sign = runEnd(text, i, colonSet, 4)
      if (codeAt(text, sign) === 61) return this.#set(operators.equals, sign + 1)
      return isBeforeQuote(text, sign) ? this.#set(operators.colon, sign) : -1
    }
    if (next === 47) return -1
    this.operator = operators.colon
    return i + 1
  }

  /** `os.getenv("X") or "value"`, `env("X") || "value"`, `getenv("X") ?: "value"`. */
  #closing(text: string, i: number): number {
    const at = skipBlanks(text, i + 1)
    if (fallbackSigns.some((sign) => text.startsWith(sign, at)) || (this.nameQuoted && text.startsWith('or', at)))
      return this.#set(operators.equals, at + 2)
    // `headers.get("X-Admin-Token") != "value"`.
    this.compared = text.startsWith('!=', at) || text.startsWith('==', at)
    if (this.compared) return this.#set(operators.equals, skipSigns(text, at + 2))
    return codeAt(text, at) === 61 ? this.#set(operators.equals, skipSigns(text, at + 1)) : -1
  }

  /**
   * What a form field is given that was looked up by its name: `getElementById("name").value = `,
   * `$("#name").val("...")`.
   */
  #formFieldValue(text: string, at: number): number {
    if (text.startsWith('val(', at)) return this.#set(operators.call, at + 4)
    const member = contentMembers.find((one) => text.startsWith(one, at))
    const sign = member === undefined ? at : skipBlanks(text, at + member.length)
    const equals = codeAt(text, sign) === 58 ? sign + 1 : sign
    return codeAt(text, equals) === 61 && codeAt(text, equals + 1) !== 61 ? this.#set(operators.equals, equals + 1) : -1
  }

  /**
   * `"name", "value"`, and forms with labels: `"name", "value": "..."`, `"name": "...", "type": "...", "value": "..."`.
   */
  #comma(text: string, from: number, nameAt: number): number {
    this.operator = operators.comma
    const at = skipSpace(text, from)
    const end = valueLabelEnd(text, at)
    if (end >= 0) return end
    const start = nameStart(text, nameAt)
    const sibling = siblingValueEnd(text, start, at)
    if (sibling >= 0) return this.#set(operators.colon, sibling)
    const member = defaultMemberEnd(text, at)
    if (member >= 0) return this.#set(operators.equals, member)
    if (codeAt(text, start) !== 45) return at
    const otherwise = defaultValueEnd(text, at)
    if (otherwise >= 0) return this.#set(operators.equals, otherwise)
    // `"--password", "--user"`.
    return codeAt(text, at + 1) === 45 ? -1 : at
  }

  /** A tuple in Erlang: `{name,"value"}`. */
  #inTuple(text: string, i: number, at: number): number {
    const next = codeAt(text, i + 1)
    const isTuple = codeAt(text, nameStart(text, at) - 1) === 123 && (next === 34 || next === 60)
    return isTuple ? this.#set(operators.comma, i + 1) : -1
  }

  /** `name="password" value="..."`, `key: password value: ...`. */
  #attribute(text: string, i: number, from: number): number {
    if (i === from || !this.nameQuoted) return -1
    // `"password" "..."`, as in some settings files.
    if (codeAt(text, i) === 34 && codeAt(text, from - 1) === 34) return this.#set(operators.beside, i)
    const end = valueLabelEnd(text, i)
    return end < 0 ? -1 : this.#set(operators.comma, end)
  }

  /**
   * The value on the next line, behind a label, or as the next element of a list, or as the content of a multipart
   * field.
   */
  #below(text: string, i: number, at: number): number {
    const name = nameStart(text, at)
    const end = lineValueLabelEnd(text, this.nameQuoted ? name - 1 : name, i)
    if (end >= 0) return this.#set(operators.colon, end)
    const item = nextItemStart(text, name, i)
    if (item >= 0) return this.#set(operators.option, item)
    if (!this.nameQuoted) return -1
    const listed = nextListedText(text, name - 1, i)
    if (listed >= 0) return this.#set(operators.comma, listed)
    const content = partContentStart(text, name - 1, i)
    return content < 0 ? -1 : this.#set(operators.part, content)
  }

  #beside(text: string, i: number, code: number, at: number): number {
    if (inSet(quoteSet, code)) return this.#set(operators.beside, i)
    if (code < 128 && wordSet[code] !== 1 && code !== 33 && code !== 35 && code !== 64) return -1
    // `self.secret = secret or "..."`.
    if (text.startsWith('or ', i) && inSet(quoteSet, codeAt(text, i + 3))) return this.#set(operators.equals, i + 3)
    // `val apiKey get() = "..."` in Kotlin.
    if (text.startsWith(getter, i)) return this.#set(operators.equals, i + getter.length)
    const valueAt = copulaValueStart(text, i)
    if (valueAt >= 0) return this.#set(operators.is, valueAt)
    const typed = typeEnd(text, i)
    if (typed >= 0) return this.#set(operators.equals, typed)
    const start = nameStart(text, at)
    const tagged = attributesEnd(text, start, i)
    if (tagged >= 0) return this.#set(operators.element, tagged)
    if (isOption(text, start)) return this.#set(operators.option, i)
    return standsInColumn(text, start, this.nameEnd, i) ? this.#set(operators.column, i) : -1
  }
}

/** For kinds that look at the same names one after the other: what one of them has read, the next one knows. */
export const sharedAssignment = new Assignment()

/** Where the value may begin behind the copula at `i`; -1 if there is no copula. */
function copulaValueStart(text: string, i: number): number {
  if (isAccentedCopula(codeAt(text, i)) && codeAt(text, i + 1) === 32) return i + 2
  const end = runEnd(text, i, letterSet, 12)
  return isCopula(text, i, end) ? copulaEnd(text, end) : -1
}

/** Whether the arrow stands at `at` behind which a plan shows the new value. */
export function changesTo(text: string, at: number): boolean {
  return (codeAt(text, at) === 45 || codeAt(text, at) === 61) && codeAt(text, at + 1) === 62
}

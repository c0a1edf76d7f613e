/** A text in another way of writing, and where each of its characters went. */

/** What is wrapped: a text, and which part of it is the secret, in UTF-16 code units. */
export interface Material {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The text in its wrapping. A character that is not written at all begins and ends at the same place. */
export interface Wrapped {
  readonly text: string
  /** Where the written form of each character of the material begins and ends. */
  readonly starts: Int32Array
  readonly ends: Int32Array
}

export type Wrapping = (material: Material) => Wrapped

/** Writes characters one by one, and what stands between them. */
export class Writer {
  #text = ''
  readonly #starts: Int32Array
  readonly #ends: Int32Array

  constructor(units: number) {
    this.#starts = new Int32Array(units)
    this.#ends = new Int32Array(units)
  }

  get units(): number {
    return this.#text.length
  }

  /** Writes something that is not part of the material. */
  frame(written: string): this {
    this.#text += written
    return this
  }

  /** Writes the character of the material at `index`. */
  put(index: number, written: string): this {
    this.#starts[index] = this.#text.length
    this.#text += written
    this.#ends[index] = this.#text.length
    return this
  }

  done(): Wrapped {
    return { text: this.#text, starts: this.#starts, ends: this.#ends }
  }
}

/** Each character as `write` gives it, between `head` and `tail`. */
export function written(head: string, write: (char: string, index: number) => string, tail = ''): Wrapping {
  return ({ text }) => {
    const writer = new Writer(text.length).frame(head)
    for (let i = 0; i < text.length; i++) writer.put(i, write(text.charAt(i), i))
    return writer.frame(tail).done()
  }
}

/** Each character as a table gives it, or unchanged. */
export function escaped(head: string, table: Readonly<Record<string, string>>, tail = ''): Wrapping {
  return written(head, (char) => table[char] ?? char, tail)
}

/** The text unchanged. */
export function framed(head: string, tail = ''): Wrapping {
  return written(head, (char) => char, tail)
}

/** Applies a wrapping to the result of another. */
export function within(outer: Wrapping, inner: Wrapping): Wrapping {
  return (material) => {
    const first = inner(material)
    const start = first.starts[material.start] as number
    const end = first.ends[material.end - 1] as number
    const second = outer({ text: first.text, start, end })
    const at = (places: Int32Array, index: number): number => places[index] ?? second.text.length
    return {
      text: second.text,
      starts: first.starts.map((place) => at(second.starts, place)),
      ends: first.ends.map((place, i) =>
        place === first.starts[i] ? at(second.starts, place) : at(second.ends, place - 1)
      )
    }
  }
}

/** A prefix for each line, by its number from 0. */
export function prefixed(prefix: (line: number) => string, head = '', tail = ''): Wrapping {
  return ({ text }) => {
    let line = 0
    const writer = new Writer(text.length).frame(head + prefix(line++))
    for (let i = 0; i < text.length; i++) {
      writer.put(i, text.charAt(i))
      if (text.charAt(i) === '\n' && i + 1 < text.length) writer.frame(prefix(line++))
    }
    return writer.frame(tail).done()
  }
}

/** The first `units` units of a sentence, the last of them a blank. */
export function paddingOf(units: number): string {
  const words =
    'see the notes of the last call and what was said there of all that is to be done about it in the next week or two'
  return units === 0 ? '' : `${words.slice(0, units - 1)} `
}

/** Breaks lines after `width` units. With `cut`, the secret begins so far along its line that it is split. */
export function wrapped(width: number, lineBreak: string, head = '', cut = true): Wrapping {
  return ({ text, start, end }) => {
    const writer = new Writer(text.length).frame(head)
    const lineStart = text.lastIndexOf('\n', start) + 1
    const half = Math.min(width / 2, (end - start) / 2)
    // So much that the middle of a short secret, or of the first line of a long one, is at the end of the line.
    const column = start - lineStart
    const padding = cut ? (((width - Math.floor(half) - column - head.length) % width) + width) % width : 0
    let used = head.length
    // The continuation mark of a line stands behind its last column.
    const gutterUnits = lineBreak.length - Math.max(lineBreak.lastIndexOf('\n'), lineBreak.lastIndexOf('\r')) - 1
    for (let i = 0; i < text.length; i++) {
      if (i === lineStart) {
        writer.frame(paddingOf(padding))
        used += padding
      }
      const char = text.charAt(i)
      if (used >= width && char !== '\n') {
        writer.frame(lineBreak)
        used = gutterUnits
      }
      writer.put(i, char)
      used = char === '\n' ? 0 : used + 1
    }
    return writer.done()
  }
}

/** The secret in pieces of `unitsMax` units, or in two halves, with `joint` between them. Other lines stay as they are. */
export function pieced(head: string, joint: string, tail = '', unitsMax = 0, write = (char: string) => char): Wrapping {
  return ({ text, start, end }) => {
    const units = unitsMax === 0 ? Math.ceil((end - start) / 2) : unitsMax
    const writer = new Writer(text.length).frame(head)
    for (let i = 0; i < text.length; i++) {
      if (i > start && i < end && (i - start) % units === 0) writer.frame(joint)
      writer.put(i, write(text.charAt(i)))
    }
    return writer.frame(tail).done()
  }
}

/**
 * The bytes of the text in groups that become groups of letters, as in base64: each character stands where any letter
 * of its group stands.
 */
export function encoded(
  head: string,
  encode: (bytes: Buffer) => string,
  tail = '',
  lineUnits = 0,
  lineBreak = '\n'
): Wrapping {
  return ({ text }) => {
    const letters = encode(Buffer.from(text))
    let out = head
    const places: number[] = []
    for (let i = 0; i < letters.length; i++) {
      if (lineUnits > 0 && i > 0 && i % lineUnits === 0) out += lineBreak
      places.push(out.length)
      out += letters.charAt(i)
    }
    const starts = new Int32Array(text.length)
    const ends = new Int32Array(text.length)
    let byte = 0
    for (let i = 0; i < text.length; i++) {
      const units = Buffer.byteLength(text.charAt(i))
      starts[i] = places[Math.min(letters.length - 1, Math.floor((byte * 8) / 6))] as number
      ends[i] = (places[Math.min(letters.length - 1, Math.ceil(((byte + units) * 8) / 6) - 1)] as number) + 1
      byte += units
    }
    return { text: out + tail, starts, ends }
  }
}

/**
 * A value that must never be printed by accident. It shows itself only where the code says `reveal()`; every common
 * way of turning a value into text (templates, JSON, `console.log`, an inspector) gives `[secret]`.
 */

const shown = '[secret]'

export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The value itself. To be called where it is used (a header, a key derivation), never where it is passed on. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return shown
  }

  toJSON(): string {
    return shown
  }

  /** Node's inspector and `console.log` look for this symbol; it is registered globally, so nothing need be imported. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return shown
  }
}

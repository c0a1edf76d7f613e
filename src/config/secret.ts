/**
 * A value that must never be printed by accident. Only `reveal()` returns it; every common way of converting a value to
 * text (templates, JSON, `console.log`, an inspector) gives `[secret]`.
 */

const shown = '[secret]'

export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The value itself. Call it where the value is used (a header, a key derivation), never where it is passed on. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return shown
  }

  toJSON(): string {
    return shown
  }

  /** Used by Node's inspector and `console.log`; the symbol is registered globally, so nothing need be imported. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return shown
  }
}

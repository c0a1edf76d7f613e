/** A request body that cannot be taken: what is wrong, where, and never what it says. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
  /**
   * `invalid_json`, `too_deep`, `too_many_values`: no JSON within the bounds. `invalid_body`, `missing_field`,
   * `invalid_type`, `duplicate_key`: JSON, and not a body of the API.
   */
  readonly code: string
  /** JSON pointer to the place; a key that is no known field name stands as `*`. */
  readonly pointer: string
  constructor(code: string, pointer: string, message: string) {
    super(message)
    this.code = code
    this.pointer = pointer
  }
}

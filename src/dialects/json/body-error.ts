/** A request body that cannot be accepted: what is wrong and where, without quoting it. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
  /**
   * `invalid_json`, `too_deep`, `too_many_values`: not JSON within the limits. `missing_field`, `invalid_type`,
   * `duplicate_key`: JSON, but not a body of this API.
   */
  readonly code: string
  /** JSON pointer to the place; a key that is not a known field name is written as `*`. */
  readonly pointer: string
  constructor(code: string, pointer: string, message: string) {
    super(message)
    this.code = code
    this.pointer = pointer
  }
}

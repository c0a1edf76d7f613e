/** Errors that the caller can correct: wrong arguments, an invalid configuration, a name that does not exist. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

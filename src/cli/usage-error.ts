/** What the caller can mend: wrong words, a faulty configuration, a name that does not exist. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

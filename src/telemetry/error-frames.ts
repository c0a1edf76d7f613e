/** What may be shown of an unforeseen error: its name and places in the code. Its message may quote a client. */

/** The name of an error, or the type of a thrown value that is not an error. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  // A class sets its name, but an instance could have been given any text.
  return /^[A-Za-z]\w{0,63}$/.test(error.name) ? error.name : 'Error'
}

/**
 * The stack's lines that name places in the code, without any part of the message. A message can hold lines that look
 * like places, so it is removed by its text first; if the stack does not begin with it, nothing is returned.
 * @param framesMax most lines
 */
export function errorFrames(error: unknown, framesMax = Infinity): string[] {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return []
  const head = /^[\w$.]{1,80}(?: \[\w+\])?/.exec(error.stack)?.[0]
  const { message } = error
  const words = message === '' ? `${head}\n` : `${head}: ${message}\n`
  // The stack is formatted when first read: if the message has changed since, its end is unknown.
  if (!error.stack.startsWith(words)) return []
  return error.stack
    .slice(words.length)
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, framesMax)
}

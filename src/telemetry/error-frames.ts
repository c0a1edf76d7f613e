/** An unforeseen error as it may be shown: its name and the places in the code. Its message may quote a client. */

/** The name of what was thrown, or its type where it is no error. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  // A class sets its name; an instance could have been given any text.
  return /^[A-Za-z]\w{0,63}$/.test(error.name) ? error.name : 'Error'
}

/**
 * The lines of the stack that name places in the code, without any part of the message. A message can hold lines that
 * look like places, so it is cut off by its text first; where the stack does not begin with it, nothing is given.
 * @param framesMax most lines
 */
export function errorFrames(error: unknown, framesMax = Infinity): string[] {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return []
  const head = /^[\w$.]{1,80}(?: \[\w+\])?/.exec(error.stack)?.[0]
  const { message } = error
  const words = message === '' ? `${head}\n` : `${head}: ${message}\n`
  // The stack is written at its first reading: where the message was changed since then, its end is not known.
  if (!error.stack.startsWith(words)) return []
  return error.stack
    .slice(words.length)
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, framesMax)
}

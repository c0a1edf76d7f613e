/**
 * The command line parser's complaints about wrong arguments, without the arguments: a value may be a token that was
 * pasted into the wrong place, and the message may end up in a build log.
 */

/** The form of our own options and commands, which no value has. */
const speakable = /^-{0,2}[a-z][a-z-]{0,31}$/

const rules: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/^error: option '(.+?)' argument '[^]*' is invalid\./, (flags) => `error: option '${flags}' is not valid.`],
  [
    /^error: command-argument value '[^]*' is invalid for argument '(.+?)'\./,
    (name) => `error: argument '${name}' is not valid.`
  ],
  [/^(error: too many arguments.*? but got \d+): [^]*\.$/, (counts) => `${counts}.`],
  [/^error: unknown (option|command) '([^]*?)(?:=[^]*)?'(\n\(Did you mean [^]*\))?$/, unknownWord]
]

function unknownWord(what = '', word = '', hint = ''): string {
  return `error: unknown ${what}${speakable.test(word) ? ` '${word}'` : ''}${hint}`
}

/** @param message as worded by the parser, with or without a line end */
export function withoutValues(message: string): string {
  const text = message.trimEnd()
  for (const [pattern, reword] of rules) {
    const match = pattern.exec(text)
    if (match) return `${reword(...match.slice(1))}${text.slice(match[0].length)}${message.slice(text.length)}`
  }
  return message
}

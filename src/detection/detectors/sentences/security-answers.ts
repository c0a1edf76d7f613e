/** Answers to security questions: "my mother's maiden name is X", "memorable word: X". */
import { NameIndex } from '../../text/name-index.ts'
import type { Match } from '../../detector.ts'
import { codeAt, leftClear, wordSet } from '../../text/chars.ts'
import { wordAt } from './clause-words.ts'

const names = [
  ...[
    "mother's maiden name",
    'mothers maiden name',
    'security answer',
    'secret answer',
    'memorable word',
    'security word'
  ],
  ...['answer to my security question', 'answer to the security question', 'answer to my secret question', 'first pet'],
  ...['secret question answer', 'security question', 'geburtsname meiner mutter']
]
const index = new NameIndex(names.map((name) => [name, true]))
export const answerAnchors = names.map((literal) => ({ literal, fold: true, guard: { notBefore: wordSet } }) as const)

/** Copulas between such a name and the answer. */
const copulas = [' is ', ' was ', ': ', ' - ', ' ist ', "'s name is ", "'s name was ", "'s name: ", ' called ']
const questionUnitsMax = 120
const answers = ['\nanswer: ', '\na: ', ' answer: ', '\nantwort: ']

/** The answer behind the name at `at`. */
export function securityAnswer(text: string, at: number): Match | undefined {
  const name = index.at(text, at)?.[0]
  if (name === undefined || !leftClear(text, at, wordSet)) return undefined
  const from = at + name.length
  if (name === 'security question') return asked(text, from)
  // A first pet without `my` may be anybody's.
  const isOwn = text.slice(Math.max(0, at - 3), at).toLowerCase() === 'my '
  const copula = copulas.find((one) => text.startsWith(one, from))
  if (copula === undefined || (name === 'first pet' && !isOwn && !copula.startsWith(':'))) return undefined
  return wordAt(text, from + copula.length)
}

/** The answer on the same line or below: `Security question: What was your first pet?`, `Answer: X`. */
function asked(text: string, from: number): Match | undefined {
  if (codeAt(text, from) !== 58) return undefined
  const near = text.slice(from, from + questionUnitsMax).toLowerCase()
  for (const answer of answers) {
    const at = near.indexOf(answer)
    if (at >= 0) return wordAt(text, from + at + answer.length)
  }
  return undefined
}

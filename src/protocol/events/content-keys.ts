/**
 * Field names that hold message text. An event with one of them is refused: a sensor that sends content by mistake
 * should learn of it at once, instead of having it dropped silently.
 */

/** A key whose last word is one of these holds content: `prompt`, `userPrompt`, `tool_result`, `INPUT`. */
const contentWords = new Set(
  `prompt prompts message messages content contents text texts input inputs output outputs completion completions
  argument arguments arg args result results response responses instruction instructions transcript transcripts
  conversation conversations body snippet snippets`.split(/\s+/)
)

/** Keys that hold content only as a whole; as the last word of a longer one (`operatingSystem`) they are harmless. */
const contentKeys = new Set([
  'system',
  'query',
  'params',
  'parameters',
  'thinking',
  'reasoning',
  'history',
  'choices',
  'delta'
])

/** Content words that rarely end other words, so they count even without a separator: `userprompt`. */
const contentEndings =
  /(?:prompts?|messages?|contents?|completions?|transcripts?|instructions?|arguments|inputs?|outputs?)$/

/**
 * Whether a field with this name could hold message text. `inputTokens` and `promptHash` could not, `userPrompt` could.
 */
function isContentKey(key: string): boolean {
  // Longer names are not field names; the cut also limits the work that one key can cause.
  const words = key
    .slice(-128)
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
  // A single letter after a digit or a separator is a version: `promptV2`, `text_b`.
  while (words.length > 1 && words.at(-1)?.length === 1) words.pop()
  const last = words.at(-1) ?? ''
  return contentWords.has(last) || contentEndings.test(last) || (words.length === 1 && contentKeys.has(last))
}

/**
 * Most keys and list entries that one search examines. A key takes about two microseconds, in which the process serves
 * nothing else. An event with every field of its schema has about 650.
 */
export const entriesMax = 2000

/** The path to a key that could hold message text, or that there were too many entries. */
type ContentSearch = { readonly found: readonly string[] } | { readonly found: undefined; readonly isTooLarge: boolean }

/**
 * Searches a value for a key that could hold message text.
 * @param harmless known keys that are skipped; what is below them is still searched
 */
export function findContentKey(value: unknown, harmless: ReadonlySet<string> = noKeys): ContentSearch {
  // An explicit stack: JSON.parse accepts far deeper nesting than the call stack does.
  const open: { readonly path: Path; readonly value: object }[] = []
  if (typeof value === 'object' && value !== null) open.push({ path: null, value })
  let left = entriesMax
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const isArray = Array.isArray(next.value)
    const keys = Object.keys(next.value)
    left -= keys.length
    if (left < 0) return { found: undefined, isTooLarge: true }
    for (const key of keys) {
      if (!isArray && !harmless.has(key) && isContentKey(key)) return { found: listKeys({ key, parent: next.path }) }
      const child = (next.value as Readonly<Record<string, unknown>>)[key]
      if (typeof child === 'object' && child !== null) open.push({ path: { key, parent: next.path }, value: child })
    }
  }
  return { found: undefined, isTooLarge: false }
}

const noKeys: ReadonlySet<string> = new Set()

/** Paths share their prefixes, so that a deep body costs no more than its size. */
type Path = { readonly key: string; readonly parent: Path } | null

function listKeys(path: Path): string[] {
  const keys: string[] = []
  for (let step = path; step !== null; step = step.parent) keys.push(step.key)
  return keys.toReversed()
}

/** Warnings about set variables that nothing reads, where somebody probably meant another. */
import { nearestName } from '../policy/lint/nearest-name.ts'
import type { Environment } from './reader.ts'
import { foreignNames, type Variable } from './variables.ts'

/** Sentences about set variables that are in no table, but resemble one in `table`. */
export function misspellings(env: Environment, table: Readonly<Record<string, Variable>>): string[] {
  const known = Object.entries(table).flatMap(([name, { type }]) =>
    type === 'secret' ? [name, `${name}_FILE`] : [name]
  )
  return Object.keys(env)
    .filter((name) => /^(SERVICE|UPSTREAM)_/.test(name) && !known.includes(name) && !foreignNames.includes(name))
    .flatMap((name) => {
      const nearest = nearestName(name, known) ?? oneWordOff(name, known) ?? ofSameUpstream(name, known)
      return nearest === undefined ? [] : [`${name} is not a known variable and is ignored: did you mean ${nearest}?`]
    })
}

/** Shorter names, such as `SERVICE_HOST`, are those of other programs. */
const wordsMin = 3

/**
 * The known name of which one word was left out or to which one was added: `UPSTREAM_CHAT_BASE`, with which prompts
 * would go to the default vendor, or `UPSTREAM_CHAT_API_BASE_URL`.
 */
function oneWordOff(name: string, known: readonly string[]): string | undefined {
  const words = name.split('_')
  return words.length < wordsMin
    ? undefined
    : known.find((other) => {
        const others = other.split('_')
        return others.length < words.length ? lacksOne(others, words) : lacksOne(words, others)
      })
}

/** Whether leaving out one word of `long` results in `short`. */
const lacksOne = (short: readonly string[], long: readonly string[]): boolean =>
  short.length === long.length - 1 &&
  long.some((_, left) => short.every((word, at) => word === long[at < left ? at : at + 1]))

/** What Kubernetes sets in every container for a service of its namespace, here one that is called `upstream-chat`. */
const serviceLink = /_(?:SERVICE_HOST|PORT)(?:_|$)/

/**
 * What can be set for the upstream that `name` is about, of which no word resembles a known name. With
 * `UPSTREAM_CHAT_BASE_URL` ignored, prompts and the key would go to the default vendor.
 */
function ofSameUpstream(name: string, known: readonly string[]): string | undefined {
  const [first, upstream, ...rest] = name.split('_')
  if (first !== 'UPSTREAM' || rest.length === 0 || serviceLink.test(name)) return undefined
  const settings = known.filter((other) => other.startsWith(`${first}_${upstream}_API_`) && !other.endsWith('_FILE'))
  return settings.length === 0 ? undefined : settings.join(' or ')
}

/**
 * The service's own credentials, found by value. A key of a private gateway or the password of the database may have no
 * recognisable form, and the prompt of an agent that works on this host may quote it from a file or an environment.
 */
import type { KeyObject } from 'node:crypto'
import { readHeaderList } from '../config/values.ts'
import { Secret } from '../config/secret.ts'
import { knownValueDetectors } from '../detection/custom/known-values.ts'
import type { Detector } from '../detection/detector.ts'
import { trafficDetectors } from '../detection/detectors/traffic.ts'
import { isSecretValue } from '../detection/values/generic-value.ts'
import { plainName } from '../detection/values/key-names.ts'

/** Shorter credentials are words more often than secrets. */
const credentialUnitsMin = 12
/** A longer text is no word, and no rule judges it. */
const judgedUnitsMax = 512

/**
 * The built-in kinds for traffic, and one for every credential in `config`.
 *
 * Upstreams that need no key are often given a word in its place (`no-key-required`), which prompts may contain. So
 * only what would also be found beside a key's name counts as a credential.
 * @param config anything that holds secrets: all of them count, whichever setting they are from
 */
export function detectorsWithCredentials(config: object, masterKey: KeyObject): readonly Detector[] {
  const texts = new Set([...secretsIn(config)].flatMap((secret) => credentialsOf(secret.reveal())))
  const bytes = masterKey.export()
  for (const encoding of ['hex', 'base64', 'base64url'] as const) texts.add(bytes.toString(encoding))
  const known = [...texts].filter((text) => text.length >= credentialUnitsMin && looksSecret(text))
  return [...trafficDetectors, ...knownValueDetectors(known.map((value) => ({ value })))]
}

function* secretsIn(value: object): Generator<Secret, void, undefined> {
  for (const member of Object.values(value) as unknown[]) {
    if (member instanceof Secret) yield member
    else if (typeof member === 'object' && member !== null) yield* secretsIn(member)
  }
}

/** What gives access in the text of a setting: the password of a URL, the values of headers, or all of it. */
function credentialsOf(text: string): string[] {
  if (text.includes('://') && URL.canParse(text)) {
    const { password } = new URL(text)
    return [password, decoded(password)]
  }
  const headers = text.includes('=') ? readHeaderList(text) : undefined
  // `Bearer X` and the like.
  const values = Object.values(headers ?? {}).map((value) => value.slice(value.lastIndexOf(' ') + 1))
  return [text, ...values]
}

/** Whether it would be found beside the name of a key. */
const looksSecret = (text: string): boolean =>
  text.length > judgedUnitsMax ||
  isSecretValue(text, 0, text.length, plainName, { quoted: true, doubtful: false, uuids: true })

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

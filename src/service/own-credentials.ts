/**
 * The service's own credentials, found by value. A key of a private gateway or the password of the database may have no
 * recognisable form, and the prompt of an agent that works on this host may quote it from a file or an environment.
 */
import type { KeyObject } from 'node:crypto'
import { credentialsOf } from '../config/credentials-of.ts'
import { Secret } from '../config/secret.ts'
import { knownValueDetectors } from '../detection/custom/known-values.ts'
import type { Detector } from '../detection/detector.ts'
import { trafficDetectors } from '../detection/detectors/traffic.ts'
import type { Scanner } from '../detection/findings.ts'
import { isSecretValue } from '../detection/values/generic-value.ts'
import { passwordName } from '../detection/values/key-names.ts'
import { plainScanner } from '../policy/redaction/profile-scanner.ts'
import { createScrubber } from '../policy/redaction/scrub.ts'

/** Shorter credentials are words more often than secrets. */
const credentialUnitsMin = 12
/** A longer text is no word, and no rule judges it. */
const judgedUnitsMax = 512

/**
 * The credentials, and everything that searches a text for them beside the built-in kinds. More may be added at any
 * time: whoever keeps what a getter returned keeps the state of that moment.
 */
export class OwnCredentials {
  readonly #values: Set<string>
  #detectors: readonly Detector[]
  #scrub: ((text: string) => string) | undefined

  /**
   * Upstreams that need no key are often given a word in its place (`no-key-required`), which prompts may contain. So
   * only what would also be found beside a key's name counts as a credential.
   * @param config anything that holds secrets: all of them count, whichever setting they are from
   */
  constructor(config: object, masterKey: KeyObject) {
    const bytes = masterKey.export()
    const forms = (['hex', 'base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding))
    this.#values = new Set([...[...secretsIn(config)].flatMap(textsOf), ...forms].filter(isCredential))
    this.#detectors = withValues(trafficDetectors, this.values)
  }

  /** One more; the earlier ones may be valid still. */
  add(credential: Secret): void {
    for (const text of textsOf(credential).filter(isCredential)) this.#values.add(text)
    this.#detectors = withValues(trafficDetectors, this.values)
    this.#scrub = undefined
  }

  get values(): readonly string[] {
    return [...this.#values]
  }

  /** The built-in kinds for traffic, and the credentials. */
  get detectors(): readonly Detector[] {
    return this.#detectors
  }

  /** The scanner of these kinds, compiled when it is first used. */
  get scanner(): Scanner {
    return plainScanner(this.#detectors)
  }

  /** Replaces every value in a text of the service's own records by the label of its kind. */
  readonly scrub = (text: string): string => {
    this.#scrub ??= createScrubber(this.scanner)
    return this.#scrub(text)
  }
}

/** Adds the kind that is found by value to other kinds. */
export function withValues(detectors: readonly Detector[], values: readonly string[]): readonly Detector[] {
  return [...detectors, ...knownValueDetectors(values.map((value) => ({ value })))]
}

function* secretsIn(value: object): Generator<Secret, void, undefined> {
  for (const member of Object.values(value) as unknown[]) {
    if (member instanceof Secret) yield member
    else if (typeof member === 'object' && member !== null) yield* secretsIn(member)
  }
}

const textsOf = (secret: Secret): string[] => credentialsOf(secret.reveal())

/** Whether it would be found beside the name of a key. */
const isCredential = (text: string): boolean =>
  text.length >= credentialUnitsMin &&
  (text.length > judgedUnitsMax ||
    isSecretValue(text, 0, text.length, passwordName, { quoted: true, doubtful: false, uuids: true }))

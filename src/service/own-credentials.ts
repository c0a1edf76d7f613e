/**
 * The service's own credentials, found by value. A key of a private gateway or the password of the database may have no
 * recognisable form, and the prompt of an agent that works on this host may quote it from a file or an environment.
 */
import type { KeyObject } from 'node:crypto'
import { credentialValues, isCredential } from '../config/credential-values.ts'
import { Secret } from '../config/secret.ts'
import { withValues } from '../detection/custom/known-values.ts'
import type { Detector } from '../detection/detector.ts'
import { trafficDetectors } from '../detection/detectors/traffic.ts'
import type { Scanner } from '../detection/findings.ts'
import { plainScanner } from '../policy/redaction/profile-scanner.ts'
import { createScrubber } from '../policy/redaction/scrub.ts'

/**
 * The credentials, and everything that searches a text for them beside the built-in kinds. More may be added at any
 * time: whoever keeps what a getter returned keeps the state of that moment.
 */
export class OwnCredentials {
  readonly #values: Set<string>
  #detectors: readonly Detector[]
  #scrub: ((text: string) => string) | undefined

  /**
   * Only what {@link isCredential} calls one counts as a credential.
   * @param config anything that holds secrets: all of them count, whichever setting they are from
   */
  constructor(config: object, masterKey: KeyObject) {
    const bytes = masterKey.export()
    const forms = (['hex', 'base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding))
    this.#values = new Set([...credentialValues(secretsIn(config)), ...forms.filter(isCredential)])
    this.#detectors = withValues(trafficDetectors, this.values)
  }

  /** One more; the earlier ones may be valid still. */
  add(credential: Secret): void {
    for (const value of credentialValues([credential])) this.#values.add(value)
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

function* secretsIn(value: object): Generator<Secret, void, undefined> {
  for (const member of Object.values(value) as unknown[]) {
    if (member instanceof Secret) yield member
    else if (typeof member === 'object' && member !== null) yield* secretsIn(member)
  }
}

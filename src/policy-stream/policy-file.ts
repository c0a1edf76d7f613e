/** The last policy of a sensor on its disk, authenticated with its token. */
import type { PolicyFrame } from './frame.ts'
import { SealedFile, type FileFault } from './sealed-file.ts'

export type { FileFault } from './sealed-file.ts'

/** The contents of the file. */
interface KeptPolicy {
  readonly frame: PolicyFrame
  /** When the service last confirmed the policy, in milliseconds since 1970. */
  readonly confirmedAt: number
}

type FileReading =
  | { readonly kind: 'kept'; readonly text: string; readonly confirmedAt: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'fault'; readonly fault: FileFault }

export class PolicyFile {
  readonly #file: SealedFile

  /**
   * @param token the sensor's workspace token; only a key derived from it is kept
   * @param bytesMax a larger file is not read
   */
  constructor(path: string, token: string, bytesMax: number) {
    this.#file = new SealedFile(path, token, 'sluice/1/policy-file', bytesMax)
  }

  /** Reads the file. Never rejects. The policy is returned as text, to be judged like one from the network. */
  async read(): Promise<FileReading> {
    const reading = await this.#file.read()
    if (reading.kind !== 'kept') return reading
    const { confirmedAt, policy } = JSON.parse(reading.text) as {
      readonly confirmedAt: number
      readonly policy: string
    }
    return { kind: 'kept', text: policy, confirmedAt }
  }

  /**
   * Replaces the file atomically: a reader finds the old or the new version in full, even after a power failure.
   * @throws file system errors
   */
  async write({ frame, confirmedAt }: KeptPolicy): Promise<void> {
    await this.#file.write(JSON.stringify({ confirmedAt, policy: JSON.stringify(frame) }))
  }
}

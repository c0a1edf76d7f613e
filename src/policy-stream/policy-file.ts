/** The last policy that a sensor knew, on its disk, sealed under its token. */
import type { PolicyFrame } from './frame.ts'
import { SealedFile, type FileFault } from './sealed-file.ts'

export type { FileFault } from './sealed-file.ts'

/** What stands in the file. */
export interface KeptPolicy {
  readonly frame: PolicyFrame
  /** When the service last said that this is the policy, in milliseconds since 1970. */
  readonly confirmedAt: number
}

export type FileReading =
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

  /** Reads the file. Never rejects. The policy is given as text, to be judged as one from the wire is. */
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
   * Replaces the file, so that whoever reads it finds the old one or the new one whole, also after a power cut.
   * @throws what the file system says
   */
  async write({ frame, confirmedAt }: KeptPolicy): Promise<void> {
    await this.#file.write(JSON.stringify({ confirmedAt, policy: JSON.stringify(frame) }))
  }
}

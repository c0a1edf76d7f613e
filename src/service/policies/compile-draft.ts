/** A redaction profile, compiled as a workspace enforces it. */
import type { KeyObject } from 'node:crypto'
import type { Detector } from '../../detection/detector.ts'
import type { Scanner } from '../../detection/findings.ts'
import { createProfileScanner } from '../../policy/redaction/profile-scanner.ts'
import { compileProfile, type CompiledProfile } from '../../policy/redaction/decide.ts'
import { readRedactionProfile } from '../../policy/revision.ts'
import { allowHmac } from './allow-hmac.ts'

export interface CompiledDraft {
  readonly profile: CompiledProfile
  readonly scanner: Scanner
}

interface CompileOptions {
  /** The key of the workspace's allow list. */
  readonly allowKey: KeyObject
  /** The server's switch; if false, no profile can block. */
  readonly blockHighRisk: boolean
  /** The built-in kinds for which texts are scanned. */
  readonly detectors: readonly Detector[]
}

/** @throws ZodError for documents that this version does not know */
export function compileDraft(redactionProfile: unknown, options: CompileOptions): CompiledDraft {
  const { allowKey, blockHighRisk, detectors } = options
  const profile = readRedactionProfile(redactionProfile)
  const hash = (value: string): string => allowHmac(value, allowKey)
  return {
    profile: compileProfile(profile, { blockHighRisk }),
    scanner: createProfileScanner(profile, { detectors, hash })
  }
}

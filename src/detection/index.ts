/** The public interface, imported by other programs as `sluice/detection`: text in, findings out. */
export { createScanner, type ScannerOptions } from './scanner.ts'
export { builtInDetectors } from './detectors/index.ts'
export { confidences, groups, tiers } from './findings.ts'
export { AllowListError, type AllowList } from './custom/allow-list.ts'
export { CustomPatternError, type CustomPattern } from './custom/patterns.ts'
export type { KnownValue } from './custom/known-values.ts'
export type {
  Confidence,
  Finding,
  Group,
  Kind,
  OwnFind,
  ScanHint,
  Scanner,
  ScanMemory,
  ScanRun,
  Tier
} from './findings.ts'
export type { Anchor, AnchorSort, Detector, Match, MatchContext } from './detector.ts'

/** Redacts bodies like the ingress, without a network. */
import { createHmac } from 'node:crypto'
import { trafficDetectors } from '../../src/detection/detectors/traffic.ts'
import { createScanner } from '../../src/detection/scanner.ts'
import type { DialectName } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/index.ts'
import { redactBody } from '../../src/ingress/body/redact-body.ts'
import { createRedactor } from '../../src/ingress/body/redact-texts.ts'
import { compileProfile } from '../../src/policy/redaction/decide.ts'
import { createPlaceholders } from '../../src/policy/redaction/placeholder.ts'
import { redactionProfileSchema } from '../../src/policy/redaction/profile.ts'

const scanner = createScanner({ detectors: trafficDetectors })
const digest = (value: string): Buffer => createHmac('sha256', 'test').update(value).digest()
const bounds = { depthMax: 256, valuesMax: 100_000 }
const profiles = {
  masking: compileProfile(redactionProfileSchema.parse({ version: 1 }), { blockHighRisk: false }),
  blocking: compileProfile(redactionProfileSchema.parse({ version: 1 }), { blockHighRisk: true }),
  /** Acts on every finding at every place whose values can be changed. */
  strict: compileProfile(
    redactionProfileSchema.parse({
      version: 1,
      scopes: { assistant: 'masked', tool_definition: 'masked', other: 'masked' }
    }),
    { blockHighRisk: true }
  )
}

/** @returns the body that would leave, and the decision about the call */
export function redact(body: string, dialect: DialectName, profile: keyof typeof profiles) {
  const redactor = createRedactor(scanner, profiles[profile], createPlaceholders('keyed', digest))
  const work = redactBody(Buffer.from(body), dialects[dialect], redactor, bounds)
  for (;;) {
    const step = work.next()
    if (step.done) return { body: Buffer.from(step.value.bytes).toString(), action: redactor.tally.action }
  }
}

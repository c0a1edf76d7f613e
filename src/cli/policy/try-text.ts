/** `sluice policy test`: what a policy does to a text. */
import { trafficDetectors } from '../../detection/detectors/traffic.ts'
import { compileProfile } from '../../policy/redaction/decide.ts'
import { createProfileScanner } from '../../policy/redaction/profile-scanner.ts'
import { looseText } from '../../policy/redaction/text-place.ts'
import { readRedactionProfile } from '../../policy/revision.ts'
import { sampleReasons } from '../../protocol/api/policy-schema.ts'
import { showFindings } from '../../service/policies/playground.ts'
import { readInput } from '../read-input.ts'
import { readGoodPolicy } from './files.ts'
import { show } from './output.ts'

export async function tryText(file: string, textFile: string, { json }: { readonly json?: boolean }): Promise<void> {
  const { redactionProfile } = await readGoodPolicy(file)
  const profile = readRedactionProfile(redactionProfile)
  const scanner = createProfileScanner(profile, { detectors: trafficDetectors })
  const compiled = compileProfile(profile, { blockHighRisk: true })
  const shown = await showFindings(await readInput(textFile), looseText, { scanner, profile: compiled })
  show(json === true, shown, () =>
    [
      ...shown.findings.map(
        ({ kind, tier, confidence, action, start, end }) =>
          `${start}-${end}  ${action}  ${kind} (${tier}, ${confidence})`
      ),
      ...shown.samples.map(({ start, end, reason }) => `${start}-${end}  never masked: ${sampleReasons[reason]}`),
      `A request with this text would be ${{ block: 'blocked', mask: 'masked', allow: 'left unchanged' }[shown.action]}:`,
      '',
      shown.masked
    ].join('\n')
  )
}

/**
 * The values that the leak matrix plants: kinds of every group that is acted on, each in a text in which it is found.
 */
import { builtInDetectors } from '../../src/detection/detectors/index.ts'
import { groups, type Group, type Tier } from '../../src/detection/findings.ts'
import { withoutLoneNumbers } from '../../src/detection/numbers/lone-numbers.ts'
import { createScanner } from '../../src/detection/scanner.ts'

interface PlantedValue {
  readonly kind: string
  readonly label: string
  readonly group: Group
  readonly tier: Tier
  readonly value: string
  readonly sentence: string
}

const valuesCount = 24
const valuesOfGroup = 4
/** Shorter ones occur in ordinary text by chance, and searching for them would prove nothing. */
const valueUnitsMin = 8
const valueUnitsMax = 256
const sentenceUnitsMax = 400

/**
 * Chosen from the detectors' samples, spread over the kinds of each group, half of them high-risk if possible; small
 * groups leave room for others.
 */
export function chooseValues(): readonly PlantedValue[] {
  const detectors = withoutLoneNumbers(builtInDetectors)
  const scanner = createScanner({ detectors })
  const samples = detectors.flatMap(({ id, label, group, tier, hits }): PlantedValue[] => {
    const [sentence = ''] = hits()
    const found = scanner.scan(sentence).find((finding) => finding.kind === id)
    if (found === undefined || found.confidence === 'weak' || sentence.length > sentenceUnitsMax) return []
    const value = sentence.slice(found.start, found.end)
    const isSearchable = value.length >= valueUnitsMin && value.length <= valueUnitsMax
    // A tier that its surroundings changed may be another one among the other values.
    const isActedOn = found.tier === tier && tier !== 'low'
    return isSearchable && isActedOn ? [{ kind: id, label, group, tier: found.tier, value, sentence }] : []
  })
  // Several kinds may find the same made-up value.
  const all = [...new Map(samples.map((sample) => [sample.value, sample])).values()]
  const chosen = groups.flatMap((group) => {
    const own = all.filter((one) => one.group === group)
    const high = spread(
      own.filter(({ tier }) => tier === 'high'),
      valuesOfGroup / 2
    )
    const others = own.filter((one) => !high.includes(one))
    const medium = others.filter(({ tier }) => tier === 'medium')
    return [...high, ...spread(medium.length > 0 ? medium : others, valuesOfGroup - high.length)]
  })
  const left = all.filter((one) => !chosen.includes(one))
  return [...chosen, ...spread(left, valuesCount - chosen.length)]
}

function spread<T>(from: readonly T[], count: number): T[] {
  if (from.length <= count) return [...from]
  return Array.from({ length: count }, (_, i) => from[Math.floor((i * from.length) / count)] as T)
}

/**
 * `npm run bench:decide`: how long a decision takes. Compares tool policies of 10, 100 and 1,000 rules with checking
 * the same rules one by one, and measures the redaction decision with a small and a large profile, including the memory
 * that each retains. `-- --short` takes a second or two.
 */
import { builtInDetectors } from '../src/detection/detectors/index.ts'
import { groups, type Finding } from '../src/detection/findings.ts'
import { compileConditions } from '../src/policy/tools/judge-arguments.ts'
import { compileProfile } from '../src/policy/redaction/decide.ts'
import { redactionProfileSchema } from '../src/policy/redaction/profile.ts'
import { looseText } from '../src/policy/redaction/text-place.ts'
import { compileToolPolicy, namesOf, type ToolCall } from '../src/policy/tools/decide.ts'
import { no } from '../src/policy/tools/three-valued.ts'
import type { ToolPolicy } from '../src/policy/tools/policy.ts'
import { makeCalls, makeHardPolicy, makePolicy } from './decide-policies.ts'
import { percentile, printTable, stayOnOneCore, usedBytes } from './one-core.ts'

const isPinned = stayOnOneCore()
const isShort = process.argv.includes('--short')
const rounds = isShort ? 5 : 40
const calls = makeCalls(isShort ? 1000 : 5000)

console.log(
  `Node ${process.version}, ${isPinned ? 'on one core' : 'not held to one core'}, ${calls.length} calls, shortest of ${rounds} rounds\n`
)
printTable([
  ['tool policy', 'p50 us', 'p99 us', 'one by one, p50 us', 'ratio', 'compile ms'],
  ...[10, 100, 1000].map((rules) => toolRow(`${rules} rules`, makePolicy(rules))),
  toolRow('1000 rules, all for every tool', makeHardPolicy(1000))
])
printTable([
  ['redaction profile', 'ns a decision', 'bytes left a decision'],
  redactionRow('standard', {}),
  redactionRow('every kind and group set', {
    actions: {
      groups: Object.fromEntries(groups.map((group) => [group, 'mask'])),
      kinds: Object.fromEntries(builtInDetectors.map(({ id }) => [id, 'mask']))
    }
  })
])

function toolRow(name: string, policy: ToolPolicy): string[] {
  const from = performance.now()
  const compiled = compileToolPolicy(policy)
  const compileMs = performance.now() - from
  const [p50, p99] = latency((call) => compiled.decide(call), rounds)
  const [naive] = latency(oneByOne(policy), 5, calls.slice(0, 300))
  const cells = [p50, p99, naive].map((us) => us.toFixed(2))
  return [name, ...cells, `${(naive / p50).toFixed(1)} x`, compileMs.toFixed(1)]
}

/** Decides by the same rules without an index: each rule is checked in turn. */
function oneByOne(policy: ToolPolicy): (call: ToolCall) => number {
  const rules = policy.rules.map((rule) => ({ ...namesOf(rule), test: compileConditions(rule.when) }))
  return (call) => {
    let matched = 0
    for (const { servers, tools, test } of rules) {
      const isNamed = tools.some((glob) => glob.matches(call.tool)) && servers.some((glob) => glob.matches(call.server))
      if (isNamed && test(call.arguments) !== no) matched++
    }
    return matched
  }
}

/**
 * Median and 99th percentile over all calls in microseconds, including the cost of the clock itself. Each call counts
 * with its shortest time of several rounds, the one least disturbed by other work on the machine.
 */
function latency(
  decide: (call: ToolCall) => unknown,
  times: number,
  judged: readonly ToolCall[] = calls
): [p50: number, p99: number] {
  const shortest = new Float64Array(judged.length).fill(Infinity)
  for (let round = 0; round < times; round++) {
    judged.forEach((call, i) => {
      const from = performance.now()
      decide(call)
      shortest[i] = Math.min(shortest[i] as number, (performance.now() - from) * 1000)
    })
  }
  const sorted = [...shortest.sort()]
  return [percentile(sorted, 0.5), percentile(sorted, 0.99)]
}

function redactionRow(name: string, document: object): string[] {
  const { decide } = compileProfile(redactionProfileSchema.parse({ version: 1, ...document }), { blockHighRisk: true })
  const findings = builtInDetectors.map(({ id, group, tier }): Finding => ({
    kind: id,
    group,
    tier,
    confidence: 'strong',
    start: 0,
    end: 1
  }))
  const passes = isShort ? 2000 : 20_000
  let masked = 0
  const run = (): void => {
    for (const finding of findings) if (decide(finding, looseText) === 'mask') masked++
  }
  for (let pass = 0; pass < passes / 10; pass++) run()
  const before = usedBytes()
  const from = performance.now()
  for (let pass = 0; pass < passes; pass++) run()
  const ns = ((performance.now() - from) * 1e6) / passes / findings.length
  const { heapUsed } = process.memoryUsage()
  const left = Math.max(0, heapUsed - before) / passes / findings.length
  if (masked === 0) throw new Error('Nothing was decided.')
  return [name, ns.toFixed(1), left.toFixed(3)]
}

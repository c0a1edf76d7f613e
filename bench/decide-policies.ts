/** Generates tool policies of a given size and calls to decide on, reproducible from a seed. */
import type { ToolCall } from '../src/policy/tools/decide.ts'
import { toolPolicySchema, type ToolPolicy } from '../src/policy/tools/policy.ts'
import { createRandom, type SeededRandom } from '../test/support/random.ts'

const verbs = ['get', 'list', 'search', 'create', 'update', 'delete', 'send', 'read', 'write', 'merge']
const nouns = [
  'file',
  'repo',
  'issue',
  'branch',
  'message',
  'user',
  'invoice',
  'table',
  'page',
  'event',
  'secret',
  'job'
]
const servers = Array.from({ length: 30 }, (_, i) => `server-${i}`)
/** Half of the rules that a call matches list one more tool of each of their kinds, as in a policy that has grown. */
const suffixes = Array.from({ length: 40 }, (_, i) => (i === 0 ? '' : `_v${i}`))

const toolOf = (random: SeededRandom): string => `${random.pick(verbs)}_${random.pick(nouns)}${random.pick(suffixes)}`

function toolGlob(random: SeededRandom): string {
  const kind = random.below(10)
  if (kind < 5) return toolOf(random)
  if (kind < 7) return `${random.pick(verbs)}_${random.pick(nouns)}*`
  if (kind < 8) return `*_${random.pick(nouns)}${random.pick(suffixes)}`
  return kind < 9 ? `*${random.pick(nouns)}*` : '*'
}

const conditions = [
  { argument: '/path', pathWithin: ['/srv/app', '/srv/jobs'] },
  { argument: '/branch', in: ['main', 'release'] },
  { argument: '/command', matches: 'git (status|log|diff).*' },
  { argument: '/options/count', atMost: 100 },
  { argument: '/url', urlHost: ['*.corp.example', 'corp.example'] },
  { not: { argument: '/options/force', equals: true } }
]

/** Rules as teams write them: most are for one server or one tool, and half have a condition. */
export function makePolicy(rules: number): ToolPolicy {
  const random = createRandom(rules)
  return toolPolicySchema.parse({
    version: 1,
    defaultEffect: 'ask',
    servers: servers.map((id) => ({ id, url: `https://${id}.corp.example/mcp` })),
    rules: Array.from({ length: rules }, (_, i) => {
      const tool = toolGlob(random)
      const isForAll = tool !== '*' && random.below(4) === 0
      return {
        id: `rule-${i}`,
        effect: random.pick(['deny', 'ask', 'allow', 'allow']),
        server: isForAll ? '*' : random.pick(servers),
        tool,
        ...(random.below(10) === 0 && { except: [{ tool: toolOf(random) }] }),
        ...(random.below(2) === 0 && { when: [random.pick(conditions)] })
      }
    })
  })
}

/** The worst case: every rule applies to all tools and inspects the arguments. */
export function makeHardPolicy(rules: number): ToolPolicy {
  const random = createRandom(rules)
  return toolPolicySchema.parse({
    version: 1,
    rules: Array.from({ length: rules }, (_, i) => ({
      id: `rule-${i}`,
      effect: 'deny',
      when: [{ argument: '/options/count', equals: 1000 + i }, random.pick(conditions)]
    }))
  })
}

export function makeCalls(count: number): ToolCall[] {
  const random = createRandom(7)
  return Array.from({ length: count }, () => ({
    server: random.pick(servers),
    tool: toolOf(random),
    arguments: {
      path: `/srv/${random.pick(['app', 'other'])}/src/${random.text('abcdefgh', 12)}.ts`,
      branch: random.pick(['main', 'feature/x']),
      command: random.pick(['git status', 'rm -rf build', 'git log --oneline -20']),
      url: `https://api.${random.pick(['corp.example', 'elsewhere.example'])}/v1/items?page=${random.below(50)}`,
      options: { count: random.below(200), force: random.below(2) === 0 }
    },
    surface: 'claude-code',
    now: 1_800_000_000_000
  }))
}

/**
 * Claude Code with an MCP server behind `sluice mcp-proxy`: it lists and calls tools as without the proxy, a value is
 * masked on its way to the server, and for a forbidden call the model receives the sentence that says so.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPolicyApi } from '../../test/support/policy-api.ts'
import { storedEvents } from '../../test/support/events.ts'
import { eventually } from '../../test/support/eventually.ts'
import { fixture } from '../../test/support/mcp/line-client.ts'
import { createPlanter } from '../../test/support/planted.ts'
import { claudeCode } from './clients/claude-code.ts'
import { excerpt, onMarker, unasked, unended, type Result } from './scene.ts'
import type { Stage } from './stage.ts'

const sluice = join(import.meta.dirname, '..', '..', 'bin', 'sluice.mjs')
const marker = 'INTEROP-MCP'
const policy = {
  version: 1,
  servers: [{ id: 'tools', command: ['**'] }],
  rules: [
    {
      id: 'no-shouting',
      effect: 'deny',
      server: 'tools',
      tool: 'echo',
      when: [{ argument: '/text', equals: 'SHOUT' }]
    },
    { id: 'no-images', effect: 'deny', server: 'tools', tool: 'test_image_content' }
  ]
}

export async function playMcpTools(stage: Stage, seed: number): Promise<Result> {
  const { place, model, service } = stage
  const email = createPlanter(seed)('email')
  await (await openPolicyApi(service)).publish({ mcpToolPolicy: policy, note: 'interop' })
  const sensor = await service.createToken()
  const config = join(place.home, 'mcp.json')
  const env = {
    SERVICE_INGRESS_TARGET: service.url,
    SERVICE_WORKSPACE_TOKEN: sensor.token,
    SERVICE_DATA_DIR: join(place.home, 'sluice'),
    SERVICE_CLIENT_SURFACE: 'claude-code'
  }
  const args = [sluice, 'mcp-proxy', '--', process.execPath, fixture('fixture-stdio')]
  await writeFile(config, JSON.stringify({ mcpServers: { tools: { command: process.execPath, args, env } } }))

  const results: string[] = []
  model.follow(
    onMarker(marker, (given) => {
      results.splice(0, results.length, ...given)
      const call = (text: string) => ({ calls: [{ name: 'mcp__tools__echo', args: { text } }] as const })
      if (given.length === 0) return call(`Write to ${email.value}.`)
      return given.length === 1 ? call('SHOUT') : { text: 'Both tools were called.' }
    })
  )
  const asked = claudeCode.ask(place, `${marker}: call the tool twice`)
  const more = ['--mcp-config', config, '--strict-mcp-config', '--allowedTools', 'mcp__tools__echo']
  const outcome = await stage.run({ ...asked, args: [...asked.args.slice(0, 2), ...more] })
  const decisions = await eventually('the decisions', async () => {
    const events = await storedEvents(service, { kind: 'tool_call_enforcement', origin: 'sensor' })
    return events.length >= 2 ? events.toReversed().map(({ sensorMetadata }) => sensorMetadata) : undefined
  }).catch(() => [])
  const [masked = '', refused = ''] = results
  return {
    check: 'tools behind the MCP proxy: masked, refused in words, and recorded',
    faults: [
      ...unended(outcome),
      ...unasked(stage, marker, 3),
      ...(/EMAIL_[A-Z2-7]{10}/.test(masked) && !masked.includes(email.value) ? [] : [`the first result is ${masked}`]),
      ...(/policy of the workspace forbids it by the rule "no-shouting"/.test(refused)
        ? []
        : [`the refusal is ${refused}`]),
      ...(JSON.stringify(decisions.map(({ action }) => action)) === '["mask","block"]'
        ? []
        : [`events: ${JSON.stringify(decisions)}`]),
      ...(outcome.output.includes('Both tools were called.') ? [] : [`no answer in ${excerpt(outcome)}`])
    ]
  }
}

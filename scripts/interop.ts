/**
 * `npm run interop -- <client...>`: real clients, installed from npm or PyPI outside the project, run offline with a
 * home folder of their own against Sluice, with a scripted model behind it. `--all` runs every client, `--list` names
 * them, `--api` selects one API, `--sidecar` puts a sidecar in front of the service, `--seed N` repeats the planted
 * values of a run. Status 1 if a check fails, 2 for wrong arguments. For Linux and macOS.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { playChecks } from './interop/checks.ts'
import type { InteropClient } from './interop/client.ts'
import { clients } from './interop/clients/index.ts'
import { playBuiltIn } from './interop/codex-built-in.ts'
import { playMcpTools } from './interop/mcp-tools.ts'
import { apis, type Api } from './interop/model/turn.ts'
import type { Result } from './interop/scene.ts'
import { setStage, type Stage } from './interop/stage.ts'
import { nameAndVersion } from './interop/versions.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    sidecar: { type: 'boolean', default: false },
    api: { type: 'string' },
    seed: { type: 'string' }
  }
})

async function* play(client: InteropClient, stage: Stage, seed: number): AsyncGenerator<Result> {
  yield* playChecks(client, stage, seed)
  // It counts upgrades at the service's own port.
  if (client.name === 'codex' && !options.sidecar) yield await playBuiltIn(stage)
  if (client.name === 'claude-code') yield await playMcpTools(stage, seed)
}

/** @returns the number of failed checks */
async function runClient(client: InteropClient, api: Api, seed: number): Promise<number> {
  console.log(`\n${nameAndVersion(client.name)}, ${api}${options.sidecar ? ', through a sidecar' : ''}`)
  let failed = 0
  try {
    await using stage = await setStage(client, api, options)
    for await (const { check, faults } of play(client, stage, seed)) {
      if (faults.length > 0) failed++
      console.log(`  ${faults.length === 0 ? 'ok  ' : 'FAIL'}  ${check}`)
      for (const fault of faults) console.log(`        ${fault}`)
    }
    if (stage.tried.size > 0) console.log(`  tried to reach: ${[...stage.tried].sort().join(', ')}`)
  } catch (error) {
    failed++
    console.log(`  FAIL  ${error instanceof Error ? error.message : String(error)}`)
  }
  return failed
}

/** @returns what to run, or what is wrong with the arguments */
function choose(): { runs: [InteropClient, Api][]; seed: number } | string {
  const names = clients.map(({ name }) => name)
  const unknown = positionals.filter((word) => !names.some((name) => name === word))
  if (unknown.length > 0 || (positionals.length === 0 && !options.all))
    return `Name one or more of ${names.join(', ')}, or give --all.`
  const seed = Number(options.seed ?? randomInt(2 ** 31))
  if (!Number.isInteger(seed)) return '--seed takes a whole number.'
  const runs = clients
    .filter(({ name }) => options.all || positionals.includes(name))
    .flatMap((client) => client.apis.map((api): [InteropClient, Api] => [client, api]))
    .filter(([, api]) => options.api === undefined || api === options.api)
  return runs.length === 0 ? `--api takes ${apis.join(', ')}, where the client speaks it.` : { runs, seed }
}

async function main(): Promise<number> {
  if (options.list) {
    for (const { name, apis: spoken } of clients) console.log(`${name}: ${nameAndVersion(name)}; ${spoken.join(', ')}`)
    return 0
  }
  const chosen = choose()
  if (typeof chosen === 'string') {
    console.error(chosen)
    return 2
  }
  console.log(`Seed ${chosen.seed}, Node ${process.version}.`)
  let failed = 0
  for (const [client, api] of chosen.runs) failed += await runClient(client, api, chosen.seed)
  console.log(failed === 0 ? '\nEvery check holds.' : `\n${failed} checks do not hold.`)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()

/**
 * Codex with its own provider, where only the base URL was changed: it starts with a WebSocket, which Sluice does not
 * support. It must fall back at once, instead of retrying repeatedly.
 */
import { connect, createServer, type AddressInfo } from 'node:net'
import { codexClient } from './clients/codex.ts'
import { writeHomeFile } from './clients/files.ts'
import type { Result } from './scene.ts'
import type { Stage } from './stage.ts'

/** Forwards connections to the service and counts the upgrades that they request. */
async function startCounter(service: string): Promise<AsyncDisposable & { readonly port: number; upgrades(): number }> {
  let upgrades = 0
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(service).port), '127.0.0.1')
    client.on('data', (chunk) => {
      if (/^upgrade: websocket/im.test(chunk.toString('latin1'))) upgrades++
    })
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    upgrades: () => upgrades,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve()))
  }
}

export async function playBuiltIn(stage: Stage): Promise<Result> {
  const { place, model, service } = stage
  await using counter = await startCounter(service.url)
  const address = `http://127.0.0.1:${counter.port}/api/ingress/v1`
  await writeHomeFile(place, '.codex/config.toml', `model = "gpt-5"\nopenai_base_url = "${address}"\n`)
  model.follow(() => ({ text: 'Over plain HTTP.' }))
  const command = codexClient.ask(place, 'Say something.')
  const outcome = await stage.run({ ...command, env: { ...command.env, CODEX_API_KEY: place.token } })
  const upgrades = counter.upgrades()
  return {
    check: 'with its built-in provider it leaves the WebSocket after one try',
    faults: [
      ...(outcome.output.includes('Over plain HTTP.') ? [] : ['the answer did not come']),
      ...(upgrades === 1 ? [] : [`it asked for ${upgrades} upgrades`])
    ]
  }
}

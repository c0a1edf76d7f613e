/** Sluice as the stream benchmark runs it, in a process of its own: the real service with restore `on` or `off`. */
import { publishProfile } from '../test/support/publish-profile.ts'
import { startTestService } from '../test/support/start-service.ts'
import { serveParent } from './serve-parent.ts'

const [upstreamPort = '', restore = 'off'] = process.argv.slice(2)
const service = await startTestService({
  upstream: { url: `http://127.0.0.1:${upstreamPort}` },
  env: { SERVICE_DRAIN_TIMEOUT_MS: '1000', UPSTREAM_CONNECTIONS_MAX: '1024' }
})
await publishProfile(service, { restore: { enabled: restore === 'on' } })

serveParent({ port: service.running.port, token: service.token }, {}, async () => {
  await service[Symbol.asyncDispose]()
})

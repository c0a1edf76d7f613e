/**
 * Runs a service in a process of its own, for tests that read all that it prints. It is configured by its environment,
 * says `{url, token, auditToken}` to its parent once it listens, and stops when the parent disconnects.
 */
import { formatFaults, loadConfig } from '../../src/config/config.ts'
import { startService } from '../../src/service/start.ts'
import { createToken } from './start-service.ts'

const loaded = loadConfig(process.env, { cwd: process.cwd() })
if (!loaded.ok) throw new Error(formatFaults(loaded.faults))
const service = await startService(loaded.config)
const { token } = await createToken(service)
const auditor = await createToken(service, { scopes: ['audit:read'] })
process.send?.({ url: service.url, token, auditToken: auditor.token })
process.once('disconnect', () => {
  service.close().then(
    () => process.exit(0),
    () => process.exit(1)
  )
})

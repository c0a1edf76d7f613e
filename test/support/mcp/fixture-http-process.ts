/** The fixture server on HTTP, a process of its own that says its address on standard output. */
import { startFixtureHttp } from './fixture-http.ts'

const { url } = await startFixtureHttp({ retryMs: 500 })
process.stdout.write(`${url}\n`)

/** The fixture server on HTTP, in a process of its own that prints its address to standard output. */
import { startFixtureHttp } from './fixture-http.ts'

const { url } = await startFixtureHttp({ retryMs: 500 })
process.stdout.write(`${url}\n`)

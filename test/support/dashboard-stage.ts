/**
 * The setup for tests in which changes made in the dashboard must take effect: a browser, a model stub, both engines.
 */
import { randomBytes } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { launchBrowser, visit, type Visitor } from './browser.ts'
import { signInAsAdmin } from './dashboard-user.ts'
import { sharedPostgres } from './postgres.ts'
import { startTestService, type TestService } from './start-service.ts'
import { startStubUpstream, type StubUpstream } from './stub-upstream.ts'
import { answers } from './upstream-behaviours.ts'

export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

export interface Stage extends AsyncDisposable {
  readonly browser: Browser
  readonly upstream: StubUpstream
  /** A new service with an empty store. */
  start(engine: Engine): Promise<TestService>
  /** Creates the first admin of a service and signs in as them. */
  visitAsAdmin(service: TestService): Promise<Visitor>
}

/** Starts all of it; end it with `await using` or by disposing of it in `after`. */
export async function openStage(): Promise<Stage> {
  await using undo = new AsyncDisposableStack()
  const postgres = undo.use(await sharedPostgres({ isDurable: false }))
  const browser = undo.use(await launchBrowser())
  const upstream = await startStubUpstream(answers())
  undo.defer(() => upstream.close())
  const all = undo.move()
  return {
    browser,
    upstream,
    async start(engine) {
      if (engine === 'sqlite') return await startTestService({ upstream })
      const env = { DATABASE_URL: await postgres.newDatabase(), SERVICE_MASTER_KEY: randomBytes(32).toString('hex') }
      return await startTestService({ upstream, env })
    },
    async visitAsAdmin({ url, running }) {
      const visitor = await visit(browser, url)
      await signInAsAdmin(visitor.context, running)
      return visitor
    },
    [Symbol.asyncDispose]: () => all.disposeAsync()
  }
}

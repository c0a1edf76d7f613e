/** A service, a browser, and a page on which an admin has signed in: the setup for tests of one page. */
import type { Browser } from 'playwright-core'
import { launchBrowser, visit, type Visitor } from './browser.ts'
import { signInAsAdmin } from './dashboard-user.ts'
import { startTestService, type TestService } from './start-service.ts'

export interface AdminPage extends AsyncDisposable {
  readonly browser: Browser
  readonly service: TestService
  readonly visitor: Visitor
}

/** Starts all of it; dispose of it in `after`. */
export async function openAsAdmin(): Promise<AdminPage> {
  await using undo = new AsyncDisposableStack()
  const [browser, service] = await Promise.all([
    launchBrowser().then((started) => undo.adopt(started, (one) => one.close())),
    startTestService().then((started) => undo.use(started))
  ])
  const visitor = undo.use(await visit(browser, service.url))
  await signInAsAdmin(visitor.context, service.running)
  const all = undo.move()
  return { browser, service, visitor, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

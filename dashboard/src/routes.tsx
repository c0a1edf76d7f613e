/** The routes of the dashboard. Pages other than the first are loaded when they are opened. */
import { createBrowserRouter, type RouteObject } from 'react-router'
import { Loading } from './components/loading.tsx'
import { SetupPage } from './pages/sign-in/setup.tsx'
import { SignInPage } from './pages/sign-in/sign-in.tsx'
import { NotFoundPage, PageFailed } from './shell/page-failed.tsx'
import { Shell } from './shell/shell.tsx'

const loaders: (() => Promise<unknown>)[] = []

/** A page that is loaded on its first visit. */
function page(path: string, load: () => Promise<RouteObject['Component']>): RouteObject {
  loaders.push(load)
  return { path, lazy: async () => ({ Component: (await load()) ?? null }) }
}

/**
 * Loads the pages that were not visited yet, so that they open at once, even while the service is unreachable. A
 * failure is retried on the visit.
 */
export async function preloadPages(): Promise<void> {
  await Promise.allSettled(loaders.map((load) => load()))
}

const routes: RouteObject[] = [
  { path: '/sign-in', Component: SignInPage, errorElement: <PageFailed /> },
  { path: '/setup', Component: SetupPage, errorElement: <PageFailed /> },
  {
    path: '/',
    Component: Shell,
    HydrateFallback: () => <Loading isPage />,
    errorElement: <PageFailed />,
    children: [
      {
        // Inside the shell, so that the navigation stays if a page fails.
        errorElement: <PageFailed />,
        children: [
          page('/', async () => (await import('./pages/overview/overview.tsx')).OverviewPage),
          page('/live', async () => (await import('./pages/live/live.tsx')).LivePage),
          page('/search', async () => (await import('./pages/search/search.tsx')).SearchPage),
          page('/requests/:requestId', async () => (await import('./pages/request/request.tsx')).RequestPage),
          page('/first-run', async () => (await import('./pages/first-run/first-run.tsx')).FirstRunPage),
          page('/policy/*', async () => (await import('./pages/policy/policy.tsx')).PolicyPage),
          page('/tools', async () => (await import('./pages/tools/tools.tsx')).ToolsPage),
          page('/fleet', async () => (await import('./pages/fleet/fleet.tsx')).FleetPage),
          page('/tokens', async () => (await import('./pages/tokens/tokens.tsx')).TokensPage),
          page('/audit', async () => (await import('./pages/audit/audit.tsx')).AuditPage),
          page('/settings/*', async () => (await import('./pages/settings/settings.tsx')).SettingsPage),
          { path: '*', Component: NotFoundPage }
        ]
      }
    ]
  }
]

export const makeRouter = () => createBrowserRouter(routes)

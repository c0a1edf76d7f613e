import './zod-jitless.ts'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './style/global.css'
import './style/components.css'
import './style/charts.css'
import './style/shell.css'
import './style/forced-colors.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { ApiError } from './api/problem.ts'
import { sessionQuery } from './api/session.ts'
import { cspNonce } from './nonce.ts'
import { makeRouter, preloadPages } from './routes.tsx'
import { cssVariables, theme } from './style/theme.ts'

const retriesMax = 2

// The browser's word on whether it is online says nothing about a service on this machine or behind a tunnel. Without
// this, requests would wait for it in silence, and what somebody started would be done later, unseen.
const networkMode = 'always'

const queryClient = new QueryClient({
  defaultOptions: {
    mutations: { networkMode },
    queries: {
      networkMode,
      staleTime: 10_000,
      // A request that would fail again is not retried.
      retry: (count, error) => count < retriesMax && (!(error instanceof ApiError) || error.retryable)
    }
  }
})

// Everything waits for the session: it is requested while the page is still loading.
void queryClient.prefetchQuery(sessionQuery)

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the dashboard.')

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => cspNonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <RouterProvider router={makeRouter()} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>
)

/** After the first page has rendered. */
const preloadAfterMs = 2500
const whenIdle = window.requestIdleCallback ?? ((work: () => void) => window.setTimeout(work))
window.setTimeout(() => whenIdle(() => void preloadPages()), preloadAfterMs)

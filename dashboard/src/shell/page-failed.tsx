import { Button, Group } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useEffect } from 'react'
import { Link, isRouteErrorResponse, useRouteError } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'

const tryEveryMs = 3000
/** A reload that did not help is not repeated at once. */
const reloadEveryMs = 30_000
const reloadedKey = 'sluice-reloaded-at'

/** Reloads as soon as the service answers: a file that was missing then exists now, or was replaced by a newer one. */
function useReloadWhenBack(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return
    const attempt = async (): Promise<void> => {
      const isRecent = Date.now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) < reloadEveryMs
      if (isRecent || !(await fetch('/api/session').catch(() => undefined))?.ok) return
      sessionStorage.setItem(reloadedKey, String(Date.now()))
      location.reload()
    }
    const timer = window.setInterval(() => void attempt(), tryEveryMs)
    return () => window.clearInterval(timer)
  }, [isWanted])
}

/** Shown in place of a page that failed, or of which a part could not be loaded. */
export function PageFailed() {
  const error = useRouteError()
  const isLoading = error instanceof TypeError && /import|fetch|module/i.test(error.message)
  useReloadWhenBack(isLoading)
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />
  return (
    <EmptyState
      icon="warning"
      title={isLoading ? 'This page could not be loaded' : 'This page has failed'}
      action={
        <Group gap="xs">
          <Button onClick={() => location.reload()}>Reload</Button>
          <Button component={Link} to="/" variant="default">
            Overview
          </Button>
        </Group>
      }
    >
      {isLoading
        ? 'The service was updated or is not reachable. The page loads by itself as soon as it can.'
        : 'This is a fault in the dashboard. It does not affect the service.'}
    </EmptyState>
  )
}

export function NotFoundPage() {
  useDocumentTitle('Page not found · Sluice')
  return (
    <EmptyState
      icon="search"
      title="Page not found"
      action={
        <Button component={Link} to="/">
          Overview
        </Button>
      }
    >
      There is no page at this address.
    </EmptyState>
  )
}

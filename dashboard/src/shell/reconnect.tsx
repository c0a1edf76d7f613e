import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../api/problem.ts'
import { Icon } from '../components/icons.tsx'

const retryMs = 3000

/** Says that the service does not answer, and retries until it does. Pages keep their content in the meantime. */
export function Reconnect() {
  const client = useQueryClient()
  const [isAway, setAway] = useState(false)
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return
        const { error, status, fetchFailureReason } = event.query.state
        const reason = error ?? fetchFailureReason
        if (isOutage(reason)) setAway(true)
        else if (status === 'success' && event.action.type === 'success') setAway(false)
      }),
    [client]
  )
  useEffect(() => {
    if (!isAway) return
    const timer = window.setInterval(() => void client.refetchQueries({ type: 'active' }), retryMs)
    return () => window.clearInterval(timer)
  }, [isAway, client])
  return (
    <span role="status" className="reconnect">
      {isAway ? (
        <span className="badge" data-state="warn">
          <Icon name="refresh" size={13} />
          Reconnecting
        </span>
      ) : null}
    </span>
  )
}

const isOutage = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 502)

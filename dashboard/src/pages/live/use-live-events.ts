import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer } from 'react'
import { eventPageSchema, type EventBody } from '../../../../src/protocol/api/reading-schema.ts'
import { get } from '../../api/client.ts'
import type { Filters } from '../../api/events.ts'
import { followEvents } from '../../api/tail.ts'
import { keptMax, merge, nothing, reduce } from './live-rows.ts'

/** How often new rows are put on the page: a busy fleet sends thousands per second. */
const showEveryMs = 250

/** Follows the events that match the filters, starting with the newest recorded ones. */
export function useLiveEvents(filters: Filters) {
  const [held, act] = useReducer(reduce, nothing)
  const key = JSON.stringify(filters)
  const recent = useQuery({
    queryKey: ['events', 'recent', key],
    queryFn: ({ signal }) => get('/api/events', eventPageSchema, { query: { ...filters, limit: 50 }, signal }),
    staleTime: Infinity,
    gcTime: 0
  })
  useEffect(() => {
    act({ is: 'started' })
    let came: EventBody[] = []
    const end = followEvents(JSON.parse(key) as Filters, {
      onEvent: (event) => {
        came.push(event)
        if (came.length > keptMax) came = came.slice(-keptMax)
      },
      onState: (state) => act({ is: 'state', state })
    })
    const timer = window.setInterval(() => {
      if (came.length === 0) return
      act({ is: 'came', events: came.toReversed() })
      came = []
    }, showEveryMs)
    return () => {
      end()
      window.clearInterval(timer)
    }
  }, [key])
  const toggle = useCallback(() => act({ is: 'toggled' }), [])
  return {
    events: merge(held.shown, recent.data?.events ?? []).slice(0, keptMax),
    waiting: held.waiting.length + held.lost,
    lost: held.lost,
    isPaused: held.isPaused,
    state: held.state,
    isLoading: recent.isPending,
    error: recent.error,
    retry: () => void recent.refetch(),
    toggle
  }
}

/** Follows events as they are recorded, through server-sent events. */
import { eventBodySchema, type EventBody } from '../../../src/protocol/api/reading-schema.ts'
import { suspectSignOut, withQuery } from './client.ts'
import type { Filters } from './events.ts'
import type { TailState } from './tail-state.ts'

export type { TailState }

/** A stream that the service refused is opened again after this time: the session may be back. */
const reopenMs = 4000

interface TailListener {
  onEvent(event: EventBody): void
  onState(state: TailState): void
}

/**
 * Opens a stream. After an interruption the browser reconnects by itself, with the id of the last event, and misses
 * nothing. After a refusal it does not, and then this opens a new stream after a while.
 * @returns closes the stream
 */
export function followEvents(filters: Filters, to: TailListener): () => void {
  let source: EventSource | undefined
  let timer: number | undefined
  const open = (): void => {
    to.onState('connecting')
    const stream = new EventSource(withQuery('/api/events/tail', { ...filters, from: undefined, to: undefined }))
    source = stream
    stream.addEventListener('open', () => to.onState('open'))
    stream.addEventListener('workspace_event', ({ data }: MessageEvent<string>) => {
      const parsed = eventBodySchema.safeParse(JSON.parse(data))
      if (parsed.success) to.onEvent(parsed.data)
    })
    stream.addEventListener('error', () => {
      to.onState('broken')
      if (stream.readyState !== EventSource.CLOSED) return
      // The browser does not say why it was refused; usually the session has ended.
      suspectSignOut()
      timer = window.setTimeout(open, reopenMs)
    })
  }
  open()
  return () => {
    window.clearTimeout(timer)
    source?.close()
  }
}

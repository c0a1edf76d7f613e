import { useEffect, useState } from 'react'
import type { EventBody } from '../../../../src/protocol/api/reading-schema.ts'
import { followEvents } from '../../api/tail.ts'

/** The first event that arrives while the page is open. */
export function useFirstEvent(): EventBody | undefined {
  const [event, setEvent] = useState<EventBody | undefined>(undefined)
  const isFound = event !== undefined
  useEffect(() => {
    if (isFound) return
    return followEvents({}, { onEvent: (first) => setEvent((known) => known ?? first), onState: () => undefined })
  }, [isFound])
  return event
}

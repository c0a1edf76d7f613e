/** The history state of a navigation to the request ID field: a new object each time. */
export const toLookUp = (): object => ({ isToLookUp: true })

/** Whether the field gets the focus, and not the page. */
export const isToLookUp = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isToLookUp' in state

/** What the history keeps of a step that leads to the field for a request's id: another object for each step. */
export const toLookUp = (): object => ({ isToLookUp: true })

/** Whether the field takes the focus, and not the page. */
export const isToLookUp = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isToLookUp' in state

/** The state of a stream of events. */
export type TailState = 'connecting' | 'open' | 'broken'

/** How a stream of events stands. */
export type TailState = 'connecting' | 'open' | 'broken'

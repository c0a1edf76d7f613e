/**
 * The policy that the stream benchmark sends: 5 kB, ending in a marker by which a client knows that it has all of it.
 */
import type { PolicyFrame } from '../src/policy-stream/frame.ts'

const frameBytes = 5000

/** Occurs once in a frame, in its last bytes. */
export const markOf = (sequence: number): string => `#${String(sequence).padStart(8, '0')}#`

/** A frame of 5 kB. Its hash is not a real one: the hub forwards whatever it is given. */
export function benchFrame(sequence: number): PolicyFrame {
  const rule = (index: number) => ({
    id: `rule-${index}`,
    effect: 'deny',
    tools: [`files_${index}_*`],
    reason: 'Writes outside of the workspace need a person.'
  })
  const frame = {
    revision: `${sequence}-${'0'.repeat(16)}`,
    mcpToolPolicy: { version: 1, rules: Array.from({ length: 38 }, (_, index) => rule(index)), filler: '' },
    redactionProfile: { version: 1, mark: markOf(sequence) }
  }
  frame.mcpToolPolicy.filler = 'x'.repeat(Math.max(0, frameBytes - JSON.stringify(frame).length))
  return frame
}

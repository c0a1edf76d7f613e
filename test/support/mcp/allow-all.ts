/** A gate that allows everything, so that a test sees only the relay's own behaviour. */
import type { Gate } from '../../../src/sensor/mcp-proxy/gate-contract.ts'

export const allowAll: Gate = {
  open: () => ({
    fromClient: (message) => ({ forward: message }),
    fromServer: (message) => ({ forward: message }),
    errorWords: ({ bytes }) => bytes,
    close: () => undefined
  }),
  close: async () => undefined
}

/** A gate that lets everything pass, so that what a test sees is the relay's own doing. */
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

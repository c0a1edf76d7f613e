/** A well-formed workspace token that no service knows. */
import { mintToken } from '../../../src/protocol/token-format.ts'

export const testToken = mintToken((count) => Uint8Array.from({ length: count }, (_, index) => index * 5)).token

/** Memory that is given back when it is known to be of no more use, and not when the collector comes to it. */

/**
 * Stands where bytes were taken out. What a call has waited for stays in promises and frames as long as the call, and once
 * these are old until the whole heap is collected. So whoever hands bytes on takes them out of what came with them.
 */
export const noBytes = Buffer.alloc(0)

/** Below this a buffer may share its memory with others, and costs next to nothing. */
const worthBytesMin = 16_384

/**
 * Frees the memory of `bytes`, if it is theirs alone. A reader that comes later finds nothing. Whatever was handed to a
 * socket must not be let go of: the system may read it long after the answer has come.
 */
export function letGo(bytes: Uint8Array): void {
  const { buffer } = bytes
  if (bytes.length < worthBytesMin || bytes.length !== buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

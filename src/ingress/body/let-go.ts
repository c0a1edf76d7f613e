/** Frees a buffer's memory as soon as it is known to be useless, without waiting for the garbage collector. */

/**
 * Replaces bytes that were taken out of an object. What a call awaited stays in promises and frames for as long as the
 * call and, once these are old, until the whole heap is collected. Whoever passes bytes on therefore takes them out of
 * their object.
 */
export const noBytes = Buffer.alloc(0)

/** A smaller buffer may share its memory with others, and costs next to nothing. */
const worthBytesMin = 16_384

/**
 * Frees the memory of `bytes` if no other buffer shares it. A later reader finds nothing. Never call it on bytes that
 * were handed to a socket: the system may still read them long after the answer has arrived.
 */
export function letGo(bytes: Uint8Array): void {
  const { buffer } = bytes
  if (bytes.length < worthBytesMin || bytes.length !== buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

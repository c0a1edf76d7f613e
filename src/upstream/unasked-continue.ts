/**
 * Upstreams that send `100 Continue` although nobody asked for it. A client must be able to read that (RFC 9110, 15.2),
 * but undici closes the connection. So its parser is not shown these answers.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { DiagnosticsChannel } from 'undici'

const beginning = Buffer.from('HTTP/1.1 100')
const headEnd = '\r\n\r\n'
/** A longer head is left for undici to refuse. */
const headBytesMax = 16_384
const noBytes = Buffer.alloc(0)

/** How a connection is read. */
interface Reading {
  /** Whether the next byte belongs to the beginning of an answer. */
  atBeginning: boolean
  /** What has arrived of an answer that may become `100 Continue`. */
  held: Buffer
}

const readings = new WeakMap<Socket, Reading>()
let isListening = false

/** From now on, all clients of undici in this process read past `100 Continue`. */
export function readPastContinue(): void {
  if (isListening) return
  isListening = true
  // Published before the head of a request is written. The connection carries one request at a time, so whatever is
  // read next answers it.
  subscribe('undici:client:sendHeaders', (message) => {
    const { socket } = message as DiagnosticsChannel.ClientSendHeadersMessage
    const reading = readings.get(socket) ?? readThrough(socket)
    reading.atBeginning = true
  })
}

function readThrough(socket: Socket): Reading {
  const reading: Reading = { atBeginning: true, held: noBytes }
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null
  // With 0, Node.js asks for more bytes and takes none.
  socket.read = (size) => (reading.atBeginning && size !== 0 ? readBeginning(reading, read) : read(size))
  readings.set(socket, reading)
  return reading
}

/** @returns the first bytes that belong to another answer, or null if none has arrived */
function readBeginning(reading: Reading, read: () => Buffer | null): Buffer | null {
  for (let chunk = read(); chunk !== null; chunk = read()) {
    let bytes = reading.held.length > 0 ? Buffer.concat([reading.held, chunk]) : chunk
    let end = -1
    while (mayBeContinue(bytes) && (end = bytes.indexOf(headEnd)) >= 0) bytes = bytes.subarray(end + headEnd.length)
    const isUnclear = mayBeContinue(bytes) && bytes.length < headBytesMax
    reading.held = isUnclear ? bytes : noBytes
    if (isUnclear) continue
    reading.atBeginning = false
    return bytes
  }
  return null
}

function mayBeContinue(bytes: Buffer): boolean {
  const first = bytes.subarray(0, beginning.length)
  return first.equals(beginning.subarray(0, first.length))
}

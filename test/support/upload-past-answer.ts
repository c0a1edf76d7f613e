/**
 * A client that continues its upload after the response has come, like any client that does not read while it sends.
 */
import { once } from 'node:events'
import { connect } from 'node:net'

/** Much more than the socket buffers hold. */
const restBytes = 8_388_608
const pieceBytes = 262_144

/**
 * Announces a large body, sends a little of it, waits for the response, and sends the rest.
 * @param head the request line and headers, without the length
 * @returns the response; rejects if the connection was reset during the upload
 */
export async function uploadPastAnswer(port: number, head: readonly string[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => void (received += text))
  const ended = once(socket, 'end')
  const failed = once(socket, 'error').then((reasons) => Promise.reject(reasons[0] as Error))
  const answered = async (): Promise<void> => {
    while (!received.includes('}')) await once(socket, 'data')
  }
  const lines = [...head, `host: 127.0.0.1:${port}`, `content-length: ${restBytes + 1}`]
  socket.write(`${lines.join('\r\n')}\r\n\r\n{`)
  const piece = Buffer.alloc(pieceBytes, ' ')
  const upload = async (): Promise<void> => {
    await answered()
    for (let sent = 0; sent < restBytes; sent += pieceBytes)
      await new Promise<void>((resolve) => socket.write(piece, () => resolve()))
    await ended
  }
  try {
    await Promise.race([upload(), failed])
    return received
  } finally {
    socket.destroy()
  }
}

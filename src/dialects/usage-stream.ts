/** Token counts of a streamed answer. */
import type { UsageReader } from './dialect.ts'
import { UsageTally, Window, type UsageFields } from './usage.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const quotedUsage = Uint8Array.from('"usage"', (letter) => letter.charCodeAt(0))
const dataField = Uint8Array.from('data:', (letter) => letter.charCodeAt(0))

function startsWith(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) return false
  return true
}

function includes(bytes: Uint8Array, wanted: Uint8Array): boolean {
  const first = wanted[0]!
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
    if (startsWith(bytes, at, wanted)) return true
  return false
}

/**
 * Reads usage out of a stream of server-sent events. An event's `data` lines are joined by a line feed, as the
 * standard says (HTML, section 9.2); lines end with LF or CRLF, which is what both vendors send.
 */
export function streamUsageReader(fields: UsageFields): UsageReader {
  const tally = new UsageTally(fields)
  const line = new Window()
  const data = new Window()

  function endEvent(): void {
    if (!data.overflown && includes(data.view(), quotedUsage)) tally.read(data.view(), fields.places)
    data.clear()
  }

  function endLine(bytes: Uint8Array, start: number, lineEnd: number): void {
    const end = lineEnd > start && bytes[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd
    if (start === end) endEvent()
    else if (startsWith(bytes, start, dataField)) {
      if (data.length > 0) data.append(Uint8Array.of(lineFeed), 0, 1)
      data.append(bytes, start + dataField.length, end)
    }
  }

  function push(chunk: Uint8Array): void {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      if (line.length === 0 && !line.overflown) endLine(chunk, start, end)
      else {
        line.append(chunk, start, end)
        if (line.overflown) data.overflow()
        else endLine(line.view(), 0, line.length)
        line.clear()
      }
      start = end + 1
    }
    line.append(chunk, start, chunk.length)
  }

  return {
    push,
    result() {
      // The last event counts also where the stream ends without its blank line.
      if (line.length > 0 && !line.overflown) endLine(line.view(), 0, line.length)
      line.clear()
      endEvent()
      return tally.result()
    }
  }
}

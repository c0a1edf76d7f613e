/**
 * One record of a spool: a line of `<CRC-32 in hex> <bytes of what follows> <losses it reports> <segments it replaces>
 * <event>`. JSON holds no line break, so after a damaged record the next one can be found again.
 */
import { crc32 } from 'node:zlib'

export interface SpoolRecord {
  /** JSON of the event. */
  readonly json: string
  /** How many lost events it reports; 0 for a reporter's event. */
  readonly lost: number
  /** Names of segments whose events are dropped as soon as this record is on disk. */
  readonly replaces: readonly string[]
}

/** A record and where it ends. */
export interface ReadRecord extends SpoolRecord {
  readonly end: number
}

export interface Records {
  readonly records: readonly ReadRecord[]
  /** Whole lines with a wrong length or checksum. */
  readonly damaged: number
  /** The end of the last whole line. What follows was never acknowledged: the write was interrupted. */
  readonly end: number
}

const lineFeed = 0x0a
const none = '-'

/** One line: checksum, length, number of lost events that it reports, segments that it replaces, and the event. */
export function encodeRecord({ json, lost, replaces }: SpoolRecord): Buffer {
  const body = Buffer.from(`${lost} ${replaces.length > 0 ? replaces.join(',') : none} ${json}`)
  return Buffer.concat([Buffer.from(`${checksum(body)} ${body.length} `), body, Buffer.of(lineFeed)])
}

/**
 * Reads records.
 * @param countMax stops after so many records
 * @param bytesMax stops before the record that would exceed it, but not before the first
 */
export function decodeRecords(bytes: Buffer, start = 0, countMax = Infinity, bytesMax = Infinity): Records {
  const records: ReadRecord[] = []
  let damaged = 0
  let from = start
  while (records.length < countMax) {
    const to = bytes.indexOf(lineFeed, from)
    if (to === -1 || (records.length > 0 && to - start > bytesMax)) break
    const record = decodeLine(bytes.subarray(from, to))
    if (record === undefined) damaged++
    else records.push({ ...record, end: to + 1 })
    from = to + 1
  }
  return { records, damaged, end: from }
}

const linePattern = /^([0-9a-f]{8}) ([0-9]{1,9}) /

function decodeLine(line: Buffer): SpoolRecord | undefined {
  const head = linePattern.exec(line.toString('latin1', 0, 32))
  if (head === null) return undefined
  const body = line.subarray(head[0].length)
  if (body.length !== Number(head[2]) || checksum(body) !== head[1]) return undefined
  const text = body.toString()
  const first = text.indexOf(' ')
  const second = text.indexOf(' ', first + 1)
  const names = text.slice(first + 1, second)
  return {
    lost: Number(text.slice(0, first)),
    replaces: names === none ? [] : names.split(','),
    json: text.slice(second + 1)
  }
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0')
}

/**
 * Arrays in PostgreSQL's binary format (`array_recv` in its source): the driver sends a Buffer unchanged. The driver's
 * text format would cost both sides more than half of the time of an insert, since every quote in a text must be
 * escaped.
 */

export type ElementType = 'text' | 'bigint'

/** Object ids of the types, from `pg_type.dat`. */
const elementOids: Readonly<Record<ElementType, number>> = { text: 25, bigint: 20 }

/** Number of dimensions, whether there are nulls, element type, length, index of the first element. */
const headerBytes = 20
const lengthBytes = 4
const bigintBytes = 8
/** Most UTF-8 bytes per UTF-16 code unit. */
const utf8BytesMax = 3
const nullLength = -1
const wordValues = 2 ** 32

/**
 * @param values texts without lone surrogates, or integers below 2^63
 * @returns a one-dimensional array, ready to be a parameter of the type `text[]` or `bigint[]`
 */
export function binaryArray(type: ElementType, values: readonly (string | number | null)[]): Buffer {
  const buffer = Buffer.allocUnsafe(bytesMaxOf(values))
  // An empty array has no dimension; the last two numbers of the header are omitted then.
  buffer.writeInt32BE(values.length === 0 ? 0 : 1, 0)
  buffer.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  buffer.writeInt32BE(elementOids[type], 8)
  if (values.length === 0) return buffer.subarray(0, 12)
  buffer.writeInt32BE(values.length, 12)
  buffer.writeInt32BE(1, 16)
  let end = headerBytes
  for (const value of values) end = writeElement(buffer, end, value)
  return buffer.subarray(0, end)
}

function bytesMaxOf(values: readonly (string | number | null)[]): number {
  let bytes = headerBytes
  for (const value of values) {
    bytes += lengthBytes + (typeof value === 'string' ? value.length * utf8BytesMax : bigintBytes)
  }
  return bytes
}

/** @returns where the next element begins */
function writeElement(buffer: Buffer, at: number, value: string | number | null): number {
  const start = at + lengthBytes
  if (value === null) return buffer.writeInt32BE(nullLength, at)
  if (typeof value === 'number') {
    const high = Math.floor(value / wordValues)
    buffer.writeInt32BE(bigintBytes, at)
    buffer.writeInt32BE(high, start)
    return buffer.writeUInt32BE(value - high * wordValues, start + 4)
  }
  const bytes = buffer.write(value, start)
  buffer.writeInt32BE(bytes, at)
  return start + bytes
}

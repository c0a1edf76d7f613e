/** Reads a request body with bounds on its size, its inflated size, its time, and the bytes that all calls hold. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { ByteBudget } from './byte-budget.ts'
import { ClientGone, Refused } from './refused.ts'

export interface BodyLimits {
  readonly bodyBytesMax: number
  readonly inflatedBytesMax: number
  readonly uploadTimeoutMs: number
}

/** A body in memory. Call `release` once nothing needs it any more. */
export interface HeldBody {
  readonly bytes: Buffer
  /** Bytes as they came over the wire. */
  readonly wireBytes: number
  release(): void
}

type Inflate = (input: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const inflaters = new Map<string, Inflate>([
  ['gzip', promisify(gunzip) as Inflate],
  ['x-gzip', promisify(gunzip) as Inflate],
  ['deflate', promisify(inflate) as Inflate],
  ['br', promisify(brotliDecompress) as Inflate],
  ['zstd', promisify(zstdDecompress) as Inflate]
])

function inflaterOf(req: IncomingMessage): Inflate | undefined {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return undefined
  const inflater = inflaters.get(encoding)
  if (inflater) return inflater
  throw new Refused('unsupported_encoding')
}

/**
 * Collects the raw bytes. On a fault it stops keeping them and lets the rest of the upload flow away, because a socket
 * that nobody reads would hang the client instead of showing it the answer.
 */
function collect(req: IncomingMessage, limits: BodyLimits, take: (bytes: number) => boolean): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const collector = createCollector(Number(req.headers['content-length'] ?? 0))
    const timer = setTimeout(() => fail(new Refused('upload_timeout')), limits.uploadTimeoutMs)

    function settle(): void {
      clearTimeout(timer)
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
    }
    function fail(error: Error): void {
      settle()
      req.on('error', () => undefined)
      req.resume()
      reject(error)
    }
    function onData(chunk: Buffer): void {
      if (collector.bytes + chunk.length > limits.bodyBytesMax) fail(tooLarge(limits))
      else if (!take(chunk.length)) fail(new Refused('overloaded'))
      else collector.add(chunk)
    }
    function onEnd(): void {
      settle()
      resolve(collector.whole())
    }
    function onClose(): void {
      fail(new ClientGone())
    }
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}

/** From this size on a body is put together as it arrives, so that no single turn has to copy all of it. */
const assembleFromBytes = 1_048_576

interface Collector {
  readonly bytes: number
  add(chunk: Buffer): void
  whole(): Buffer
}

/** @param declaredBytes the content-length, which the HTTP parser holds the client to; 0 where it is not known */
function createCollector(declaredBytes: number): Collector {
  const chunks: Buffer[] = []
  let body: Buffer | undefined
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    add(chunk) {
      // Made with the first bytes, not on the word of a header alone.
      if (declaredBytes >= assembleFromBytes) body ??= Buffer.allocUnsafeSlow(declaredBytes)
      if (body) chunk.copy(body, bytes)
      else chunks.push(chunk)
      bytes += chunk.length
    },
    whole() {
      if (body) return body.subarray(0, bytes)
      return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes)
    }
  }
}

function tooLarge(limits: BodyLimits): Refused {
  return new Refused('body_too_large', { fill: { max: limits.bodyBytesMax } })
}

async function inflated(raw: Buffer, inflater: Inflate, limits: BodyLimits): Promise<Buffer> {
  try {
    return await inflater(raw, { maxOutputLength: limits.inflatedBytesMax })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new Refused('inflated_too_large', { fill: { max: limits.inflatedBytesMax } })
    }
    throw new Refused('invalid_encoding')
  }
}

/**
 * Reads, inflates and checks a body.
 * @throws Refused 413, 415, 400, 408 or 503 when a bound or a rule is broken
 * @throws ClientGone when the client leaves during the upload
 */
export async function readBody(req: IncomingMessage, limits: BodyLimits, budget: ByteBudget): Promise<HeldBody> {
  const inflater = inflaterOf(req)
  if (Number(req.headers['content-length'] ?? 0) > limits.bodyBytesMax) throw tooLarge(limits)
  let held = 0
  const take = (bytes: number): boolean => {
    if (!budget.take(bytes)) return false
    held += bytes
    return true
  }
  const release = (): void => {
    budget.give(held)
    held = 0
  }
  try {
    const raw = await collect(req, limits, take)
    const bytes = inflater ? await inflated(raw, inflater, limits) : raw
    if (inflater && !take(bytes.length)) throw new Refused('overloaded')
    if (!isUtf8(bytes)) throw new Refused('invalid_utf8')
    return { bytes, wireBytes: raw.length, release }
  } catch (error) {
    release()
    throw error
  }
}

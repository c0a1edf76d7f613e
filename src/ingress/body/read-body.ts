/** Reads a request body with bounds on its size, its inflated size, its time, and the bytes that all calls hold. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import type { ByteBudget } from './byte-budget.ts'
import { letGo, noBytes } from './let-go.ts'
import { ClientGone, Refused } from '../refusal/refused.ts'

export interface BodyLimits {
  readonly bodyBytesMax: number
  readonly inflatedBytesMax: number
  readonly uploadTimeoutMs: number
}

/** A body in memory. Call `release` once nothing needs it any more. */
export interface HeldBody {
  /** Whoever hands them on takes them out; see `noBytes`. */
  bytes: Buffer
  /** Bytes as they came over the wire. */
  readonly wireBytes: number
  release(): void
}

type CreateDecoder = (options: { readonly chunkSize: number }) => Transform

const decoders = new Map<string, CreateDecoder>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress]
])

/** Bytes that a decoder gives at a time: what it may hold beyond the bounds before they are asked. */
const decodedChunkBytes = 65_536

function decoderOf(req: IncomingMessage): CreateDecoder | undefined {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return undefined
  const decoder = decoders.get(encoding)
  if (decoder) return decoder
  throw new Refused('unsupported_encoding')
}

/**
 * The whole body where it came along with its head, as small ones do. Whoever asks within the turn in which it came does
 * so when the parser has given the body and not yet its end: then the length counts that the head declares, to which the
 * parser holds the client. Nothing has to be waited for, and no timer and no listener is needed.
 */
function arrived(req: IncomingMessage, limits: BodyLimits, take: (bytes: number) => boolean): Buffer | undefined {
  if (req.destroyed || req.readableFlowing !== null) return undefined
  const declared = Number(req.headers['content-length'] ?? Number.NaN)
  if (!req.complete && !(declared > 0 && req.readableLength === declared)) return undefined
  // Without a number it would give the first of several chunks alone.
  const body = (req.read(req.readableLength) as Buffer | null) ?? Buffer.alloc(0)
  // The end, where it is still to come, must be read as well: until then the connection keeps the request.
  req.resume()
  if (body.length > limits.bodyBytesMax) throw tooLarge(limits)
  if (!take(body.length)) throw new Refused('overloaded')
  return body
}

/**
 * Collects the raw bytes. On a fault it stops keeping them and lets the rest of the upload flow away, because a socket
 * that nobody reads would hang the client instead of showing it the answer.
 */
function collect(req: IncomingMessage, limits: BodyLimits, take: (bytes: number) => boolean): Promise<Collector> {
  // What happened before there is a listener is not told again.
  if (req.destroyed) return Promise.reject(new ClientGone())
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
      resolve(collector)
    }
    function onClose(): void {
      fail(new ClientGone())
    }
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}

/**
 * From this size on a body is put together as it arrives: no single turn has to copy all of it, and each chunk is copied
 * while it is still in the processor's cache, and then let go.
 */
const assembleFromBytes = 131_072

/** Chunks below this are put together as they come; a client decides how small they are. */
const smallChunkBytes = 4096
const shelfBytes = 16_384

interface Collector {
  readonly bytes: number
  add(chunk: Buffer): void
  /** All of it, once: the collector lets go of it. */
  whole(): Buffer
}

/** @param declaredBytes the content-length, which the HTTP parser holds the client to; 0 where it is not known */
function createCollector(declaredBytes: number): Collector {
  let chunks: Buffer[] = []
  let body: Buffer | undefined
  /** What small chunks were copied to: all of it, and where the part begins that is not among the chunks yet. */
  let shelf = noBytes
  let from = 0
  let to = 0
  let bytes = 0

  function closeShelf(): void {
    if (to > from) chunks.push(shelf.subarray(from, to))
    from = to
  }

  /** A chunk costs far more than its one byte: kept as they come, those of a body of 32 MiB would fill the memory. */
  function keep(chunk: Buffer): void {
    if (chunks.length === 0 || chunk.length >= smallChunkBytes) {
      closeShelf()
      chunks.push(chunk)
      return
    }
    if (to + chunk.length > shelf.length) {
      closeShelf()
      shelf = Buffer.allocUnsafeSlow(shelfBytes)
      from = to = 0
    }
    to += chunk.copy(shelf, to)
  }

  return {
    get bytes() {
      return bytes
    },
    add(chunk) {
      // Made with the first bytes, not on the word of a header alone.
      if (declaredBytes >= assembleFromBytes) body ??= Buffer.allocUnsafeSlow(declaredBytes)
      const { length } = chunk
      if (body) {
        chunk.copy(body, bytes)
        letGo(chunk)
      } else keep(chunk)
      bytes += length
    },
    whole() {
      closeShelf()
      const all =
        body?.subarray(0, bytes) ?? (chunks.length === 1 ? chunks[0] : undefined) ?? Buffer.concat(chunks, bytes)
      body = undefined
      shelf = noBytes
      chunks = []
      return all
    }
  }
}

function tooLarge(limits: BodyLimits): Refused {
  return new Refused('body_too_large', { fill: { max: limits.bodyBytesMax } })
}

/**
 * Decompresses in chunks and asks both bounds before it keeps one, so that a small upload never takes more memory than
 * they grant. Only what was decoded goes on: most formats ignore what follows their end.
 */
function inflated(
  raw: Buffer,
  createDecoder: CreateDecoder,
  limits: BodyLimits,
  take: (bytes: number) => boolean
): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const decoder = createDecoder({ chunkSize: decodedChunkBytes })
    const chunks: Buffer[] = []
    let bytes = 0

    function fail(refused: Refused): void {
      chunks.length = 0
      decoder.off('data', onData).destroy()
      reject(refused)
    }
    function onData(chunk: Buffer): void {
      bytes += chunk.length
      if (bytes > limits.inflatedBytesMax) {
        fail(new Refused('inflated_too_large', { fill: { max: limits.inflatedBytesMax } }))
      } else if (!take(chunk.length)) fail(new Refused('overloaded'))
      else chunks.push(chunk)
    }
    decoder.on('data', onData)
    decoder.on('error', () => fail(new Refused('invalid_encoding')))
    decoder.on('end', () => resolve(chunks))
    decoder.end(raw)
  })
}

/** All chunks as one, which are let go of. */
function joined(chunks: Buffer[]): Buffer {
  const all = Buffer.concat(chunks)
  for (const chunk of chunks.splice(0)) letGo(chunk)
  return all
}

/**
 * Reads, inflates and checks a body.
 * @param holder whose share of the budget it takes
 * @throws Refused 413, 415, 400, 408 or 503 when a bound or a rule is broken
 * @throws ClientGone when the client leaves during the upload
 */
export async function readBody(
  req: IncomingMessage,
  limits: BodyLimits,
  budget: ByteBudget,
  holder?: string
): Promise<HeldBody> {
  const createDecoder = decoderOf(req)
  if (Number(req.headers['content-length'] ?? 0) > limits.bodyBytesMax) throw tooLarge(limits)
  let held = 0
  const take = (bytes: number): boolean => {
    if (!budget.take(bytes, holder)) return false
    held += bytes
    return true
  }
  const release = (): void => {
    budget.give(held, holder)
    held = 0
  }
  try {
    const raw = arrived(req, limits, take) ?? (await collect(req, limits, take)).whole()
    const bytes = createDecoder ? joined(await inflated(raw, createDecoder, limits, take)) : raw
    if (!isUtf8(bytes)) throw new Refused('invalid_utf8')
    return { bytes, wireBytes: raw.length, release }
  } catch (error) {
    release()
    throw error
  }
}

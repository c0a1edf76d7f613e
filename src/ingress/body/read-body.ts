/**
 * Reads a request body with limits on its size, its inflated size, its upload time, and the bytes that all calls hold.
 */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import type { ByteBudget } from './byte-budget.ts'
import { expectBody } from './expectation.ts'
import { letGo, noBytes } from './let-go.ts'
import { ClientGone, Refused } from '../refusal/refused.ts'

export interface BodyLimits {
  readonly bodyBytesMax: number
  readonly inflatedBytesMax: number
  readonly uploadTimeoutMs: number
}

/** A body in memory. Call `release` once nothing needs it any more. */
export interface HeldBody {
  /** Whoever passes them on takes them out; see `noBytes`. */
  bytes: Buffer
  /** Bytes as received, before decompression. */
  readonly wireBytes: number
  release(): void
}

type CreateDecoder = (options: { readonly chunkSize: number }) => Transform

/**
 * The largest window that a frame may request: 8 MiB, the limit of RFC 9659 for HTTP. The decoder allocates all of it
 * with the first bytes, whatever the size of the body, and the runtime collects garbage as often as if it were used.
 */
const zstdWindow = { [constants.ZSTD_d_windowLogMax]: 23 }

const decoders = new Map<string, CreateDecoder>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', (options) => createZstdDecompress({ ...options, params: zstdWindow })]
])

/** Bytes that a decoder emits at a time: the most it can produce beyond a limit before the limit is checked. */
const decodedChunkBytes = 65_536

function decoderOf(req: IncomingMessage): CreateDecoder | undefined {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return undefined
  const decoder = decoders.get(encoding)
  if (decoder) return decoder
  throw new Refused('unsupported_encoding')
}

/**
 * The whole body, if it arrived together with its head, as small ones do. Within the turn in which it arrives, the
 * parser has delivered the body but not yet its end; then the declared length counts, which the parser enforces. This
 * needs no wait, no timer and no listener.
 */
function arrived(req: IncomingMessage, limits: BodyLimits, take: (bytes: number) => boolean): Buffer | undefined {
  if (req.destroyed || req.readableFlowing !== null) return undefined
  const declared = Number(req.headers['content-length'] ?? Number.NaN)
  if (!req.complete && !(declared > 0 && req.readableLength === declared)) return undefined
  // Without the length, `read` would return only the first of several chunks.
  const body = (req.read(req.readableLength) as Buffer | null) ?? Buffer.alloc(0)
  // If the end is still to come, it must be read as well: until then the connection holds on to the request.
  req.resume()
  if (body.length > limits.bodyBytesMax) throw tooLarge(limits)
  if (!take(body.length)) throw new Refused('overloaded')
  return body
}

/**
 * Collects the raw bytes. On a fault it stops keeping them but reads and drops the rest of the upload: if nobody read
 * the socket, the client would hang and never see the answer.
 */
function collect(req: IncomingMessage, limits: BodyLimits, take: (bytes: number) => boolean): Promise<Collector> {
  // Its close event came before there was a listener.
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
 * From this size, a body is assembled as it arrives: no single turn has to copy all of it, and each chunk is copied
 * while it is in the processor's cache, and then released.
 */
const assembleFromBytes = 131_072

/** Smaller chunks are combined as they arrive: the client decides how small they are. */
const smallChunkBytes = 4096
const shelfBytes = 16_384

interface Collector {
  readonly bytes: number
  add(chunk: Buffer): void
  /** The whole body. Call it once: the collector releases the bytes. */
  whole(): Buffer
}

/** @param declaredBytes the content-length, which the HTTP parser enforces; 0 if it is not known */
function createCollector(declaredBytes: number): Collector {
  let chunks: Buffer[] = []
  let body: Buffer | undefined
  /** Where small chunks are copied to; `from..to` is the part that is not yet among `chunks`. */
  let shelf = noBytes
  let from = 0
  let to = 0
  let bytes = 0

  function closeShelf(): void {
    if (to > from) chunks.push(shelf.subarray(from, to))
    from = to
  }

  /** A chunk costs far more than its bytes: kept one by one, single bytes of a 32 MiB body would fill the memory. */
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
      // Allocated when the first bytes arrive, so that a header alone cannot claim memory.
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
 * Decompresses in chunks and checks both limits before it keeps one, so that a small upload never takes more memory
 * than they allow. Only the decoded bytes are used: most formats ignore whatever follows their end.
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

/** All chunks as one buffer. Empties `chunks`. */
function joined(chunks: Buffer[]): Buffer {
  const all = Buffer.concat(chunks)
  for (const chunk of chunks.splice(0)) letGo(chunk)
  return all
}

/**
 * Reads, inflates and checks a body.
 * @param holder whose share of the budget it takes
 * @throws Refused 413, 415, 400, 408 or 503 if a limit or a rule is broken
 * @throws ClientGone if the client leaves during the upload
 */
export async function readBody(
  req: IncomingMessage,
  limits: BodyLimits,
  budget: ByteBudget,
  holder?: string
): Promise<HeldBody> {
  const createDecoder = decoderOf(req)
  if (Number(req.headers['content-length'] ?? 0) > limits.bodyBytesMax) throw tooLarge(limits)
  expectBody(req)
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

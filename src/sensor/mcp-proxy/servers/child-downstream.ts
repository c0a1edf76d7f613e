/**
 * An MCP server as a child process. It is started with the first request, and after it has stopped, again with the next
 * one; the client need not notice, since its handshake is repeated on its behalf.
 */
import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { buryGroup, endGroup, spawnGroup, type ChildCommand } from './child-group.ts'
import type { Downstream, DownstreamEvents } from './downstream.ts'
import { readCutEnvelope, readEnvelope, type Envelope } from '../messages/envelope.ts'
import { Handshake } from './handshake.ts'
import {
  cancelledMessage,
  closing,
  errorMessage,
  notStartable,
  notStarted,
  stopped,
  tooLarge,
  unanswered,
  type RelayError
} from '../messages/json-rpc-error.ts'
import { LineSplitter } from '../messages/line-splitter.ts'
import { OpenRequests } from './open-requests.ts'
import { writeLine } from '../messages/write-line.ts'

export interface ChildOptions extends ChildCommand {
  readonly messageBytesMax: number
  readonly requestTimeoutMs: number
  readonly log: Logger
}

/** Wait before the next start after so many exits in a row without an answer. */
const backoffMs = (stops: number): number => (stops < 2 ? 0 : Math.min(30_000, 250 * 2 ** (stops - 1)))
/** A child that has exited may have left output in its pipe, but a grandchild may hold the pipe open indefinitely. */
const lastOutputMs = 500
const idleGraceMs = 1000
const openBrace = 0x7b
const openBracket = 0x5b

export class ChildDownstream implements Downstream {
  readonly #options: ChildOptions
  readonly #events: DownstreamEvents
  readonly #open = new OpenRequests()
  readonly #handshake = new Handshake()
  /** Messages that wait for a repeated handshake. */
  #waiting: Uint8Array[] | undefined
  #child: ChildProcess | undefined
  #closing: Promise<void> | undefined
  #stops = 0
  /** Server messages that have not been consumed yet. */
  #untaken = 0
  #startNotBeforeMs = 0
  #heardMs = 0
  #watch: NodeJS.Timeout | undefined

  constructor(options: ChildOptions, events: DownstreamEvents) {
    this.#options = options
    this.#events = events
  }

  get isFull(): boolean {
    return this.#waiting !== undefined || (this.#child?.stdin?.writableNeedDrain ?? false)
  }

  get openRequests(): number {
    return this.#open.size
  }

  send(message: Uint8Array): void {
    const envelope = readEnvelope(message)
    if (envelope.kind !== 'request' && this.#child === undefined) return
    if (this.#closing !== undefined) return this.#refuse(envelope, closing)
    if (this.#child === undefined && !this.#start(envelope)) return
    this.#open.sent(message, envelope, performance.now())
    this.#handshake.sent(message, envelope)
    if (this.#waiting !== undefined && envelope.method !== 'initialize') this.#waiting.push(message)
    else this.#write(message)
  }

  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#close(graceMs)
    return this.#closing
  }

  async #close(graceMs: number): Promise<void> {
    const child = this.#child
    if (child) await endGroup(child, this.#open.size > 0 ? graceMs : Math.min(graceMs, idleGraceMs))
    clearInterval(this.#watch)
    this.#fail(closing)
  }

  /** @returns false if it is too early after the last exit, or impossible; the request then gets an error */
  #start(first: Envelope): boolean {
    const now = performance.now()
    if (now < this.#startNotBeforeMs) {
      const seconds = Math.ceil((this.#startNotBeforeMs - now) / 1000)
      this.#refuse(first, notStarted(`it stopped ${this.#stops} times in a row, and is tried again in ${seconds} s`))
      return false
    }
    const child = this.#spawn(first)
    if (child === undefined) return false
    this.#child = child
    this.#heardMs = now
    const { messageBytesMax } = this.#options
    const lines = new LineSplitter(
      { line: (line) => this.#take(line), tooLong: (...ends) => this.#tooLong(...ends) },
      messageBytesMax
    )
    child.stdout?.on('data', (chunk: Buffer) => lines.push(chunk)).on('end', () => lines.end())
    child.stdin?.on('error', () => undefined).on('drain', () => this.#events.onDrain())
    child.once('error', (error: NodeJS.ErrnoException) => this.#ended(child, notStartable(error.code ?? error.name)))
    child.once('exit', (code, signal) => {
      const how = signal === null ? `stopped with exit code ${code}` : `was stopped by ${signal}`
      const end = (): void => this.#ended(child, stopped(how))
      const timer = setTimeout(end, lastOutputMs)
      child.once('close', () => {
        clearTimeout(timer)
        end()
      })
    })
    this.#watch ??= setInterval(() => this.#checkTime(), Math.min(1000, this.#options.requestTimeoutMs / 2)).unref()
    if (first.method !== 'initialize') this.#repeatHandshake()
    return true
  }

  /** @returns undefined if the system refuses at once; the request then gets an error */
  #spawn(first: Envelope): ChildProcess | undefined {
    try {
      return spawnGroup(this.#options)
    } catch (thrown) {
      // Its message may quote an argument or a variable.
      const { code = 'unknown error' } = thrown as NodeJS.ErrnoException
      const error = notStartable(code)
      this.#options.log.warn(error.message)
      this.#refuse(first, error)
      return undefined
    }
  }

  #repeatHandshake(): void {
    const initialize = this.#handshake.repeat()
    if (initialize === undefined) return
    this.#waiting = []
    this.#write(initialize)
  }

  #write(message: Uint8Array): void {
    const stdin = this.#child?.stdin
    if (stdin && !stdin.destroyed) writeLine(stdin, message)
  }

  #take(line: Uint8Array): void {
    if (line[0] !== openBrace && line[0] !== openBracket) {
      this.#options.log.warn({ bytes: line.length }, 'the server wrote something that is not a message; it was dropped')
      return
    }
    this.#heardMs = performance.now()
    const { kind, id, isError } = readEnvelope(line)
    if (kind === 'response' && id !== undefined) {
      if (this.#waiting !== undefined && this.#handshake.isAnswer(id)) return this.#handshakeRepeated(isError === true)
      if (this.#open.answered(id)) this.#stops = 0
      this.#handshake.answered(id, isError === true)
    }
    this.#tell(line)
  }

  #handshakeRepeated(isError: boolean): void {
    // Without the handshake it would take nothing else: it is ended, and started again with the next request.
    if (isError) return this.#ended(this.#child, notStarted('it did not take the handshake of its former run'))
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    const { initialized } = this.#handshake
    if (initialized) this.#write(initialized)
    for (const message of waiting) this.#write(message)
    this.#events.onDrain()
    this.#options.log.warn('the server was restarted; what it kept in memory for this client is gone')
  }

  #tooLong(beginning: Uint8Array, ending: Uint8Array): void {
    const { messageBytesMax, log } = this.#options
    log.warn({ bytesMax: messageBytesMax }, 'the server wrote a message above the size limit; it was dropped')
    const { kind, id } = readCutEnvelope(beginning, ending)
    if (id !== undefined && kind !== 'request' && this.#open.answered(id))
      this.#tell(errorMessage(id, tooLarge(messageBytesMax)))
  }

  #tell(message: Uint8Array): void {
    const taken = this.#events.onMessage(message)
    if (taken === undefined) return
    const stdout = this.#child?.stdout
    stdout?.pause()
    this.#untaken++
    // Resume reading only when nothing waits, or the queue would grow without limit.
    const goOn = (): void => void (--this.#untaken === 0 && this.#child?.stdout?.resume())
    taken.then(goOn, goOn)
  }

  #ended(child: ChildProcess | undefined, error: RelayError): void {
    if (child === undefined || this.#child !== child) return
    this.#child = undefined
    this.#waiting = undefined
    buryGroup(child)
    child.stdout?.destroy()
    this.#stops++
    this.#startNotBeforeMs = performance.now() + backoffMs(this.#stops)
    if (this.#closing === undefined) this.#options.log.warn({ stops: this.#stops }, error.message)
    this.#fail(error)
    this.#events.onDrain()
  }

  #checkTime(): void {
    const now = performance.now()
    const { requestTimeoutMs } = this.#options
    if (now - this.#heardMs <= requestTimeoutMs) return
    // Nothing is sent before the repeated handshake is answered, so this server will never hear of a request.
    if (this.#waiting !== undefined) return this.#ended(this.#child, unanswered(requestTimeoutMs))
    for (const id of this.#open.take(requestTimeoutMs, now)) {
      this.#write(cancelledMessage(id, 'no answer in time'))
      this.#tell(errorMessage(id, unanswered(requestTimeoutMs)))
    }
  }

  #fail(error: RelayError): void {
    for (const id of this.#open.take()) this.#tell(errorMessage(id, error))
  }

  #refuse({ kind, id }: Envelope, error: RelayError): void {
    if (kind === 'request' && id !== undefined) this.#tell(errorMessage(id, error))
  }
}

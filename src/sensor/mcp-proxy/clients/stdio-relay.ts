/** A client on standard input and output, and one server behind the gate. Standard output carries MCP messages only. */
import type { Readable, Writable } from 'node:stream'
import type { Logger } from 'pino'
import { errorName } from '../../../telemetry/error-frames.ts'
import { within } from '../../../timing/within.ts'
import type { Downstream, OpenDownstream } from '../servers/downstream.ts'
import { readCutEnvelope } from '../messages/envelope.ts'
import type { GateSession, Step } from '../gate-contract.ts'
import { errorMessage, tooLarge } from '../messages/json-rpc-error.ts'
import { judgeOf, type Judge } from '../judge.ts'
import { LineSplitter } from '../messages/line-splitter.ts'
import { Turns } from './turns.ts'
import { writeLine } from '../messages/write-line.ts'

interface StdioRelayOptions {
  readonly input: Readable
  readonly output: Writable
  readonly session: GateSession
  readonly open: OpenDownstream
  readonly messageBytesMax: number
  readonly log: Logger
}

/** Messages that may wait to be judged before the client is no longer read. */
const waitingMax = 64

export class StdioRelay {
  readonly #options: StdioRelayOptions
  readonly #judge: Judge
  readonly #server: Downstream
  readonly #fromClient = new Turns()
  readonly #fromServer = new Turns()
  #drained: Promise<void> | undefined
  #closing: Promise<void> | undefined
  /** Resolves when the client has gone: its input has ended, or nobody reads the output. */
  readonly clientGone: Promise<void>

  constructor(options: StdioRelayOptions) {
    const { input, output, messageBytesMax } = options
    this.#options = options
    this.#judge = judgeOf(options.session, options.log)
    this.#server = options.open({
      onMessage: (message) => this.#takeServer(message),
      onDrain: () => this.#readOn()
    })
    const lines = new LineSplitter(
      { line: (line) => this.#takeClient(line), tooLong: (...ends) => this.#tooLong(...ends) },
      messageBytesMax
    )
    this.clientGone = new Promise((resolve) => {
      output.on('error', () => resolve()).on('close', () => resolve())
      input.on('error', () => resolve())
      input.on('data', (chunk: Buffer) => lines.push(chunk))
      input.on('end', () => {
        lines.end()
        resolve()
      })
    })
  }

  /** Sends the client a notification of the proxy's own. */
  notify(message: Uint8Array): void {
    void this.#write(message)
  }

  /** Ends the server and the gate's session. @param graceMs how long open requests may take */
  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#close(graceMs)
    return this.#closing
  }

  async #close(graceMs: number): Promise<void> {
    await within(graceMs, this.#fromClient.idle())
    await this.#server.close(graceMs)
    // A client that has stopped reading, but is still there, would keep this process for ever.
    await within(graceMs, this.#fromServer.idle())
    this.#options.session.close()
  }

  #takeClient(line: Uint8Array): void {
    void this.#fromClient.take(
      () => this.#judge.fromClient(line),
      (step) => this.#actForClient(line, step),
      (error) => this.#options.log.error({ error: errorName(error) }, 'a message was lost')
    )
    this.#readOn()
  }

  #actForClient(line: Uint8Array, { forward, reply, ask }: Step): undefined {
    if (reply) void this.#write(reply)
    if (forward) this.#server.send(forward)
    if (ask) {
      void this.#write(ask.question)
      // Not awaited: the client's reply comes after this very message.
      void this.#judge.afterAsk(line, ask.then).then((step) => this.#actForClient(line, step))
    }
  }

  #takeServer(message: Uint8Array): Promise<void> | undefined {
    return this.#fromServer.take(
      () => this.#judge.fromServer(message),
      ({ forward, reply }) => {
        if (reply) this.#server.send(reply)
        return forward && this.#write(forward)
      },
      () => undefined
    )
  }

  #tooLong(beginning: Uint8Array, ending: Uint8Array): void {
    const { id, kind } = readCutEnvelope(beginning, ending)
    const requestId = kind === 'request' || kind === 'unreadable' ? id : undefined
    void this.#write(errorMessage(requestId, tooLarge(this.#options.messageBytesMax)))
  }

  /** @returns a promise to wait for if the client has no room now */
  #write(message: Uint8Array): Promise<void> | undefined {
    const { output } = this.#options
    if (output.destroyed) return undefined
    if (writeLine(output, message)) return undefined
    this.#drained ??= new Promise((resolve) => {
      const done = (): void => {
        output.off('drain', done).off('close', done)
        this.#drained = undefined
        resolve()
      }
      output.on('drain', done).on('close', done)
    })
    return this.#drained
  }

  /** Reads the client as fast as the server and the gate accept its messages. */
  #readOn(): void {
    const { input } = this.#options
    if (this.#server.isFull || this.#fromClient.waiting > waitingMax) {
      input.pause()
      // The server reports when it has room again; for the gate, this has to wait until it is idle.
      if (!this.#server.isFull) void this.#fromClient.idle().then(() => this.#readOn())
    } else if (input.isPaused()) input.resume()
  }
}

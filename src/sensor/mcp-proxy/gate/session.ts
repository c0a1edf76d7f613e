/** Judges the messages of one client connection. */
import type { IncomingHttpHeaders } from 'node:http'
import { requestHeaders } from '../../../protocol/headers.ts'
import type { ErrorWords, GateConnection, GateSession, Step } from '../gate-contract.ts'
import { answerCall, answerList, answerTask, noticeOfTask } from './answers.ts'
import { Questions } from './asking.ts'
import { OpenRequests, type AnswerForm, type OpenRequest } from './open-requests.ts'
import { CallGate } from './call-gate.ts'
import { hasClientWords, judgeClientWords } from './client-words.ts'
import { maskErrorWords } from './error-words.ts'
import type { GateContext } from './gate-context.ts'
import { headerFault } from './header-match.ts'
import { ListNews, subscribedNotice } from './list-news.ts'
import { foldedKey, membersOf, textOf } from './members.ts'
import { hasInputResponses, judgeInputResponses, judgeResponse } from './model-answers.ts'
import {
  bufferOf,
  idOfJson,
  openClientMessage,
  openServerMessage,
  type ClientMessage,
  type MessageId,
  type ServerMessage
} from './open-message.ts'
import { errorReply, faultReply, rpcCodes } from './replies.ts'
import { canElicit, readMeta, type RequestMeta } from './request-meta.ts'
import { driveWork } from './run-steps.ts'
import type { ServerState } from './server-state.ts'
import { judgeOtherAnswer, judgeServerMessage } from './server-words.ts'

/** Methods whose messages or answers concern tools. A name that a parser may take for one of them is refused. */
const toolMethods = ['tools/call', 'tools/list', 'tasks/result', 'tasks/get'] as const
const openedMethods: readonly string[] = [...toolMethods, 'initialize', 'notifications/cancelled']
/** `notifications/tasks` of 2026-07-28, `notifications/tasks/status` before it. */
const taskNotices = 'notifications/tasks'
const plainMethod = /^[a-z_]+(?:\/[a-z_]+)*$/
const cursorBytesMax = 16_384
/** How answers to requests other than calls are read; those of any other method are `texts`. */
const answerForms: ReadonlyMap<string, AnswerForm> = new Map([
  ['server/discover', 'handshake'],
  ['prompts/list', 'definitions'],
  ['completion/complete', 'choices']
])

/** Requests that cannot be judged without a policy. */
const waitsForPolicy: readonly string[] = ['tools/call', 'tools/list']

const dropped: Step = Object.freeze({})

export class Session implements GateSession {
  readonly #context: GateContext
  readonly #server: ServerState
  readonly #connection: GateConnection
  readonly #openRequests = new OpenRequests()
  readonly #questions: Questions
  readonly #calls: CallGate
  readonly #news = new ListNews()
  #surface: string | undefined
  #canElicit = false
  /** Called once when the session has ended. */
  onClose: (() => void) | undefined

  constructor(server: ServerState, connection: GateConnection, context: GateContext) {
    this.#context = context
    this.#server = server
    this.#surface = context.surface
    this.#connection = connection
    this.#questions = new Questions(context.askTimeoutMs)
    this.#calls = new CallGate(server, this.#openRequests, this.#questions, context)
  }

  fromClient(message: Uint8Array, http?: IncomingHttpHeaders): Step | Promise<Step> {
    return driveWork(this.#fromClient(message, http)) as Step | Promise<Step>
  }

  fromServer(message: Uint8Array): Step | Promise<Step> {
    const opened = openServerMessage(bufferOf(message))
    if (opened.fault !== undefined) {
      this.#context.log.warn({ fault: opened.fault }, 'a message of the server was dropped')
      return dropped
    }
    const { id, method, isError } = opened.message
    if (method === subscribedNotice) return this.#subscribed(message)
    if (method?.startsWith(taskNotices)) return driveWork(noticeOfTask(message, this.#context))
    if (method !== undefined)
      return this.#withPolicy(() => driveWork(judgeServerMessage(message, opened.message, this.#server, this.#context)))
    // An error without an id is about a message that could not be read.
    if (id === undefined) return isError ? this.#errorOfNothing(message) : dropped
    const request = this.#openRequests.answer(id)
    if (request === undefined) {
      this.#context.log.warn({ fault: 'answer_to_nothing' }, 'a message of the server was dropped')
      return dropped
    }
    return this.#judgeAnswer(message, { id, method, isError }, request)
  }

  /** Judges at once if there is a policy, otherwise when one arrives or none has come for long enough. */
  #withPolicy(judge: () => Step | Promise<Step>): Step | Promise<Step> {
    return this.#context.policyWait()?.then(judge) ?? judge()
  }

  get server(): ServerState {
    return this.#server
  }

  /** The surface for which tools were last listed. */
  get surface(): string | undefined {
    return this.#surface
  }

  get awaitsNews(): boolean {
    return this.#connection.notify !== undefined && this.#news.isAwaited
  }

  get promisesNews(): boolean {
    return this.#news.isOurs
  }

  /** Notifies the client that policy now shows other tools. */
  tellListChanged(): void {
    for (const message of this.#news.messages()) this.#connection.notify?.(message)
  }

  errorWords(words: ErrorWords, id?: string): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const key = id === undefined ? undefined : idOfJson(id)
    const request = key && this.#openRequests.answer(key)
    return driveWork(maskErrorWords(words, request?.kind === 'call' ? request.call : undefined, this.#context))
  }

  #subscribed(message: Uint8Array): Step | Promise<Step> {
    const noted = driveWork(this.#news.subscribed(message, (key) => this.#openRequests.kindOf(key) === 'listen'))
    return noted instanceof Promise ? noted.then(() => ({ forward: message })) : { forward: message }
  }

  /** An error without an id may still be about a call, and quote its arguments. */
  #errorOfNothing(message: Uint8Array): Step | Promise<Step> {
    const masked = driveWork(maskErrorWords({ bytes: message, isJson: true }, undefined, this.#context))
    const stepOf = (bytes: Uint8Array | undefined): Step => (bytes === undefined ? dropped : { forward: bytes })
    return masked instanceof Promise ? masked.then(stepOf) : stepOf(masked)
  }

  close(): void {
    this.onClose?.()
    this.onClose = undefined
    this.#questions.close()
    for (const call of this.#openRequests.calls()) {
      this.#context.openCalls.delete(call)
      const event = call.tell(this.#context.nowMs(), undefined)
      if (event !== undefined) this.#context.report(event, call.facts.trace)
    }
  }

  *#fromClient(
    message: Uint8Array,
    http: IncomingHttpHeaders | undefined
  ): Generator<void, Step | Promise<Step>, void> {
    const opened = yield* openClientMessage(bufferOf(message))
    if (opened.fault !== undefined) return this.#refused(faultReply(opened.id, opened.fault))
    const { id, method, index, params } = opened.message
    if (method === undefined) {
      if (this.#answerOf(opened.message)) return dropped
      return yield* judgeResponse(message, opened.message, this.#server, this.#context)
    }
    if (!plainMethod.test(method) && isMisspelled(method))
      return this.#refused(
        errorReply(id, rpcCodes.methodNotFound, 'There is no method with this name.'),
        id !== undefined
      )
    const meta = yield* readMeta(index, params)
    if (meta === undefined) {
      this.#calls.tellUnreadable({ method, index, params, http }, 'unreadable_call')
      return this.#refused(faultReply(id, 'ambiguous'), id !== undefined)
    }
    const wrong = http && id && headerFault(http, { index, method, params }, meta)
    if (wrong !== undefined) {
      this.#calls.tellUnreadable({ method, index, params, http, meta }, 'header_mismatch')
      return { reply: errorReply(id, rpcCodes.headerMismatch, wrong), status: 400 }
    }
    if (id === undefined) return this.#notification(message, opened.message)
    if (this.#openRequests.isOpen(id))
      return this.#refused(
        errorReply(id, rpcCodes.invalidRequest, 'Another request with this ID is waiting for its answer.')
      )
    if (waitsForPolicy.includes(method) || hasClientWords(method) || hasInputResponses(opened.message)) {
      const wait = this.#context.policyWait()
      if (wait !== undefined) return wait.then(() => driveWork(this.#request(message, opened.message, id, meta, http)))
    }
    return yield* this.#request(message, opened.message, id, meta, http)
  }

  *#request(
    message: Uint8Array,
    opened: ClientMessage,
    id: MessageId,
    meta: RequestMeta,
    http: IncomingHttpHeaders | undefined
  ): Generator<void, Step, void> {
    const answers = yield* judgeInputResponses(message, opened, id, this.#server, this.#context)
    if (answers.forward === undefined) return answers
    if (answers.forward === message) return yield* this.#judge(message, opened, id, meta, http)
    const masked = yield* openClientMessage(bufferOf(answers.forward))
    if (masked.fault !== undefined) return this.#refused(faultReply(id, masked.fault))
    return yield* this.#judge(answers.forward, masked.message, id, meta, http)
  }

  /** Judges a request in whose answers to the server nothing is left to mask. */
  *#judge(
    message: Uint8Array,
    opened: ClientMessage,
    id: MessageId,
    meta: RequestMeta,
    http: IncomingHttpHeaders | undefined
  ): Generator<void, Step, void> {
    const { method = '', index, params } = opened
    if (method === 'tools/call')
      return yield* this.#calls.judge(message, opened, id, { meta, http, canElicit: this.#canElicit })
    if (method === 'initialize')
      this.#canElicit = canElicit(index, params < 0 ? -1 : index.find(params, 'capabilities'))
    if (method === 'tools/list' && this.#context.policy() === undefined)
      return { reply: errorReply(id, rpcCodes.unavailable, this.#noPolicy()) }
    const surface = http?.[requestHeaders.clientSurface]
    const request = requestOf(method, opened, typeof surface === 'string' ? surface : undefined)
    if (request?.kind === 'list' || request?.kind === 'listen') {
      this.#surface = typeof surface === 'string' ? surface : this.#context.surface
      this.#news.hasListed ||= request.kind === 'list'
    }
    if (request === undefined) return this.#refused(faultReply(id, 'ambiguous'))
    const step = yield* judgeClientWords(message, opened, id, this.#server, this.#context)
    if (step.forward === undefined) return step
    if (!this.#openRequests.open(id, request))
      return { reply: errorReply(id, rpcCodes.unavailable, 'Too many requests are waiting for answers.') }
    return step
  }

  #noPolicy(): string {
    return `There is no policy to judge tools by, so none is shown: ${this.#context.problem()}.`
  }

  *#handshake(message: Uint8Array, id: MessageId): Generator<void, Step, void> {
    const { forward = message } = yield* judgeOtherAnswer(message, id, 'handshake', this.#server, this.#context)
    return { forward: yield* this.#news.promise(forward, this.#context.policy()) }
  }

  /** A call without an id gets no answer that could hold a refusal, yet some servers would execute it. */
  #notification(message: Uint8Array, { method = '', index, params }: ClientMessage): Step {
    if ((toolMethods as readonly string[]).includes(method)) {
      if (method === 'tools/call') this.#calls.tellUnreadable({ method, index, params }, 'unreadable_call')
      return this.#refused(faultReply(undefined, 'not_rpc'), false)
    }
    if (method === 'notifications/cancelled' && params >= 0) {
      const node = index.find(params, 'requestId')
      const key = node < 0 ? undefined : keyOf(textOf(index, node), index.raw(node))
      if (key !== undefined) {
        this.#openRequests.cancel(key)
        this.#news.unsubscribed(key)
        this.#questions.withdraw(key)
      }
    }
    return { forward: message }
  }

  /** @returns whether the client's message answers one of our questions */
  #answerOf({ id, index }: ClientMessage): boolean {
    const result = index.find(index.root, 'result')
    const action = result < 0 ? undefined : textOf(index, index.find(result, 'action'))
    return id !== undefined && this.#questions.take(id, action, result < 0)
  }

  /** On HTTP, a refused message has a status of its own; on a pipe, a message without an id gets no answer. */
  #refused(reply: Buffer, hasId = true): Step {
    if (this.#connection.transport === 'http') return { reply, status: 400 }
    return hasId ? { reply } : dropped
  }

  #judgeAnswer(message: Uint8Array, opened: ServerMessage, request: OpenRequest): Step | Promise<Step> {
    const id = opened.id as MessageId
    const server = this.#server
    const context = this.#context
    switch (request.kind) {
      case 'list': {
        const list = (): Step | Promise<Step> => driveWork(answerList(message, id, request, server, context))
        const isPinned = context.policy()?.document.pins.mode === 'first-use'
        return isPinned && !server.pins.isLoaded ? server.pins.load().then(list) : list()
      }
      case 'call':
        return driveWork(answerCall(message, id, request.call, context))
      case 'task':
        return driveWork(answerTask(message, id, context))
      case 'handshake':
        return this.#withPolicy(() => driveWork(this.#handshake(message, id)))
      case 'listen':
        this.#news.unsubscribed(id.key)
        return driveWork(judgeOtherAnswer(message, id, 'texts', server, context))
      case 'other':
        return this.#withPolicy(() => driveWork(judgeOtherAnswer(message, id, request.form, server, context)))
      case 'held':
        return { forward: message }
    }
  }
}

/** Whether a server may read this method as another: by trimming, ending it at a NUL, or routing it like a URL. */
function isMisspelled(method: string): boolean {
  const [text = ''] = decoded(method).split(/[\0?#;]/, 1)
  const parts = foldedKey(text)
    .replaceAll(/[\s\p{Cc}]/gu, '')
    .split(/[/\\]+/)
  const folded = parts.filter((part) => part !== '').join('/')
  return openedMethods.some((name) => name !== method && name === folded)
}

function decoded(method: string): string {
  try {
    return decodeURIComponent(method)
  } catch {
    return method
  }
}

function keyOf(text: string | undefined, raw: string): string {
  return text === undefined ? raw : `"${text}`
}

/** @returns undefined if the request is ambiguous */
function requestOf(
  method: string,
  { index, params }: ClientMessage,
  surface: string | undefined
): OpenRequest | undefined {
  if (method === 'tasks/result' || method === 'tasks/get') return { kind: 'task' }
  if (method === 'initialize') return { kind: 'handshake' }
  if (method === 'subscriptions/listen') return { kind: 'listen' }
  if (method !== 'tools/list') return { kind: 'other', form: answerForms.get(method) ?? 'texts' }
  const members = params < 0 ? [-1] : membersOf(index, params, ['cursor'])
  if (members === undefined) return undefined
  return { kind: 'list', cursor: textOf(index, members[0], cursorBytesMax), surface }
}

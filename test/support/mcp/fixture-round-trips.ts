/** Tools and prompts that need input from the client before they can answer, as revision 2026-07-28 requests it. */
import { randomBytes, randomUUID } from 'node:crypto'
import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  type McpServer,
  type ServerContext
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { said, textOf } from './fixture-content.ts'

/** Seals the state that a client carries from one round to the next. */
export const stateCodec = createRequestStateCodec<Record<string, unknown>>({ key: new Uint8Array(randomBytes(32)) })

const nothing = z.object({})
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

const askFor = (field: string, type: 'string' | 'boolean', message = `What is your ${field}?`) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } as never }, required: [field] }
  })
const askModel = (text: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: textOf(text) }], maxTokens: 100 })

const given = (context: ServerContext, key: string) => acceptedContent(context.mcpReq.inputResponses, key)
const response = (context: ServerContext, key: string) =>
  context.mcpReq.inputResponses?.[key] as { content?: { text?: string }; roots?: unknown[] } | undefined

type Handler = (context: ServerContext) => Promise<ReturnType<typeof said> | ReturnType<typeof inputRequired>>

const tools: Readonly<Record<string, Handler>> = {
  elicitation: async (context) => {
    const name = given(context, 'user_name')?.['name']
    if (typeof name === 'string') return said(`Hello, ${name}!`)
    return inputRequired({ inputRequests: { user_name: askFor('name', 'string') } })
  },
  sampling: async (context) => {
    const answer = response(context, 'capital_question')
    if (answer !== undefined) return said(`The model: ${answer.content?.text ?? 'nothing'}`)
    return inputRequired({ inputRequests: { capital_question: askModel('What is the capital of France?') } })
  },
  list_roots: async (context) => {
    const roots = response(context, 'client_roots')?.roots
    if (Array.isArray(roots)) return said(`${roots.length} roots`)
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  },
  request_state: async (context) => {
    if (given(context, 'confirm') !== undefined && context.mcpReq.requestState() !== undefined) return said('state-ok')
    const requestState = await stateCodec.mint({ nonce: randomUUID() })
    return inputRequired({ inputRequests: { confirm: askFor('ok', 'boolean', 'Confirm.') }, requestState })
  },
  tampered_state: async (context) => {
    if (given(context, 'confirm') !== undefined && context.mcpReq.requestState() !== undefined)
      return said('integrity-ok')
    const requestState = await stateCodec.mint({ nonce: randomUUID() })
    return inputRequired({ inputRequests: { confirm: askFor('ok', 'boolean', 'Confirm.') }, requestState })
  },
  multiple_inputs: async (context) => {
    const name = given(context, 'user_name')?.['name']
    const greeting = response(context, 'greeting')?.content?.text
    const roots = response(context, 'client_roots')?.roots
    if (typeof name === 'string' && typeof greeting === 'string' && Array.isArray(roots))
      return said(`${greeting} ${name}`)
    const inputRequests = {
      user_name: askFor('name', 'string'),
      greeting: askModel('Make a greeting.'),
      client_roots: inputRequired.listRoots()
    }
    return inputRequired({ inputRequests, requestState: await stateCodec.mint({ nonce: randomUUID() }) })
  },
  multi_round: async (context) => {
    const state = context.mcpReq.requestState<{ round?: number; name?: unknown }>()
    const round = state?.round ?? 0
    if (round === 2) return said(`${String(state?.name)} likes ${String(given(context, 'step2')?.['color'])}`)
    const name = given(context, 'step1')?.['name']
    const requestState = await stateCodec.mint({ round: round + 1, name, nonce: randomUUID() })
    return round === 0
      ? inputRequired({ inputRequests: { step1: askFor('name', 'string') }, requestState })
      : inputRequired({ inputRequests: { step2: askFor('color', 'string') }, requestState })
  },
  capabilities: async (context) => {
    if (context.mcpReq.inputResponses !== undefined) return said('Answered.')
    const able =
      (context.mcpReq.envelope as Record<string, Record<string, unknown>> | undefined)?.[capabilitiesKey] ?? {}
    const inputRequests = {
      ...('elicitation' in able && { user_name: askFor('name', 'string') }),
      ...('sampling' in able && { greeting: askModel('Make a greeting.') }),
      ...('roots' in able && { client_roots: inputRequired.listRoots() })
    }
    return Object.keys(inputRequests).length > 0
      ? inputRequired({ inputRequests })
      : said('There is nothing to ask with.')
  }
}

export function addRoundTrips(server: McpServer): void {
  for (const [kind, handle] of Object.entries(tools)) {
    const name = `test_input_required_result_${kind}`
    server.registerTool(name, { description: 'Asks first.', inputSchema: nothing }, async (_args, context) =>
      handle(context)
    )
  }
  server.registerTool(
    'test_missing_capability',
    { description: 'Needs a model.', inputSchema: nothing },
    async (_args, context) => {
      if (response(context, 'llm_answer') !== undefined) return said('Answered.')
      return inputRequired({ inputRequests: { llm_answer: askModel('Say pong.') } })
    }
  )
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first.' }, async (context) => {
    const words = given(context, 'user_context')?.['context']
    if (typeof words !== 'string')
      return inputRequired({ inputRequests: { user_context: askFor('context', 'string') } })
    return { messages: [{ role: 'user' as const, content: textOf(`Use this context: ${words}`) }] }
  })
}

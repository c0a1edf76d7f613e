/**
 * A full MCP server on the reference SDK, for both revisions, with every feature that the conformance scenarios use.
 * One definition serves stdio, HTTP sessions and stateless requests.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fromJsonSchema, McpServer, ResourceTemplate, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { forms, imageOf, plainTools, png, resourceOf, said, schema2020, textOf } from './fixture-content.ts'
import { addRoundTrips, stateCodec } from './fixture-round-trips.ts'

/** What the SDK's server does not offer by itself. */
export interface FixtureHooks {
  /** Notifies the subscribers of 2026-07-28 that a list has changed. */
  readonly changed?: (list: 'tools' | 'prompts') => void
  /** Closes the stream of a request before its response is sent. */
  readonly closeStream?: (context: ServerContext) => void
}

const nothing = z.object({})
const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {}
}

export function createFixture(hooks: FixtureHooks = {}): McpServer {
  const server = new McpServer(
    { name: 'fixture', version: '1.0.0' },
    { capabilities, requestState: { verify: stateCodec.verify } }
  )
  addPlainTools(server)
  addTalkingTools(server, hooks)
  addAskingTools(server)
  addRoundTrips(server)
  addResources(server)
  addPrompts(server)
  server.server.setRequestHandler('logging/setLevel', async () => ({}))
  server.server.setRequestHandler('completion/complete', async () => ({
    completion: { values: ['paris', 'park'], total: 2, hasMore: false }
  }))
  return server
}

function addPlainTools(server: McpServer): void {
  for (const [name, content] of Object.entries(plainTools))
    server.registerTool(name, { description: `Answers as ${name} does.` }, async () => ({ content }))
  server.registerTool('test_error_handling', { description: 'Fails.' }, async () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool(
    'echo',
    { description: 'Answers what it is given.', inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => said(text)
  )
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a rich schema.', inputSchema: fromJsonSchema(schema2020) },
    async (args) => said(JSON.stringify(args))
  )
  const region = { type: 'string', 'x-mcp-header': 'Region' }
  server.registerTool(
    'test_x_mcp_header',
    {
      description: 'Wants a parameter beside the message as well.',
      inputSchema: fromJsonSchema<{ region?: string }>({
        type: 'object',
        properties: { region, level: { type: 'integer' } }
      })
    },
    async (args) => said(`region=${args.region ?? 'none'}`)
  )
}

/** Tools that send notifications before they answer. */
function addTalkingTools(server: McpServer, { changed, closeStream }: FixtureHooks): void {
  const log = (data: string) => ({ method: 'notifications/message' as const, params: { level: 'info' as const, data } })
  server.registerTool(
    'test_tool_with_logging',
    { description: 'Logs.', inputSchema: nothing },
    async (_args, context) => {
      for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await context.mcpReq.notify(log(words))
        await sleep(20)
      }
      return said('Logged.')
    }
  )
  server.registerTool(
    'test_logging_tool',
    { description: 'Logs if asked.', inputSchema: nothing },
    async (_args, context) => {
      await context.mcpReq.log('info', 'logged')
      return said('Logged where it was asked for.')
    }
  )
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Tells its progress.', inputSchema: nothing },
    async (_args, context) => {
      const progressToken = context.mcpReq._meta?.progressToken
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        const params = {
          progressToken: progressToken as string | number,
          progress,
          total: 100,
          message: `At ${progress}`
        }
        await context.mcpReq.notify({ method: 'notifications/progress', params })
        await sleep(20)
      }
      return said(String(progressToken ?? 'no token'))
    }
  )
  server.registerTool(
    'test_reconnection',
    { description: 'Breaks its stream.', inputSchema: nothing },
    async (_args, context) => {
      closeStream?.(context)
      await sleep(100)
      return said('The stream was resumed.')
    }
  )
  for (const list of ['tools', 'prompts'] as const) {
    const name = `test_trigger_${list.slice(0, -1)}_change`
    server.registerTool(name, { description: `Says that ${list} have changed.`, inputSchema: nothing }, async () => {
      changed?.(list)
      return said('Said.')
    })
  }
}

/** Tools that send the client a request of their own, as revisions up to 2025-11-25 do. */
function addAskingTools(server: McpServer): void {
  const elicit = async (context: ServerContext, message: string, properties: object, required: readonly string[]) => {
    const requestedSchema = { type: 'object', properties, required } as never
    const answer = await context.mcpReq.send({ method: 'elicitation/create', params: { message, requestedSchema } })
    return said(`Answered: ${JSON.stringify(answer)}`)
  }
  server.registerTool(
    'test_elicitation',
    { description: 'Asks a person.', inputSchema: z.object({ message: z.string() }) },
    async ({ message }, context) =>
      elicit(context, message, { response: { type: 'string', description: 'The answer' } }, ['response'])
  )
  for (const [name, properties] of Object.entries(forms))
    server.registerTool(name, { description: 'Shows a form.', inputSchema: nothing }, async (_args, context) =>
      elicit(context, 'Please fill this in.', properties, [])
    )
  server.registerTool(
    'test_sampling',
    { description: 'Asks a model.', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, context) => {
      const messages = [{ role: 'user' as const, content: textOf(prompt) }]
      const answer = await context.mcpReq.send({
        method: 'sampling/createMessage',
        params: { messages, maxTokens: 100 }
      })
      return said(`The model: ${JSON.stringify(answer)}`)
    }
  )
}

function addResources(server: McpServer): void {
  const texts = { 'static-text': 'The content of the static text resource.', 'watched-resource': 'Watched.' }
  for (const [name, text] of Object.entries(texts)) {
    const uri = `test://${name}`
    const mimeType = 'text/plain'
    server.registerResource(name, uri, { description: 'A text.', mimeType }, async () => ({
      contents: [{ uri, mimeType, text }]
    }))
  }
  const image = { uri: 'test://static-binary', mimeType: 'image/png', blob: png }
  server.registerResource(
    'static-binary',
    image.uri,
    { description: 'An image.', mimeType: image.mimeType },
    async () => ({
      contents: [image]
    })
  )
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'A resource of a template.', mimeType: 'application/json' },
    async (uri, { id }) => ({
      contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }]
    })
  )
  server.server.setRequestHandler('resources/subscribe', async () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}))
}

function addPrompts(server: McpServer): void {
  const user = <C>(content: C) => ({ role: 'user' as const, content })
  server.registerPrompt('test_simple_prompt', { description: 'Without arguments.' }, async () => ({
    messages: [user(textOf('This is a simple prompt for testing.'))]
  }))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments.', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    async ({ arg1, arg2 }) => ({ messages: [user(textOf(`Given: arg1='${arg1}', arg2='${arg2}'`))] })
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri }) => ({
      messages: [user(resourceOf(resourceUri, 'text/plain', 'An embedded resource.')), user(textOf('Read it.'))]
    })
  )
  server.registerPrompt('test_prompt_with_image', { description: 'With an image.' }, async () => ({
    messages: [user(imageOf), user(textOf('Look at it.'))]
  }))
}

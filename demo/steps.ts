/**
 * The calls of the demo: on each route a clean one, a masked one, a streamed one and a blocked one; and the blocked one
 * again under another policy.
 */
import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import { bakerMail, cloudKeyId, customerMail, forgeToken, phone } from './values.ts'

interface Expected {
  readonly title: string
  readonly stream: boolean
  readonly action: 'allow' | 'mask' | 'block'
  /** The made-up values in the body, one entry for each occurrence. */
  readonly planted: readonly string[]
  /** The preset that is published before the call, and in force from then on. */
  readonly publishes?: 'coding-agents'
  /** The planted values that are restored in the answer for the client. */
  readonly restored?: readonly string[]
}

export type Step = Expected &
  (
    | { readonly api: 'chat-completions'; readonly body: Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'> }
    | { readonly api: 'messages'; readonly body: Omit<Anthropic.MessageCreateParamsNonStreaming, 'stream'> }
  )

const chatModel = 'demo-chat-1'
const messagesModel = 'demo-messages-1'

const chatSteps: Step[] = [
  {
    title: 'nothing to hide',
    api: 'chat-completions',
    stream: false,
    action: 'allow',
    planted: [],
    body: {
      model: chatModel,
      messages: [
        { role: 'system', content: 'You are a coding assistant. Be brief.' },
        { role: 'user', content: 'Rename n to retries: for (let n = 0; n < 3; n++) await attempt(n)' }
      ]
    }
  },
  {
    title: 'personal data in system and user text',
    api: 'chat-completions',
    stream: false,
    action: 'mask',
    planted: [bakerMail, customerMail, customerMail, phone],
    body: {
      model: chatModel,
      messages: [
        { role: 'system', content: `You draft replies for a bakery. Copy ${bakerMail} on refunds.` },
        { role: 'user', content: `${customerMail} was charged twice. Write to ${customerMail}; her phone is ${phone}.` }
      ]
    }
  },
  {
    title: 'the same customer, streamed',
    api: 'chat-completions',
    stream: true,
    action: 'mask',
    planted: [customerMail],
    body: {
      model: chatModel,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: `Add a line to the order of ${customerMail}: two rye loaves, on Friday.` }]
    }
  },
  {
    title: 'a cloud key in a shell session',
    api: 'chat-completions',
    stream: false,
    action: 'block',
    planted: [cloudKeyId],
    body: {
      model: chatModel,
      messages: [
        { role: 'user', content: `Why does this fail?\n$ export AWS_ACCESS_KEY_ID=${cloudKeyId}\n$ terraform apply` }
      ]
    }
  }
]

/** The next turn of an agent that was asked a question and has read a file. */
function afterReading(turn: { readonly asked: string; readonly path: string; readonly content: string }) {
  const id = 'toolu_demo1'
  return {
    model: messagesModel,
    max_tokens: 256,
    messages: [
      { role: 'user', content: turn.asked },
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read_file', input: { path: turn.path } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: turn.content }] }
    ]
  } satisfies Anthropic.MessageCreateParams
}

const messagesSteps: Step[] = [
  {
    title: 'nothing to hide',
    api: 'messages',
    stream: false,
    action: 'allow',
    planted: [],
    body: {
      model: messagesModel,
      max_tokens: 256,
      system: 'You are a coding assistant. Be brief.',
      messages: [{ role: 'user', content: 'Does Array.prototype.toSorted change the array?' }]
    }
  },
  {
    title: 'personal data in system text and in a letter',
    api: 'messages',
    stream: false,
    action: 'mask',
    planted: [bakerMail, customerMail],
    body: {
      model: messagesModel,
      max_tokens: 256,
      system: [{ type: 'text', text: `Sign as the bakery, ${bakerMail}.` }],
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: `Reply to this letter.\nFrom: ${customerMail}\nThe bread was cold.` }]
        }
      ]
    }
  },
  {
    title: 'what an agent reads from a file, streamed',
    api: 'messages',
    stream: true,
    action: 'mask',
    planted: [customerMail, bakerMail],
    body: afterReading({
      asked: 'Who is in people.csv?',
      path: 'people.csv',
      content: `name,email\nInes,${customerMail}\nTomas,${bakerMail}`
    })
  },
  {
    title: 'a token in a file that an agent reads',
    api: 'messages',
    stream: false,
    action: 'block',
    planted: [forgeToken],
    body: afterReading({
      asked: 'Why does the release job fail?',
      path: '.env',
      content: `CI=true\nGITHUB_TOKEN=${forgeToken}`
    })
  },
  {
    title: 'the same file, under the preset coding-agents',
    api: 'messages',
    stream: true,
    action: 'mask',
    planted: [customerMail, forgeToken],
    publishes: 'coding-agents',
    restored: [customerMail],
    body: afterReading({
      asked: 'Why does the release job fail?',
      path: '.env',
      content: `NOTIFY=${customerMail}\nGITHUB_TOKEN=${forgeToken}`
    })
  }
]

export const steps: readonly Step[] = [...chatSteps, ...messagesSteps]

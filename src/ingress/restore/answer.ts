/** Restores an answer that is one JSON object. */
import { isUtf8 } from 'node:buffer'
import type { AnswerReader } from '../../dialects/answer/answer.ts'
import { spliceBody } from '../../dialects/json/splice.ts'
import type { UpstreamAnswer } from '../../upstream/exchange.ts'
import { indexAnswer } from './index-answer.ts'
import { peekAnswer } from '../answer/peek.ts'
import { EditMembers } from '../../policy/restore/edit-arguments.ts'
import { wayOf, wholeTextEdits, type RestoreCounts, type RestorePlan } from './text.ts'

/** Longer answers pass as they are, with their placeholders. */
const answerBytesMax = 8 * 1024 * 1024

/**
 * Waits for the whole answer and restores it. An answer that is not JSON, or too long, passes as it is.
 * @returns the answer to relay in its place; its length may differ from the one in its head
 */
export async function restoreAnswer(
  answer: UpstreamAnswer,
  reader: AnswerReader,
  plan: RestorePlan,
  counts: RestoreCounts
): Promise<UpstreamAnswer> {
  const { beginning, answer: whole } = await peekAnswer(answer, answerBytesMax)
  if (beginning.length >= answerBytesMax) return whole
  const restored = restoredJson(beginning, reader, plan, counts)
  return restored === beginning ? whole : withBody(whole, restored)
}

function restoredJson(body: Buffer, reader: AnswerReader, plan: RestorePlan, counts: RestoreCounts): Buffer {
  if (!isUtf8(body)) return body
  const index = indexAnswer(body)
  if (index === undefined) return body
  const members = new EditMembers()
  const edits = reader
    .read(index)
    .texts.filter(({ tool }) => tool === undefined || plan.mayRestoreTool(tool))
    .flatMap((text) => wholeTextEdits(text.node, index.text(text.node), wayOf(text, plan, members), counts))
  if (edits.length === 0) return body
  const splice = spliceBody(index, edits, Infinity).next()
  return splice.done === true ? Buffer.from(splice.value) : body
}

/** The same answer with another body. How the original one ends still counts. */
function withBody(answer: UpstreamAnswer, body: Buffer): UpstreamAnswer {
  return {
    status: answer.status,
    headers: answer.headers,
    receive(sink) {
      let isSent = false
      const send = (): void => {
        if (!isSent) sink.data(body)
        isSent = true
      }
      answer.receive({
        data: () => true,
        end() {
          send()
          sink.end()
        },
        fail: (error) => sink.fail(error)
      })
    },
    resume: () => answer.resume(),
    dismiss: () => answer.dismiss()
  }
}

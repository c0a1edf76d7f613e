/** Restores an answer that is one JSON object. */
import { isUtf8 } from 'node:buffer'
import type { AnswerReader } from '../../dialects/answer/answer.ts'
import { spliceBody, type TextEdit } from '../../dialects/json/splice.ts'
import type { UpstreamAnswer } from '../../upstream/exchange.ts'
import { runInSteps } from '../cooperative.ts'
import { ClientGone } from '../refusal/refused.ts'
import { indexAnswerInSteps } from './index-answer.ts'
import { markLength } from '../answer/sse-event.ts'
import { peekAnswer } from '../answer/peek.ts'
import { EditMembers } from '../../policy/restore/edit-arguments.ts'
import { editsInSteps, JoinedTexts, wayOf, type RestoreCounts, type RestorePlan } from './text.ts'

/** Longer answers pass as they are, with their placeholders. */
const answerBytesMax = 8 * 1024 * 1024
/** Work between two pauses, in code units; a text costs something even if it is short. */
const unitsPerStep = 65_536
const unitsPerText = 64

/**
 * Waits for the whole answer and restores it. An answer that is not JSON, or too long, passes as it is.
 * @param isGone whether the client has left
 * @returns the answer to relay in its place; its length may differ from the one in its head
 * @throws ClientGone
 */
export async function restoreAnswer(
  answer: UpstreamAnswer,
  reader: AnswerReader,
  plan: RestorePlan,
  counts: RestoreCounts,
  isGone: () => boolean
): Promise<UpstreamAnswer> {
  const { beginning, answer: whole } = await peekAnswer(answer, answerBytesMax)
  if (beginning.length >= answerBytesMax) return whole
  const work = restoredJson(beginning, reader, plan, counts)
  const restored = await runInSteps(work, beginning.length, isGone, () => new ClientGone())
  return restored === beginning ? whole : withBody(whole, restored)
}

function* restoredJson(
  body: Buffer,
  reader: AnswerReader,
  plan: RestorePlan,
  counts: RestoreCounts
): Generator<void, Buffer, void> {
  if (!isUtf8(body)) return body
  const mark = body.subarray(0, markLength(body))
  const index = yield* indexAnswerInSteps(body.subarray(mark.length))
  if (index === undefined) return body
  const members = new EditMembers()
  const joined = new JoinedTexts()
  const edits: TextEdit[] = []
  let units = 0
  for (const text of reader.read(index).texts) {
    if (text.tool !== undefined && !plan.mayRestoreTool(text.tool)) continue
    const content = yield* index.textInSteps(text.node)
    const before = text.isJoined && joined
    for (const edit of yield* editsInSteps(text.node, content, wayOf(text, plan, members), counts, before))
      edits.push(edit)
    before?.add(content)
    units += content.length + unitsPerText
    if (units < unitsPerStep) continue
    units = 0
    yield
  }
  return edits.length === 0 ? body : Buffer.concat([mark, yield* spliceBody(index, edits)])
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

/** Masks the body of a server's HTTP error: text in no form known to MCP, masked like a tool's answer. */
import { isUtf8 } from 'node:buffer'
import type { ErrorWords } from '../gate-contract.ts'
import type { GateContext } from './gate-context.ts'
import { answerRedactor, maskTexts, type MaskTally } from './mask.ts'
import type { OpenCall } from './open-call.ts'
import { indexMessage } from './open-message.ts'
import { errorTexts } from './tool-texts.ts'

/**
 * Masks the text, and ends the call that it answers.
 * @returns undefined if nothing of it may pass: bytes that are not UTF-8 may hold anything
 */
export function* maskErrorWords(
  { bytes, isJson }: ErrorWords,
  call: OpenCall | undefined,
  context: GateContext
): Generator<void, Uint8Array | undefined, void> {
  const policy = call?.policy ?? context.policy()
  const redactor = call?.takeRedactor()
  const tell = (answer?: MaskTally): void => {
    if (call === undefined) return
    context.openCalls.delete(call)
    const event = redactor && call.tell(context.nowMs(), answer)
    if (event !== undefined) context.report(event, call.facts.trace)
  }
  if (policy === undefined || bytes.length === 0 || !policy.document.scan.results) {
    tell()
    return policy === undefined ? undefined : bytes
  }
  const text = readText(bytes)
  const document = isJson ? Buffer.from(bytes) : text === undefined ? undefined : Buffer.from(JSON.stringify(text))
  const index = document && (yield* indexMessage(document))
  if (index === undefined) {
    tell()
    return undefined
  }
  const masked = yield* maskTexts(index, yield* errorTexts(index), answerRedactor(policy, redactor))
  tell(masked)
  if (masked.isBlocked) return undefined
  if (masked.bytes === index.bytes) return bytes
  return isJson ? masked.bytes : Buffer.from(JSON.parse(Buffer.from(masked.bytes).toString('utf8')) as string)
}

/** UTF-8 text holds no NUL, but ASCII text in UTF-16 always does. */
function readText(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) && !bytes.includes(0) ? Buffer.from(bytes).toString('utf8') : undefined
}

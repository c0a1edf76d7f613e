/** What a server on HTTP says beside a status that is an error, where it is no answer to a request. */
import { foldedKey } from '../gate/members.ts'

const answerKeys = ['result', 'method', 'params']

/**
 * Whether JSON beside an HTTP error is words about it and nothing else: those of OAuth or of a framework, or an error of
 * JSON-RPC under an id that no request has (`server-error` in the SDK for Python). Clients go by the status, and would
 * neither log in nor begin a new session without it.
 */
export function isErrorAlone(body: Uint8Array): boolean {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return false
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !Object.keys(value).some((key) => answerKeys.includes(foldedKey(key)))
}

/** Whether a body of this type is read by the gate as it will be read by a client. */
export function isReadableText(contentType: string | string[] | undefined): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(String(contentType ?? ''))?.[1]
  return charset === undefined || /^(?:utf-?8|us-ascii|iso-8859-1|windows-1252)$/i.test(charset)
}

/** Bodies that a server on HTTP sends with an error status and that do not answer a request. */
import { foldedKey } from '../gate/members.ts'

const answerKeys = ['result', 'method', 'params']

/**
 * Whether the JSON body of an HTTP error only describes that error: in the form of OAuth or of a framework, or as a
 * JSON-RPC error whose id no request has (`server-error` in the Python SDK). Clients act on the status; without it they
 * would neither log in nor start a new session.
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

/** Whether the gate reads a body of this type like a client does. */
export function isReadableText(contentType: string | string[] | undefined): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(String(contentType ?? ''))?.[1]
  return charset === undefined || /^(?:utf-?8|us-ascii|iso-8859-1|windows-1252)$/i.test(charset)
}

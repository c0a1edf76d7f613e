/** Looks up the audit rows of the demo's calls, as an operator would: by request ID, over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, type Json } from './conversation.ts'

/** The metadata of one recorded call. */
export interface RecordedCall {
  readonly requestId: string
  readonly detail: Json
}

const waitMsMax = 5000
const pauseMs = 25

async function rowsOf(url: string, token: string, requestId: string): Promise<RecordedCall[]> {
  const address = `${url}/api/audit?requestId=${requestId}`
  const response = await fetch(address, { headers: { 'x-service-workspace-token': token } })
  if (!response.ok) throw new Error(`The audit look-up answered ${response.status}.`)
  const body: unknown = await response.json()
  const rows = isObject(body) && Array.isArray(body['rows']) ? body['rows'] : []
  return rows
    .filter(isObject)
    .filter((row) => row['action'] === 'ingress_proxy')
    .map((row) => ({ requestId, detail: isObject(row['detail']) ? row['detail'] : {} }))
}

/**
 * The rows of one call. A row is written just after its answer ends, so a missing one is retried for a while.
 * @returns all rows with this request ID; a normal call has exactly one
 */
export async function lookUpCall(url: string, token: string, requestId: string): Promise<RecordedCall[]> {
  const giveUpAt = performance.now() + waitMsMax
  for (;;) {
    const rows = await rowsOf(url, token, requestId)
    if (rows.length > 0 || performance.now() > giveUpAt) return rows
    await sleep(pauseMs)
  }
}

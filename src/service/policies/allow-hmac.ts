/** How an allow list names a value without containing it. */
import { createHmac, type KeyObject } from 'node:crypto'

/** The entry of a value in `allow.hmacs`: HMAC-SHA-256 under the key of the workspace's allow list, in hex. */
export function allowHmac(value: string, allowKey: KeyObject): string {
  return createHmac('sha256', allowKey).update(value).digest('hex')
}

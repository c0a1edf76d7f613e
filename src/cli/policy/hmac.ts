/** `sluice policy hmac`: the entry for a value that a policy is to let pass. */
import { deriveKey } from '../../config/master-key.ts'
import { allowHmac } from '../../service/policies/allow-hmac.ts'
import { readInput } from '../read-input.ts'
import { UsageError } from '../usage-error.ts'
import { withWorkspace } from '../with-store.ts'
import type { WorkspaceOption } from './output.ts'

/** Reads the value from standard input, so that it appears in no process list and in no shell history. */
export async function printHmac({ workspace: workspaceId }: WorkspaceOption): Promise<void> {
  const value = (await readInput('-')).replace(/\r?\n$/, '')
  if (value === '') throw new UsageError('standard input is empty')
  await withWorkspace(workspaceId, async ({ masterKey }) => {
    process.stdout.write(`${allowHmac(value, deriveKey(masterKey, 'allow-list', workspaceId))}\n`)
  })
}

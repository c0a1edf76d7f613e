/** A service with two days of records, for tests of what displays them. */
import type { TestService } from './start-service.ts'
import { createToken } from './start-service.ts'
import { makeDemoRecords, type DemoRecords } from '../../scripts/screenshots/demo-records.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'

const batchRows = 2000

/**
 * Writes records as if the calls had been made.
 * @param tokenId whose calls they are; by default a new token's
 */
export async function writeDemoRecords(
  { running }: Pick<TestService, 'running'>,
  tokenId?: string
): Promise<DemoRecords> {
  const id = tokenId ?? (await createToken(running)).id
  const policy = await running.store.currentPolicyRevision(defaultWorkspaceId)
  const records = makeDemoRecords(Date.now(), { tokenId: id, policyRevision: policy?.revision ?? '' })
  for (let from = 0; from < records.events.length; from += batchRows) {
    const events = records.events.slice(from, from + batchRows)
    const audit = records.audit.slice(from, from + batchRows)
    await running.store.append({
      events,
      audit: audit.map((row, place) => ({ ...row, eventIndex: place }))
    })
  }
  return records
}

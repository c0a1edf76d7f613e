/** Publishes a redaction profile in a running test service. */
import { createHash } from 'node:crypto'
import { revisionId, standardPolicy } from '../../src/policy/revision.ts'
import { canonicalJson } from '../../src/protocol/canonical-json.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { userBody } from './dialects.ts'
import { eventually } from './eventually.ts'
import type { TestService } from './start-service.ts'

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')
/** Publishes a profile and waits until it applies to model calls. */
export async function publishProfile(service: TestService, profile: object): Promise<string> {
  const current = await service.running.store.currentPolicyRevision(defaultWorkspaceId)
  const sequence = (current?.sequence ?? 0) + 1
  const documents = { ...standardPolicy, redactionProfile: { version: 1, ...profile } }
  const published = {
    ...(JSON.parse(canonicalJson(documents)) as typeof documents),
    workspaceId: defaultWorkspaceId,
    sequence,
    revision: revisionId(sequence, documents, sha256Hex),
    author: 'test',
    note: '',
    publishedAt: Date.now()
  }
  await service.running.store.insertPolicyRevision(published, {
    workspaceId: defaultWorkspaceId,
    at: Date.now(),
    requestId: null,
    tokenId: null,
    actor: 'test',
    action: 'policy_published',
    detail: {}
  })
  await eventually('the new revision', async () => {
    const reply = await service.send('messages', userBody('messages', 'Hello.'))
    return reply.headers['x-service-policy-revision']?.startsWith(`${sequence}-`) ? reply : undefined
  })
  return published.revision
}

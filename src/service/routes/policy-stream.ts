/** `GET /api/workspace/policy-stream`: the policy in force and every change, as server-sent events. */
import type { FastifyInstance } from 'fastify'
import { Refused } from '../../ingress/refusal/refused.ts'
import type { PolicyHub } from '../../policy-stream/hub.ts'
import { responseHeaders } from '../../protocol/headers.ts'
import { authenticate } from '../access.ts'
import { withoutHead } from '../app.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { TokenService } from '../tokens/tokens.ts'

interface PolicyStreamDependencies {
  readonly tokens: TokenService
  readonly lifecycle: Lifecycle
  readonly hub: PolicyHub
}

export function registerPolicyStream(app: FastifyInstance, to: PolicyStreamDependencies): void {
  app.get('/api/workspace/policy-stream', withoutHead, async (request, reply) => {
    if (to.lifecycle.isDraining) throw new Refused('draining')
    const { workspaceId, tokenId } = await authenticate(to.tokens, request.headers, 'policy:read')
    const refusal = await to.hub.open({
      request: request.raw,
      response: reply.raw,
      workspaceId,
      tokenId,
      headers: { [responseHeaders.requestId]: request.id }
    })
    if (refusal !== undefined) {
      const headers = refusal.retryAfterS === undefined ? {} : { 'retry-after': String(refusal.retryAfterS) }
      throw new Refused(refusal.code, { headers })
    }
    // From here on the response belongs to the hub.
    reply.hijack()
  })
}

/** The tables as Kysely sees them. JSON is kept as text, so that it reads back with the key order it was written in. */
import type { Generated } from 'kysely'

export interface Tables {
  workspaces: { id: string; name: string; created_at: number }
  tokens: {
    id: string
    workspace_id: string
    hash: string
    label: string
    scopes: string
    created_at: number
    expires_at: number | null
    revoked_at: number | null
    change: number
  }
  /** Beside `tokens`, so that noting a use never rewrites, locks or counts as a change of the token. */
  token_uses: { token_id: string; last_used_at: number }
  policy_revisions: {
    workspace_id: string
    sequence: number
    revision: string
    mcp_tool_policy: string
    redaction_profile: string
    author: string
    note: string
    published_at: number
  }
  events: {
    sequence: Generated<number>
    workspace_id: string
    event_id: string
    kind: string
    origin: 'service' | 'sensor'
    request_id: string | null
    token_id: string | null
    occurred_at: number
    received_at: number
    policy_revision: string | null
    sensor_metadata: string
  }
  audit: {
    sequence: Generated<number>
    workspace_id: string
    at: number
    request_id: string | null
    token_id: string | null
    actor: string
    action: string
    detail: string
  }
  meta: { key: string; value: string }
  /** One row. Its lock also puts the transactions that change tokens or policies into one order. */
  change_counter: { id: number; value: number }
}

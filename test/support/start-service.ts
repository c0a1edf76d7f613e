/**
 * The service under test, in this process, on a free port, with a data directory of its own that is removed afterwards.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/config.ts'

import type { ExporterTimings } from '../../src/service/otlp-out/exporter.ts'
import { startService, type RunningService } from '../../src/service/start.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { createAuditReader, type AuditReader } from './audit.ts'
import { pathOf, type TestedDialect } from './dialects.ts'
import { call, type Reply } from './http.ts'

export interface ServiceSettings {
  /** The upstream of both routes; the chat-completions base gets its version path. */
  readonly upstream?: { readonly url: string }
  /** Environment variables in addition to those of the harness. `undefined` removes one of the harness. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** A data directory that outlives the service; the caller removes it. */
  readonly dataDir?: string
}

export interface TestService extends AsyncDisposable {
  readonly url: string
  /** The base URL that users of an SDK should set. */
  readonly sdkBaseUrl: string
  /** A token with the default scopes. */
  readonly token: string
  readonly running: RunningService
  readonly audit: AuditReader
  createToken(request?: TokenWish): Promise<{ readonly id: string; readonly token: string }>
  revokeToken(id: string): Promise<unknown>
  /** Sends a body to an ingress route with the token in its dedicated header. */
  send(dialect: TestedDialect, body: string | Uint8Array, options?: SendOptions): Promise<Reply>
}

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** `null` sends no token. */
  readonly token?: string | null
  /** Query with its question mark. */
  readonly query?: string
  readonly signal?: AbortSignal
}

interface TokenWish {
  /** The default ones if omitted. */
  readonly scopes?: readonly string[]
  readonly expiresAt?: number
  readonly label?: string
}

/** Creates a token of the default workspace, as an operator does. */
export async function createToken(
  running: RunningService,
  wish: TokenWish = {}
): Promise<{ id: string; token: string }> {
  const request = { workspaceId: defaultWorkspaceId, label: 'end-to-end test' }
  const { token, summary } = await running.tokens.create({ ...request, ...wish }, 'test')
  return { token, id: summary.id }
}

export const upstreamKeys = { chat: 'chat-upstream-credential', messages: 'messages-upstream-credential' }

/** The environment of a test service. */
export function testEnvironment(dataDir: string, settings: ServiceSettings): Record<string, string | undefined> {
  const { upstream, env } = settings
  return {
    PORT: '0',
    SERVICE_DATA_DIR: dataDir,
    SERVICE_LOG_LEVEL: 'silent',
    UPSTREAM_CHAT_API_KEY: upstreamKeys.chat,
    UPSTREAM_MESSAGES_API_KEY: upstreamKeys.messages,
    ...(upstream ? { UPSTREAM_CHAT_API_BASE: `${upstream.url}/v1`, UPSTREAM_MESSAGES_API_BASE: upstream.url } : {}),
    ...env
  }
}

/** Fast enough for a test; the order of the steps is the same as everywhere. */
export const fastExport: ExporterTimings = {
  leaseMs: 1500,
  idleMs: 50,
  backoff: { backoffMinMs: 20, backoffMaxMs: 200 },
  closeMs: 1000,
  lossesMs: 50
}

/** A new data directory in the folder for temporary files. */
export function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'sluice-e2e-'))
}

/** Starts a service with a token of the default scopes and a reader of its audit rows. */
export async function startTestService(settings: ServiceSettings = {}): Promise<TestService> {
  await using undo = new AsyncDisposableStack()
  const dataDir = settings.dataDir ?? (await makeDataDir())
  if (settings.dataDir === undefined) undo.defer(() => rm(dataDir, { recursive: true, force: true }))
  const loaded = loadConfig(testEnvironment(dataDir, settings), { cwd: process.cwd() })
  assert.ok(loaded.ok, JSON.stringify(loaded))
  const running = await startService(loaded.config, { exportTimings: fastExport })
  undo.defer(() => running.close())
  const { token } = await createToken(running)
  const auditor = await createToken(running, { scopes: ['audit:read'] })
  // From here on the caller disposes of it; an earlier failure has undone everything.
  const all = undo.move()
  return {
    url: running.url,
    sdkBaseUrl: `${running.url}/api/ingress/v1`,
    token,
    running,
    audit: createAuditReader(running.url, auditor.token),
    createToken: (wish) => createToken(running, wish),
    revokeToken: (id) => running.tokens.revoke({ workspaceId: defaultWorkspaceId, id }, 'test'),
    send: (dialect, body, { headers = {}, token: other = token, query = '', signal } = {}) =>
      call(`${running.url}/api/ingress/v1${pathOf[dialect]}${query}`, {
        headers: {
          'content-type': 'application/json',
          ...(dialect === 'messages' ? { 'anthropic-version': '2023-06-01' } : {}),
          ...(other === null ? {} : { 'x-service-workspace-token': other }),
          ...headers
        },
        body,
        ...(signal ? { signal } : {})
      }),
    [Symbol.asyncDispose]: () => all.disposeAsync()
  }
}

/**
 * The API as OpenAPI 3.1, built from the access table and the schemas of bodies: what a route accepts, what it answers,
 * and who may use it. A route without a description here fails the tests.
 */
import { z } from 'zod'
import { documentSchemas } from '../policy/policy-schemas.ts'
import { requestHeaders } from '../protocol/headers.ts'
import * as policyApi from '../protocol/api/policy-schema.ts'
import * as reading from '../protocol/api/reading-schema.ts'
import * as sensor from '../protocol/api/sensor-schema.ts'
import * as session from '../protocol/api/session-schema.ts'
import * as suggestion from '../protocol/api/suggestion-schema.ts'
import * as system from '../protocol/api/system-schema.ts'
import * as token from '../protocol/api/token-schema.ts'
import * as user from '../protocol/api/user-schema.ts'
import { routeAccess, type RouteAccess } from './route-access.ts'

interface Described {
  readonly summary: string
  readonly body?: z.ZodType
  readonly answer?: z.ZodType
  /** Status of a successful answer. Default: 200. */
  readonly status?: number
  /** Media type of an answer that is not a single JSON value. */
  readonly type?: string
}

const { mcpToolPolicy, redactionProfile } = documentSchemas
const draft = z.object({ mcpToolPolicy: mcpToolPolicy.optional(), redactionProfile: redactionProfile.optional() })
const publishing = { note: z.string().max(500).optional(), confirm: z.boolean().optional() }
const eventStream = 'text/event-stream'
const jsonLines = 'application/x-ndjson'

/** By `METHOD /path`, as in the access table. */
export const describedRoutes: Readonly<Record<string, Described>> = {
  'POST /api/events': { summary: 'Takes events of sensors, singly or many at once. See events.md.', status: 202 },
  'GET /api/workspace/policy-stream': { summary: 'The policy, live.', type: eventStream },
  'GET /api/openapi.json': { summary: 'This document.' },

  'GET /api/session': { summary: 'Who is signed in.', answer: session.sessionBody },
  'POST /api/session': { summary: 'Signs in.', body: session.signInRequest, answer: session.sessionBody },
  'DELETE /api/session': { summary: 'Signs out; `?everywhere=1` ends all sessions.', answer: session.sessionBody },
  'POST /api/session/password': {
    summary: 'Sets a new password of one’s own.',
    body: session.passwordRequest,
    answer: session.sessionBody
  },
  'GET /api/session/oidc': { summary: 'Goes to the provider. `?to=` is where to go afterwards.', status: 302 },
  'GET /api/session/oidc/callback': { summary: 'Comes back from the provider.', status: 302 },
  'POST /api/setup': {
    summary: 'Uses a link up and signs in.',
    body: session.setupRequest,
    answer: session.sessionBody
  },
  'POST /api/setup/check': {
    summary: 'What a link is good for.',
    body: session.setupCheckRequest,
    answer: session.setupCheckBody
  },

  'GET /api/events': { summary: 'A page of events.', answer: reading.eventPageSchema },
  'GET /api/events/series': { summary: 'Counts over time.', answer: reading.seriesSchema },
  'GET /api/events/tail': { summary: 'Events as they are recorded.', type: eventStream },
  'GET /api/events/export': { summary: 'All events of a query.', type: jsonLines },
  'GET /api/audit': { summary: 'A page of audit rows.', answer: reading.auditPageSchema },
  'GET /api/audit/export': { summary: 'All audit rows of a query.', type: jsonLines },
  'GET /api/audit/verify': { summary: 'Whether chains and roots are whole.', answer: reading.auditReportSchema },
  'GET /api/audit/roots': { summary: 'Signed roots of the audit.' },

  'GET /api/workspace/policy': { summary: 'The policy in force.' },
  'PUT /api/workspace/policy': {
    summary: 'Publishes a policy. Takes `if-match`.',
    body: z.object({ mcpToolPolicy, redactionProfile, ...publishing }),
    answer: policyApi.publishedBody,
    status: 201
  },
  'POST /api/workspace/policy/rollback': {
    summary: 'Publishes an earlier revision anew. Takes `if-match`.',
    body: z.object({ revision: z.string(), ...publishing }),
    answer: policyApi.publishedBody,
    status: 201
  },
  'GET /api/workspace/policy/revisions': { summary: 'Revisions, the newest first.', answer: policyApi.revisionsBody },
  'GET /api/workspace/policy/revisions/:revision': { summary: 'One revision.', answer: policyApi.revisionBody },
  'GET /api/workspace/policy/diff': { summary: 'What differs between two revisions.' },
  'POST /api/workspace/policy/lint': { summary: 'Judges a draft.', body: draft, answer: policyApi.lintBody },
  'POST /api/workspace/policy/dry-run': {
    summary: 'What a draft would have done.',
    body: draft.extend({ days: z.int().min(1).max(30).optional() }),
    answer: policyApi.dryRunBody
  },
  'POST /api/workspace/policy/allow-suggestions': {
    summary: 'Rules that would end a false alarm.',
    body: suggestion.suggestionRequest,
    answer: suggestion.suggestionsBody
  },
  'POST /api/workspace/scan': {
    summary: 'What a policy finds in a text. Nothing is kept.',
    body: z.object({ text: z.string(), origin: z.string().optional(), redactionProfile: redactionProfile.optional() }),
    answer: policyApi.scanBody
  },
  'GET /api/workspace/policy/sensors': {
    summary: 'Which revision each sensor enforces.',
    answer: policyApi.policySensorsBody
  },
  'GET /api/sensors': { summary: 'Sensors, as each said of itself last.', answer: sensor.sensorsBody },

  'GET /api/tokens': { summary: 'The tokens of the workspace.', answer: token.tokensBody },
  'POST /api/tokens': {
    summary: 'Makes a token, shown this once.',
    body: token.newTokenRequest,
    answer: token.madeTokenBody,
    status: 201
  },
  'POST /api/tokens/:id/rotate': {
    summary: 'Makes a token in place of another.',
    body: token.rotateTokenRequest,
    answer: token.madeTokenBody,
    status: 201
  },
  'DELETE /api/tokens/:id': { summary: 'Revokes a token.', answer: token.revokedTokenBody },

  'GET /api/users': { summary: 'Who may sign in.', answer: user.usersBody },
  'POST /api/users': {
    summary: 'Makes a user and a link for them.',
    body: user.newUserRequest,
    answer: user.madeUserBody,
    status: 201
  },
  'POST /api/users/:id/link': {
    summary: 'Makes a link that sets a password.',
    answer: user.madeUserBody,
    status: 201
  },
  'PATCH /api/users/:id': { summary: 'Changes a user.', body: user.userPatch, answer: user.userBody },
  'DELETE /api/users/:id': { summary: 'Removes a user.', status: 204 },

  'GET /api/settings': { summary: 'What holds for each variable.', answer: system.settingsBody },
  'GET /api/system/health': { summary: 'How the installation is.', answer: system.healthBody },
  'POST /api/system/upstream-check': { summary: 'Asks each upstream.', answer: system.upstreamCheckBody },
  'GET /api/warnings': { summary: 'What softens the rules.', answer: system.warningsBody },
  'GET /api/tools': { summary: 'Tools by server.', answer: system.toolsBody }
}

let made: object | undefined

/** @param version of the program */
export function openApi(version: string): object {
  return (made ??= {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description: 'Errors are RFC 9457 problems. Model calls are not described here.'
    },
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: requestHeaders.workspaceToken },
        session: { type: 'apiKey', in: 'cookie', name: 'sluice_session' }
      }
    },
    paths: paths()
  })
}

function paths(): Record<string, Record<string, object>> {
  const all: Record<string, Record<string, object>> = {}
  for (const [route, access] of Object.entries(routeAccess)) {
    const described = describedRoutes[route]
    if (described === undefined) continue
    const [method = '', url = ''] = route.split(' ')
    const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    all[path] = { ...all[path], [method.toLowerCase()]: operation(route, described, access, names) }
  }
  return all
}

function operation(route: string, described: Described, access: RouteAccess, names: string[]) {
  const { summary, body, answer, status = 200, type } = described
  const schema = answer && schemaOf(answer, 'output', route)
  const media = type ?? 'application/json'
  const hasContent = type !== undefined || schema !== undefined
  return {
    summary,
    security: security(access),
    ...(access.by === 'both' ? { 'x-scope': access.scope, 'x-permission': access.permission } : {}),
    ...(names.length > 0
      ? { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })) }
      : {}),
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(body, 'input', route) } }
          }
        }
      : {}),
    responses: {
      [status]: { description: summary, ...(hasContent ? { content: { [media]: schema ? { schema } : {} } } : {}) },
      default: { description: 'A problem.', content: { 'application/problem+json': {} } }
    }
  }
}

/** With an id of its own, so that references in a schema are resolved within it and not in the whole document. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output', route: string): object => ({
  ...z.toJSONSchema(schema, { io }),
  $id: `urn:sluice:${io}:${encodeURIComponent(route)}`
})

function security({ by }: RouteAccess): object[] {
  if (by === 'anyone') return []
  if (by === 'token') return [{ token: [] }]
  return by === 'session' ? [{ session: [] }] : [{ token: [] }, { session: [] }]
}

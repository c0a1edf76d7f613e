/** Authentication: every way in which a token can be invalid, on the ingress routes and on the service's own. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { withBriefToken } from '../support/brief-token.ts'
import { dialectNames, pathOf, userBody, vendorError } from '../support/dialects.ts'
import { eventually } from '../support/eventually.ts'
import { call, type Reply } from '../support/http.ts'
import { ingressEvents } from '../support/count-events.ts'
import { createPlanter } from '../support/planted.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

const planter = createPlanter(31)

/** A token that was dictated or cut: its last character differs. */
function mistyped(token: string): string {
  return token.slice(0, -1) + (token.endsWith('7') ? '8' : '7')
}

describe('tokens', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(await startStubUpstream(answers()))
    service = running.use(await startTestService({ upstream: stub }))
  })
  after(() => running.disposeAsync())

  function refusedAs(dialect: (typeof dialectNames)[number], reply: Reply, status: number, code: string): void {
    assert.equal(reply.status, status, reply.text)
    assert.equal(vendorError(dialect, reply).code, code)
    assert.equal(reply.headers['x-should-retry'], 'false')
    assert.ok(!/svw_[0-9A-Za-z]/.test(reply.text), 'the error repeats a token')
  }

  for (const dialect of dialectNames) {
    const body = userBody(dialect, 'Hello.')
    test(`${dialect}: a missing, mistyped, truncated or unknown token is refused`, async () => {
      stub.forget()
      refusedAs(dialect, await service.send(dialect, body, { token: null }), 401, 'missing_token')
      refusedAs(
        dialect,
        await service.send(dialect, body, { token: null, headers: { authorization: 'Bearer other-key' } }),
        401,
        'missing_token'
      )
      refusedAs(
        dialect,
        await service.send(dialect, body, {
          token: null,
          headers: { authorization: `Basic ${btoa('user:password')}` }
        }),
        401,
        'missing_token'
      )
      for (const token of [
        mistyped(service.token),
        service.token.slice(0, -3),
        `${service.token}x`,
        'svw_',
        'other',
        planter('workspace_token').value
      ]) {
        refusedAs(dialect, await service.send(dialect, body, { token }), 401, 'invalid_token')
      }
      assert.deepEqual(stub.received, [])
    })

    test(`${dialect}: two different tokens are a conflict, the same twice is not`, async () => {
      stub.forget()
      const second = await service.createToken()
      for (const name of ['authorization', 'x-api-key']) {
        const key = (token: string): string => (name === 'authorization' ? `Bearer ${token}` : token)
        refusedAs(
          dialect,
          await service.send(dialect, body, { headers: { [name]: key(second.token) } }),
          401,
          'token_conflict'
        )
        refusedAs(
          dialect,
          await service.send(dialect, body, { headers: { [name]: key(mistyped(service.token)) } }),
          401,
          'token_conflict'
        )
        assert.deepEqual(stub.received, [])
        const same = await service.send(dialect, body, { headers: { [name]: key(service.token) } })
        assert.equal(same.status, 200, same.text)
        stub.forget()
      }
      for (const name of ['x-service-workspace-token', 'authorization', 'x-api-key']) {
        const value = (token: string): string => (name === 'authorization' ? `Bearer ${token}` : token)
        const twice = (other: string): Promise<Reply> => {
          const headers = [name, value(service.token), name, value(other), 'content-type', 'application/json']
          return call(service.sdkBaseUrl + pathOf[dialect], { headers, body })
        }
        refusedAs(dialect, await twice(second.token), 401, 'token_conflict')
        assert.deepEqual(stub.received, [], name)
        const same = await twice(service.token)
        assert.equal(same.status, 200, `${name}: ${same.text}`)
        stub.forget()
      }
    })

    test(`${dialect}: a key of another vendor next to the token is no conflict and is not forwarded`, async () => {
      const reply = await service.send(dialect, body, {
        headers: { authorization: 'Bearer another-vendors-key', 'x-api-key': 'another-key' }
      })
      assert.equal(reply.status, 200, reply.text)
      assert.ok(!JSON.stringify(stub.received.at(-1)?.headers).includes('another-'))
    })

    test(`${dialect}: an expired token is refused`, async () => {
      const brief = await withBriefToken(async (expiresAt) => {
        const { token } = await service.createToken({ expiresAt })
        const { status } = await service.send(dialect, body, { token })
        return status === 200 ? { token, expiresAt } : undefined
      })
      const { token, expiresAt } = brief
      while (Date.now() <= expiresAt) await sleep(expiresAt - Date.now() + 5)
      stub.forget()
      refusedAs(dialect, await service.send(dialect, body, { token }), 401, 'expired_token')
      assert.deepEqual(stub.received, [])
    })

    test(`${dialect}: a token revoked while the service runs is refused`, async () => {
      const { token, id } = await service.createToken()
      assert.equal((await service.send(dialect, body, { token })).status, 200)
      await service.revokeToken(id)
      const reply = await eventually('a refusal of the revoked token', async () => {
        stub.forget()
        const answer = await service.send(dialect, body, { token })
        return answer.status === 200 ? undefined : answer
      })
      refusedAs(dialect, reply, 401, 'revoked_token')
      assert.deepEqual(stub.received, [])
    })

    test(`${dialect}: a token without the scope is refused`, async () => {
      stub.forget()
      const { token } = await service.createToken({ scopes: ['policy:read'] })
      const reply = await service.send(dialect, body, { token })
      refusedAs(dialect, reply, 403, 'missing_scope')
      assert.match(vendorError(dialect, reply).message, /ingress:write/)
      assert.deepEqual(stub.received, [])
    })
  }

  test('an unauthenticated call leaves no event', async () => {
    // Events are written in order, so once that of the marker exists, those of all earlier calls do.
    const countAfterMarker = async (): Promise<number> => {
      const marker = await service.send('messages', userBody('messages', 'Hello.'))
      await service.audit.ingress(marker.headers['x-request-id'] ?? '')
      return (await ingressEvents(service.running.store)).length
    }
    const count = await countAfterMarker()
    for (const token of [null, 'svw_', planter('workspace_token').value]) {
      for (const dialect of dialectNames) await service.send(dialect, userBody(dialect, 'Hello.'), { token })
    }
    assert.equal(await countAfterMarker(), count + 1)
  })

  test('the own endpoints respond with a problem document', async () => {
    for (const [path, method] of [
      ['/api/events', 'POST'],
      ['/api/audit?requestId=8b0d0d4e-2f4b-4a52-9a55-111111111111', 'GET']
    ] as const) {
      for (const [headers, code] of [
        [{}, 'missing_token'],
        [{ 'x-service-workspace-token': mistyped(service.token) }, 'invalid_token']
      ] as const) {
        const body = method === 'POST' ? { body: '{"kind":"one"}' } : {}
        const reply = await call(service.url + path, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...body
        })
        assert.equal(reply.status, 401, `${path}: ${reply.text}`)
        assert.match(reply.headers['content-type'] ?? '', /^application\/problem\+json/)
        const problem = reply.json()
        assert.equal(problem['code'], code)
        assert.equal(problem['requestId'], reply.headers['x-request-id'])
        assert.equal(problem['retryable'], false)
      }
    }
  })

  test('a token sees the audit rows of its own calls, an auditor all of them', async () => {
    const other = await service.createToken()
    const reply = await service.send('messages', userBody('messages', 'Hello.'))
    const requestId = reply.headers['x-request-id'] ?? ''
    await service.audit.ingress(requestId)
    const rowsSeenBy = async (token: string): Promise<number> => {
      const answer = await call(`${service.url}/api/audit?requestId=${requestId}`, {
        method: 'GET',
        headers: { 'x-service-workspace-token': token }
      })
      return (answer.json()['rows'] as unknown[]).length
    }
    assert.equal(await rowsSeenBy(service.token), 1)
    assert.equal(await rowsSeenBy(other.token), 0)
  })
})

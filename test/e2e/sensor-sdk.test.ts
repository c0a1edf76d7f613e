/** A sensor built with the SDK, against the real service. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { createSensor, type Sensor, type SensorOptions } from '../../src/sdk/index.ts'
import { builtInDetectors } from '../../src/detection/detectors/index.ts'
import { sensorHeartbeatKind } from '../../src/protocol/events/event-schema.ts'
import { createPlanter } from '../support/planted.ts'
import { policyApi } from '../support/policy-api.ts'
import { storedEvents } from '../support/events.ts'
import { eventually } from '../support/eventually.ts'
import { startTcpRelay } from '../support/tcp-relay.ts'
import { testToken } from '../support/mcp/test-token.ts'
import { startTestService, type TestService } from '../support/start-service.ts'

const root = join(import.meta.dirname, '../..')
const delivery = { backoffMinMs: 10, backoffMaxMs: 40, refusedRetryMs: 20, lingerMs: 1 }
const policyTimings = { backoffMinMs: 10, backoffMaxMs: 40, refusedRetryMs: 20 }
const event = { kind: 'tool_call_enforcement', action: 'block', mcpToolName: 'read_file' } as const

async function newDir(): Promise<{ readonly dir: string } & AsyncDisposable> {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-sensor-'))
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) }
}

function start(
  service: { readonly url: string; readonly token: string },
  options: Partial<SensorOptions> = {}
): Sensor {
  const timings = { delivery, policy: policyTimings, diskRetryMs: 20 }
  return createSensor({ target: service.url, token: service.token, env: {}, timings, ...options })
}

/** Events that the sensor reported, oldest first. */
async function reported(service: TestService): Promise<Awaited<ReturnType<typeof storedEvents>>> {
  return (await storedEvents(service)).filter(({ kind }) => kind !== 'policy_applied').toReversed()
}

async function delivered(sensor: Sensor): Promise<void> {
  const isDone = (): boolean => sensor.stats().onDisk + sensor.stats().inMemory === 0
  await eventually('all events', () => isDone() || undefined)
}

describe('report', () => {
  it('delivers an event to the service, with the sensor data added', async () => {
    await using service = await startTestService()
    await using folder = await newDir()
    await using sensor = start(service, {
      dir: folder.dir,
      stamp: { sensorId: 's1' },
      env: { SERVICE_MCP_PROXY_MOCK: '1', SERVICE_DOWNSTREAM_SERVER: 'docker' }
    })
    const report = sensor.report(event)
    assert.ok(report.ok)
    assert.equal(await report.kept, 'disk')
    await delivered(sensor)
    const [stored] = await reported(service)
    assert.equal(stored?.eventId, report.eventId)
    const { platform, downstreamServer, sensorId, requestId } = stored.sensorMetadata as Record<string, unknown>
    assert.deepEqual([platform, downstreamServer, sensorId, requestId], ['sdk', 'mock', 's1', report.requestId])
  })

  it('rejects immediately what the service would reject, and repeats no value', async () => {
    await using service = await startTestService()
    await using sensor = start(service)
    const secret = createPlanter(1)('github_token').value
    const bad: unknown[] = [
      undefined,
      null,
      'text',
      {},
      { kind: 'Not A Kind' },
      { ...event, prompt: secret },
      { ...event, riskTier: secret },
      { ...event, entitiesMasked: -1 },
      { kind: 'ingress_proxy' },
      {
        get kind() {
          throw new Error(secret)
        }
      }
    ]
    for (const [place, one] of bad.entries()) {
      const report = sensor.report(one as typeof event)
      assert.ok(!report.ok && report.faults.length > 0, String(place))
      assert.ok(!JSON.stringify(report).includes(secret))
    }
    assert.equal(sensor.stats().invalid, bad.length)
  })

  it('writes no secret to disk', async () => {
    await using folder = await newDir()
    await using sensor = start({ url: 'http://127.0.0.1:9', token: testToken }, { dir: folder.dir })
    const secret = createPlanter(2)('github_token').value
    const report = sensor.report({ ...event, ruleId: `rule ${secret}` })
    assert.equal(report.ok && (await report.kept), 'disk')
    const events = join(folder.dir, 'events')
    for (const name of await readdir(events)) {
      if (name.endsWith('.spool')) assert.ok(!(await readFile(join(events, name), 'utf8')).includes(secret))
    }
  })
})

it('reports invalid options of a sensor, and never their values', () => {
  const secret = createPlanter(6)('github_token').value
  const wrong: Partial<SensorOptions>[] = [
    { target: secret },
    { target: `https://user:${secret}@sluice.test` },
    { token: `${secret} ${secret}` },
    { stamp: { riskTier: secret as 'high' } },
    { stamp: { sensorId: secret.repeat(9) } }
  ]
  for (const options of wrong) {
    const make = (): Sensor => start({ url: 'http://127.0.0.1:9', token: testToken }, options)
    assert.throws(make, (error) => error instanceof TypeError && !error.message.includes(secret))
  }
})

describe('a service that fails', () => {
  const honest = (body: string): string => {
    const count = body.trim().split('\n').length
    const results = Array.from({ length: count }, (_, index) => ({ index, status: 'accepted' }))
    return JSON.stringify({ accepted: count, duplicates: 0, rejected: 0, results })
  }

  /** Handles the first requests as listed, later ones as the service does. @returns the events that were accepted */
  async function failing(
    answers: RequestListener[],
    act: (sensor: Sensor) => Promise<void>,
    requestTimeoutMs = 30_000
  ): Promise<string[]> {
    const taken: string[] = []
    const server = createServer((req, res) => {
      if (!req.url?.endsWith('/events')) return res.writeHead(503).end()
      const chunks: Buffer[] = []
      req.on('data', (chunk: Buffer) => chunks.push(chunk))
      req.on('end', () => {
        const answer = answers.shift()
        if (answer) return answer(req, res)
        const body = Buffer.concat(chunks).toString()
        // Heartbeats arrive on their own schedule, and are no events.
        taken.push(
          ...body
            .trim()
            .split('\n')
            .filter((line) => !line.includes(sensorHeartbeatKind))
        )
        res.writeHead(202, { 'content-type': 'application/json' }).end(honest(body))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const timings = { delivery: { ...delivery, requestTimeoutMs }, policy: policyTimings, diskRetryMs: 20 }
    const sensor = start({ url: `http://127.0.0.1:${port}`, token: testToken }, { timings })
    try {
      await act(sensor)
    } finally {
      await sensor.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
    return taken
  }

  const garbage: [string, RequestListener][] = [
    ['202 without a receipt', (_, res) => res.writeHead(202).end('<html>')],
    ['202 with a receipt of another request', (_, res) => res.writeHead(202).end(honest('a\nb\nc'))],
    ['400 of something else', (_, res) => res.writeHead(400).end('plain HTTP sent to HTTPS port')],
    ['413 of something else', (_, res) => res.writeHead(413).end('<html>')],
    ['404', (_, res) => res.writeHead(404).end()],
    ['a redirect', (_, res) => res.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()],
    ['401', (_, res) => res.writeHead(401).end()],
    ['403', (_, res) => res.writeHead(403).end()],
    ['429', (_, res) => res.writeHead(429, { 'retry-after': '0' }).end()],
    ['500', (_, res) => res.writeHead(500).end()],
    ['no HTTP', (req) => req.socket.end('garbage\r\n\r\n')],
    ['a reset', (req) => req.socket.resetAndDestroy()],
    ['an endless answer', (_, res) => void res.writeHead(202).end(Buffer.alloc(9 * 1024 * 1024, 'x'))]
  ]
  it('gets every event once it works, and none twice within one request', async () => {
    for (const [name, listener] of garbage) {
      const taken = await failing([listener], async (sensor) => {
        sensor.report(event)
        await eventually(name, () => sensor.stats().delivered === 1 || undefined)
        assert.deepEqual([sensor.stats().rejected, sensor.stats().lost], [0, 0], name)
      })
      assert.equal(taken.length, 1, name)
    }
  })

  it('gets an event again under the same id after a response that timed out', async () => {
    for (const silent of [() => {}, (_, res) => res.writeHead(202).write('{')] as RequestListener[]) {
      const act = async (sensor: Sensor): Promise<void> => {
        sensor.report(event)
        await eventually('the delivery', () => sensor.stats().delivered === 1 || undefined)
        assert.deepEqual([sensor.stats().rejected, sensor.stats().lost], [0, 0])
      }
      const taken = await failing([silent], act, 400)
      // On a busy machine the good response may also come too late once.
      assert.equal(new Set(taken.map((line) => (JSON.parse(line) as { eventId: string }).eventId)).size, 1)
    }
  })

  it('loses only a single event that is too large for it, and the loss is counted', async () => {
    const tooLarge: RequestListener = (_, res) => res.writeHead(413).end('{"code":"body_too_large"}')
    const taken = await failing([tooLarge], async (sensor) => {
      sensor.report(event)
      await eventually('the loss', () => sensor.stats().delivered === 1 || undefined)
      assert.deepEqual([sensor.stats().rejected, sensor.stats().lost], [1, 1])
    })
    assert.equal((JSON.parse(taken[0] ?? '') as { dropped: number }).dropped, 1)
  })

  it('does not delay closing the sensor, which leaves its events on disk', async () => {
    await using service = await startTestService()
    await using folder = await newDir()
    await using relay = await startTcpRelay(() => Number(new URL(service.url).port))
    relay.mode = 'blackhole'
    const away = start({ url: `http://127.0.0.1:${relay.port}`, token: service.token }, { dir: folder.dir })
    const reports = Array.from({ length: 50 }, () => away.report(event))
    await away.close()
    assert.deepEqual(await reported(service), [])
    await using back = start(service, { dir: folder.dir })
    await eventually('all events', async () => (await reported(service)).length === 50 || undefined)
    await delivered(back)
    assert.deepEqual(
      (await reported(service)).map(({ eventId }) => eventId).toSorted(),
      reports.map((report) => (report.ok ? report.eventId : '')).toSorted()
    )
  })
})

describe('policy', () => {
  it('is enforced and observable, decides and masks, and is acknowledged', async () => {
    await using service = await startTestService()
    const { token } = await service.createToken({ scopes: ['policy:read', 'policy:write', 'events:write'] })
    await using sensor = start(service, { stamp: { clientSurface: 'codex' } })
    const mail = createPlanter(3)('email')
    const key = createPlanter(4)('github_token')
    const before = sensor.policy.decideTool({ server: 'files', tool: 'delete_file' })
    assert.deepEqual([before.action, before.reasonCode], ['block', 'no_policy'])
    assert.equal(sensor.policy.mask('harmless').text, undefined)
    const unjudged = sensor.policy.maskJson({ harmless: true })
    assert.deepEqual([unjudged.action, unjudged.value, unjudged.reasonCode], ['block', undefined, 'no_policy'])

    const first = await sensor.policy.ready()
    const told: string[] = []
    sensor.policy.subscribe((revision) => told.push(revision))
    assert.deepEqual(told, [first])
    assert.equal(sensor.policy.decideTool({ server: 'files', tool: 'delete_file' }).action, 'allow')
    const masked = sensor.policy.mask(mail.sentence)
    assert.deepEqual([masked.action, masked.entitiesMasked, masked.riskTier], ['mask', 1, 'medium'])
    assert.ok(!masked.text?.includes(mail.needle))
    assert.equal(sensor.policy.mask(mail.sentence).text, masked.text)
    assert.deepEqual(
      [sensor.policy.mask(key.sentence).action, sensor.policy.mask(key.sentence).text],
      ['block', undefined]
    )

    const deep = sensor.policy.maskJson(JSON.parse('['.repeat(999) + ']'.repeat(999)))
    assert.deepEqual([deep.action, deep.value, deep.reasonCode], ['block', undefined, 'unreadable_value'])
    assert.equal(sensor.policy.mask('2026-10-21\n33554432\n').action, 'allow', 'as in the traffic of the service')
    const unreadable = sensor.policy.decideTool({ server: 'files', tool: undefined as unknown as string })
    assert.deepEqual([unreadable.action, unreadable.reasonCode], ['block', 'unreadable_call'])
    const rules = [{ id: 'no-delete', effect: 'deny', tool: 'delete_*', surface: ['codex'], reason: 'Ask Ana.' }]
    const second = await policyApi({ url: service.url, token }).publish({ mcpToolPolicy: { version: 1, rules } })
    await eventually('the policy', () => told.includes(second) || undefined)
    const { action, ruleId, reason, policyRevision } = sensor.policy.decideTool({ server: 'x', tool: 'delete_file' })
    assert.deepEqual([action, ruleId, reason, policyRevision], ['block', 'no-delete', 'Ask Ana.', second])
    const elsewhere = sensor.policy.decideTool({ server: 'x', tool: 'delete_file', surface: 'cursor' })
    assert.deepEqual([elsewhere.action, elsewhere.reasonCode], ['allow', 'default'])
    await eventually('the acknowledgements', async () => {
      const events = (await storedEvents(service)).filter(({ kind }) => kind === 'policy_applied')
      const revisions = events.map(
        ({ sensorMetadata }) => (sensorMetadata as Record<string, unknown>)['policyRevision']
      )
      return (revisions.includes(first) && revisions.includes(second)) || undefined
    })
  })
})

describe('a sensor without its settings', () => {
  it('is not started, and the error names the missing one', async () => {
    const target = 'http://127.0.0.1:1'
    // As in a program in JavaScript whose variables are not set.
    for (const token of ['', undefined as unknown as string]) {
      assert.throws(() => createSensor({ target, token }), { name: 'TypeError', message: /^The token must be / })
    }
    assert.throws(() => createSensor({ target: undefined as unknown as string, token: testToken }), {
      name: 'TypeError',
      message: 'The target must be an http or https URL.'
    })
    assert.throws(() => createSensor({ target, token: testToken, dir: '' }), {
      name: 'TypeError',
      message: 'The option dir must be the path of a folder, or undefined.'
    })
    for (const name of ['spoolBytesMax', 'spoolAgeMaxMs', 'memoryBytesMax'])
      for (const bound of [Number(undefined), -1, '5'])
        assert.throws(() => createSensor({ target, token: testToken, [name]: bound }), {
          name: 'TypeError',
          message: `The option ${name} must be a number of at least 0.`
        })
  })

  it('is not started with a token that no service can have issued, and the error names the rule alone', () => {
    const whole = 'The token must be a whole workspace token: svw_ and 46 letters and digits.'
    const issued = /^The token must be a workspace token as it was issued: its last six characters/
    const swapped = testToken.slice(0, 10) + testToken.slice(11, 12) + testToken.slice(10, 11) + testToken.slice(12)
    for (const [token, message] of [
      [`${testToken}\n`, whole],
      [testToken.slice(0, -1), whole],
      [`Bearer ${testToken}`, whole],
      [swapped, issued]
    ] as const)
      assert.throws(
        () => createSensor({ target: 'http://127.0.0.1:1', token }),
        (error) =>
          error instanceof TypeError &&
          (typeof message === 'string' ? error.message === message : message.test(error.message)) &&
          !error.message.includes(token.slice(8, 20))
      )
  })
})

/** Starts an example of a page as it is printed, with the package in the sources. */
async function startExample(code: string, service: TestService, dir: string) {
  const script = join(dir, 'sensor.mjs')
  await writeFile(script, code.replace("'sluice/sensor'", JSON.stringify(join(root, 'src/sdk/index.ts'))))
  const env = { ...process.env, SLUICE_URL: service.url, SLUICE_TOKEN: service.token, SENSOR_DIR: dir }
  return spawn(process.execPath, [script], { env, stdio: ['pipe', 'pipe', 'inherit'] })
}

/** The examples of a page in JavaScript. */
const examplesIn = async (page: string): Promise<readonly string[]> =>
  [...(await readFile(join(root, page), 'utf8')).matchAll(/```js\n([^]*?)```/g)].map(([, code = '']) => code)

describe('the guides', () => {
  it('contain a sensor that follows the policy', async () => {
    await using service = await startTestService()
    await using folder = await newDir()
    const code = (await examplesIn('docs/policy-stream.md')).find((one) => one.includes('createSensor'))
    const child = await startExample(code ?? '', service, folder.dir)
    try {
      const [line] = await child.stdout.setEncoding('utf8').take(1).toArray()
      assert.match(line, /^enforcing 1-[0-9a-f]{16}, enforce\n$/)
    } finally {
      child.kill()
    }
  })

  it('contain a sensor of 40 lines that runs', async () => {
    await using service = await startTestService()
    await using folder = await newDir()
    const [code = ''] = await examplesIn('docs/write-a-sensor.md')
    assert.ok(code.trim().split('\n').length <= 40)
    const child = await startExample(code, service, folder.dir)
    const mail = createPlanter(5)('email')
    // If its escaped form were masked, this value would include the letter of the preceding escape, which breaks the
    // JSON.
    const hits = builtInDetectors.flatMap((detector) => detector.hits())
    const key = hits.find((hit) => hit.startsWith('my eventbrite private key\n')) ?? assert.fail('no such hit')
    const given = { server: 'files', tool: 'send', arguments: { note: mail.sentence, key } }
    child.stdin.end(`${JSON.stringify(given)}\n`)
    const output = (await child.stdout.setEncoding('utf8').toArray()).join('')
    const { tool, arguments: args, labels } = JSON.parse(output)
    assert.equal(tool, 'send')
    assert.ok(!args.note.includes(mail.needle))
    assert.match(args.key, /^my eventbrite private key\n[A-Z_]+_[A-Z2-7]{10}\n$/)
    const [stored] = await reported(service)
    assert.equal(stored?.kind, 'tool_call_enforcement')
    assert.equal((stored.sensorMetadata as Record<string, unknown>)['requestId'], labels['service.request.id'])
  })
})

describe('kills', () => {
  it('lose and duplicate nothing that was on disk', async () => {
    const args = [join(root, 'scripts/spool-kills.ts'), '--kills', '4']
    const { stdout } = await promisify(execFile)(process.execPath, args)
    assert.match(stdout, /4 kills, [1-9]\d* events on disk, [1-9]\d* stored: nothing lost, nothing twice/)
  })
})

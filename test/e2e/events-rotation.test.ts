/** `sluice token rotate` next to a running service: the new token continues where the old one stopped. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { enforcement, post, receipt } from '../support/events.ts'
import { runSluice, type Ran } from '../support/run-sluice.ts'
import { makeDataDir, startTestService } from '../support/start-service.ts'

const sluice = (dataDir: string, ...args: string[]): Promise<Ran> => runSluice(dataDir, args)

test('a rotated token keeps lineage, label and scopes, and the old one ends at its set time', async () => {
  const dataDir = await makeDataDir()
  try {
    await using service = await startTestService({ dataDir })
    const old = service.token
    const rotate = (id: string, ...more: string[]) => sluice(dataDir, 'token', 'rotate', id, ...more)
    const made = await rotate(old.slice(4, 12), '--overlap', '30m', '--json')
    assert.equal(made.code, 0, made.err)
    assert.match(made.err, /is valid until \d{4}-/)
    const { token, id, lineage, scopes, label } = JSON.parse(made.out) as Record<string, string>
    assert.ok(token && id)
    assert.deepEqual(
      [lineage, scopes, label],
      [old.slice(4, 12), ['ingress:write', 'events:write', 'policy:read'], 'end-to-end test']
    )
    const event = { ...enforcement, eventId: randomUUID() }
    const by = (one: string) => ({ url: service.url, token: one })
    assert.equal(receipt(await post(by(old), event)).accepted, 1)
    assert.equal(receipt(await post(by(token), event)).duplicates, 1)

    const last = await rotate(id, '--overlap', '0', '--json')
    assert.equal(last.code, 0, last.err)
    await eventually('the end of the token that was rotated without overlap', async () =>
      (await post(by(token), event)).status === 401 ? true : undefined
    )
    assert.equal((await post(by(old), event)).status, 202)

    for (const [args, code] of [
      [['nobody00'], 2],
      [[id, '--overlap', 'soon'], 2],
      [[id, '--overlap', '9999d'], 2],
      [[id, '--workspace', 'nowhere'], 2]
    ] as const) {
      const refused = await rotate(args[0], ...args.slice(1))
      assert.equal(refused.code, code, refused.err)
      assert.equal(refused.out, '')
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('without an overlap both tokens are valid for a day, and the help says so', async () => {
  const dataDir = await makeDataDir()
  try {
    const made = await sluice(dataDir, 'token', 'create', '--json')
    const { id } = JSON.parse(made.out) as { id: string }
    const help = await sluice(dataDir, 'token', 'rotate', '--help')
    assert.match(help.out, /--overlap <span>[^-]*default:\s+24h/)
    const before = Date.now()
    const { err } = await sluice(dataDir, 'token', 'rotate', id, '--json')
    const end = Date.parse(/valid until (\S+)/.exec(err)?.[1] ?? '')
    assert.ok(end >= before + 86_400_000 && end <= Date.now() + 86_400_000, err)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { frameOf, startHub } from './hub.fixture.ts'
import { PolicyFile } from './policy-file.ts'
import { serve, watch } from './subscriber.fixture.ts'

const folder = await mkdtemp(join(tmpdir(), 'sluice-policy-file-'))
after(() => rm(folder, { recursive: true }))

const token = 'svw_' + 'a'
const day = 86_400_000
const bytesMax = 100_000
const confirmedAt = Date.UTC(2026, 0, 10)

/** A file with sequence 3, confirmed at the time above. */
async function kept(name: string): Promise<string> {
  const path = join(folder, name, 'policy')
  await new PolicyFile(path, token, bytesMax).write({ frame: frameOf(3), confirmedAt })
  return path
}

describe('the file of the last policy', () => {
  it('returns what was written, is private to its owner, and leaves no draft behind', async () => {
    const path = await kept('good')
    await kept('good')
    const reading = await new PolicyFile(path, token, bytesMax).read()
    assert.deepEqual(reading, { kind: 'kept', text: JSON.stringify(frameOf(3)), confirmedAt })
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.deepEqual(await readdir(join(path, '..')), ['policy'])
    assert.ok(!(await readFile(path, 'utf8')).includes(token))
  })

  it('is rejected if any byte was changed, if it was truncated, or under another token', async () => {
    const path = await kept('forged')
    const bytes = await readFile(path)
    const fault = { kind: 'fault', fault: 'forged' }
    const reads = async (content: Uint8Array) => {
      await writeFile(path, content)
      return await new PolicyFile(path, token, bytesMax).read()
    }
    // Only the final line end and the one after the MAC carry no information.
    for (let at = 0; at < bytes.length - 1; at += 7) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ 1
      assert.deepEqual(await reads(changed), fault, `byte ${at}`)
    }
    for (const length of [0, 1, 64, 65, bytes.length - 2])
      assert.deepEqual(await reads(bytes.subarray(0, length)), fault)
    await writeFile(path, bytes)
    assert.deepEqual(await new PolicyFile(path, token + 'b', bytesMax).read(), fault)
  })

  it('may be absent, too large or not a regular file', async () => {
    const path = await kept('odd')
    assert.deepEqual(await new PolicyFile(`${path}.none`, token, bytesMax).read(), { kind: 'absent' })
    assert.deepEqual(await new PolicyFile(path, token, 10).read(), { kind: 'fault', fault: 'too_large' })
    assert.deepEqual(await new PolicyFile(folder, token, bytesMax).read(), { kind: 'fault', fault: 'unreadable' })
    await assert.rejects(new PolicyFile(join(path, 'below'), token, bytesMax).write({ frame: frameOf(1), confirmedAt }))
  })
})

describe('a sensor that starts while the service is unreachable', () => {
  const away = () => serve((request) => request.socket.destroy())

  it('enforces the last policy that it had', async () => {
    const file = await kept('away')
    await using server = await away()
    const clock = { monotonicMs: () => performance.now(), wallMs: () => confirmedAt + day }
    await using watched = watch(server.url, { file, clock })
    assert.equal((await watched.subscriber.ready()).frame.revision, frameOf(3).revision)
    await watched.untilStatus({ state: 'stale', problem: 'unreachable' })
    assert.deepEqual(watched.reports, [
      { kind: 'policy_applied', policyRevision: frameOf(3).revision, reasonCode: 'file' }
    ])
  })

  it('has none if the file is too old, or seems so by the clock, until the service confirms it', async () => {
    const file = await kept('expired')
    const clock = { monotonicMs: () => performance.now(), wallMs: () => confirmedAt + 8 * day }
    await using running = await startHub(frameOf(3))
    {
      await using server = await away()
      await using watched = watch(server.url, { file, clock })
      await watched.untilStatus({ state: 'expired', revision: frameOf(3).revision })
      assert.equal(watched.subscriber.policy, undefined)
      assert.deepEqual(watched.reports, [{ kind: 'policy_rejected', reasonCode: 'file_expired' }])
    }
    await using watched = watch(running.url, { file, clock })
    await watched.untilStatus({ state: 'fresh', revision: frameOf(3).revision })
    assert.equal(running.requests[0]?.['last-event-id'], frameOf(3).revision)
    assert.equal((await watched.subscriber.ready()).compiled, 'version 1')
    assert.deepEqual(watched.reports, [
      { kind: 'policy_rejected', reasonCode: 'file_expired' },
      { kind: 'policy_applied', policyRevision: frameOf(3).revision, reasonCode: 'stream' }
    ])
  })

  it('enforces it after the clock was set back, without treating it as fresh', async () => {
    const file = await kept('back')
    await using server = await away()
    const clock = { monotonicMs: () => performance.now(), wallMs: () => confirmedAt - 400 * day }
    await using watched = watch(server.url, { file, clock })
    await watched.untilStatus({ state: 'stale', problem: 'unreachable' })
    assert.notEqual(watched.subscriber.policy, undefined)
  })

  it('has none, and says why, if the file is invalid or no longer compiles', async () => {
    const file = await kept('bad')
    await using server = await away()
    await using other = watch(server.url, { file, token: token + 'b' })
    await other.untilStatus({ state: 'unresolved', problem: 'unreachable' })
    assert.deepEqual(other.warnings, ['file_forged'])
    const validate = (): never => {
      throw new Error('unknown version')
    }
    await using newer = watch(server.url, { file, validate })
    await newer.untilStatus({ state: 'unresolved', problem: 'unreachable' })
    assert.deepEqual(newer.warnings, ['file_rejected'])
    assert.deepEqual(
      [...other.reports, ...newer.reports],
      ['file_forged', 'file_rejected'].map((reasonCode) => ({ kind: 'policy_rejected', reasonCode }))
    )
  })
})

describe('a sensor that runs', () => {
  it('saves each policy, and rejects an older one after a restart', async () => {
    const file = join(folder, 'run', 'policy')
    {
      await using running = await startHub(frameOf(5))
      await using watched = watch(running.url, { file })
      await watched.untilSequence(5)
      running.publish(frameOf(6))
      await watched.untilSequence(6)
    }
    await using restored = await startHub(frameOf(5))
    await using watched = watch(restored.url, { file })
    await watched.untilStatus({ state: 'stale', problem: 'rejected', revision: frameOf(6).revision })
    assert.deepEqual(watched.reports.at(-1), {
      kind: 'policy_rejected',
      policyRevision: frameOf(5).revision,
      reasonCode: 'older_revision'
    })
  })

  it('continues if the file cannot be written', async () => {
    await using running = await startHub(frameOf(1))
    const file = join(await kept('blocked'), 'below')
    const watched = watch(running.url, { file })
    await watched.untilStatus({ state: 'fresh' })
    await watched.subscriber.close()
    assert.ok(watched.warnings.includes('file_not_written'))
  })

  it('records in the file that its policy was confirmed again', async () => {
    const file = await kept('again')
    await using running = await startHub(frameOf(3), { timings: { heartbeatMs: 60 } })
    let wallMs = confirmedAt + 6 * day
    const clock = { monotonicMs: () => performance.now(), wallMs: () => wallMs }
    const watched = watch(running.url, { file, clock })
    await watched.untilStatus({ state: 'fresh' })
    wallMs += 1000
    await watched.subscriber.close()
    const reading = await new PolicyFile(file, token, bytesMax).read()
    assert.equal(reading.kind === 'kept' && reading.confirmedAt, confirmedAt + 6 * day + 1000)
  })
})

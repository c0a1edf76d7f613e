import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '../../../test/support/eventually.ts'
import { openSpool, type SpoolOptions } from './spool.ts'
import { account, drain, eventOf, fill, newFolder } from './spool.fixture.ts'

const limits = { eventsMax: 10, bytesMax: 100_000 }
const filesOf = async (dir: string): Promise<string[]> =>
  (await readdir(dir)).filter((name) => name.endsWith('.spool')).toSorted()

describe('a spool', () => {
  it('keeps events across restarts until they are acknowledged, and then nothing of them', async () => {
    await using folder = await newFolder()
    const dir = join(folder.path, 'made', 'on the way')
    const ids = await fill({ dir }, 25)
    const again = openSpool({ dir })
    await again.flush()
    assert.equal(again.stats.onDisk, 25)
    const first = await again.next(limits)
    assert.equal(first?.events.length, 10)
    again.abandon(first)
    assert.deepEqual((await again.next(limits))?.events, first.events, 'the same events come again')
    await again.close()
    const last = openSpool({ dir })
    await last.flush()
    assert.deepEqual([...account(await drain(last)).ids], ids)
    assert.deepEqual(last.stats, {
      onDisk: 0,
      bytesOnDisk: 0,
      inMemory: 0,
      lost: 0,
      lostUntold: 0,
      problem: undefined
    })
    await last.close()
    assert.deepEqual(await readdir(dir), [])
  })

  it('writes a burst together, but blocking events, and what someone waits for, without delay', async () => {
    await using folder = await newFolder()
    const spool = openSpool({ dir: folder.path, commitGapMs: 3_600_000 })
    assert.equal(await spool.append(eventOf('allow')), 'disk', 'the first waits for nothing')
    const [one, two] = [spool.append(eventOf('allow')), spool.append(eventOf('mask'))]
    assert.deepEqual([spool.stats.onDisk, spool.stats.inMemory], [1, 2])
    assert.equal(await spool.append(eventOf('block')), 'disk')
    assert.deepEqual(await Promise.all([one, two]), ['disk', 'disk'])
    const last = spool.append(eventOf('allow'))
    await spool.close()
    assert.equal(await last, 'disk')
  })

  it('sends the highest rank first, and within a rank the oldest', async () => {
    await using folder = await newFolder()
    const spool = openSpool({ dir: folder.path })
    for (const [place, action] of (['allow', 'mask', undefined, 'block', 'mask', 'block'] as const).entries()) {
      await spool.append(eventOf(action, String(place)))
    }
    assert.deepEqual(
      (await drain(spool)).map(({ ruleId }) => ruleId),
      ['3', '5', '1', '4', '0', '2']
    )
    await spool.close()
  })

  it('writes files that only its user can read', async () => {
    await using folder = await newFolder()
    await fill({ dir: folder.path }, 1)
    const { stdout } = await promisify(execFile)('ls', ['-l', folder.path])
    assert.match(stdout, /-rw-------[^\n]*mask-/)
  })

  it('counts events that arrive after it was closed', async () => {
    const spool = openSpool({})
    await spool.close()
    assert.equal(await spool.append(eventOf('block')), 'dropped')
    assert.equal(spool.stats.lost, 1)
  })
})

describe('a limit on the bytes', () => {
  const options = (dir: string): SpoolOptions => ({ dir, bytesMax: 40_000 })

  it('evicts allow before mask before block, and reports how many', async () => {
    await using folder = await newFolder()
    const spool = openSpool(options(folder.path))
    for (const action of ['block', 'mask', 'allow', 'mask', 'block'] as const) {
      for (let i = 0; i < 40; i++) await spool.append(eventOf(action))
    }
    assert.ok(spool.stats.bytesOnDisk < 41_000, String(spool.stats.bytesOnDisk))
    const { lost } = spool.stats
    const sent = await drain(spool)
    const left = Object.groupBy(sent, ({ kind, action = '' }) => (kind === 'events_dropped' ? 'told' : action))
    assert.equal(left['block']?.length, 80)
    assert.ok((left['mask']?.length ?? 0) > 0 && (left['mask']?.length ?? 0) < 80)
    assert.equal(left['allow'], undefined)
    assert.ok(lost > 0)
    assert.equal(account(sent).dropped, lost)
    assert.equal(account(sent).ids.size + lost, 200)
    await spool.close()
  })

  it('drops a new event that ranks below everything stored', async () => {
    await using folder = await newFolder()
    const spool = openSpool(options(folder.path))
    const event = eventOf('block')
    await spool.append(event)
    const { bytesOnDisk } = spool.stats
    while (spool.stats.bytesOnDisk + bytesOnDisk <= 40_000) await spool.append(eventOf('block'))
    assert.equal(spool.stats.lost, 0)
    assert.equal(await spool.append(eventOf('allow')), 'dropped')
    assert.equal(spool.stats.lost, 1)
    assert.equal(account(await drain(spool)).dropped, 1)
    await spool.close()
  })

  it('carries the count forward when an event that reports losses is itself evicted', async () => {
    await using folder = await newFolder()
    const spool = openSpool(options(folder.path))
    for (let i = 0; i < 1000; i++) await spool.append(eventOf('block', String(i)))
    const { lost } = spool.stats
    const sent = await drain(spool)
    const { ids, dropped } = account(sent)
    assert.deepEqual([ids.size + lost, dropped], [1000, lost])
    assert.equal(sent.at(-1)?.ruleId, '999', 'the oldest went')
    await spool.close()
  })

  it('loses nothing later under a name whose events were evicted', async () => {
    await using folder = await newFolder()
    const { path } = folder
    const spool = openSpool({ dir: path, bytesMax: 4000 })
    await spool.append(eventOf('block'))
    await spool.append(eventOf('mask'))
    while (spool.stats.lost === 0) await spool.append(eventOf('block'))
    await spool.close()
    // It gives its events the next free name.
    const [kept] = await fill({ dir: path }, 1)
    const again = openSpool({ dir: path })
    await again.flush()
    assert.ok(account(await drain(again)).ids.has(kept ?? assert.fail()))
    await again.close()
  })

  it('counts what waits beside a report of losses that was sent', async () => {
    await using folder = await newFolder()
    const spool = openSpool(options(folder.path))
    for (let i = 0; i < 20; i++) await spool.append(eventOf('mask'))
    while (spool.stats.lost === 0) await spool.append(eventOf('block'))
    for (;;) {
      const { onDisk } = spool.stats
      const batch = (await spool.next({ ...limits, eventsMax: 1 })) ?? assert.fail()
      await spool.acknowledge(batch)
      const isReport = batch.events[0]?.includes('events_dropped') === true
      assert.equal(spool.stats.onDisk, isReport ? onDisk : onDisk - 1)
      if (isReport) break
    }
    await spool.close()
  })

  it('never removes what is being sent', async () => {
    await using folder = await newFolder()
    const spool = openSpool(options(folder.path))
    for (let i = 0; i < 20; i++) await spool.append(eventOf('allow'))
    const batch = await spool.next(limits)
    for (let i = 0; i < 200; i++) await spool.append(eventOf('block'))
    const { lost } = spool.stats
    await spool.acknowledge(batch ?? assert.fail())
    const { ids } = account(await drain(spool))
    assert.equal(10 + ids.size + lost, 220)
    await spool.close()
  })
})

describe('a limit on the age', () => {
  it('drops what is too old, and reports how many', async () => {
    await using folder = await newFolder()
    let now = Date.now()
    const spool = openSpool({ dir: folder.path, ageMaxMs: 1000, wallMs: () => now })
    for (let i = 0; i < 3; i++) await spool.append(eventOf('block'))
    now += 1001
    const sent = await drain(spool)
    assert.deepEqual([account(sent).ids.size, account(sent).dropped, spool.stats.lost], [0, 3, 3])
    await spool.close()
  })

  it('drops what is too old though newer events follow it steadily', async () => {
    await using folder = await newFolder()
    const [start, minuteMs] = [Date.now(), 60_000]
    let now = start
    const spool = openSpool({ dir: folder.path, ageMaxMs: 120 * minuteMs, wallMs: () => now })
    for (; now < start + 600 * minuteMs; now += 10 * minuteMs) await spool.append(eventOf('mask'))
    const { ids, dropped } = account(await drain(spool))
    // A file holds the events of an hour, and is as old as the newest of them.
    assert.ok(ids.size >= 12 && ids.size <= 18, `${ids.size} of 60 are left`)
    assert.equal(ids.size + dropped, 60)
    await spool.close()
  })

  it('does not count what is being sent as lost', async () => {
    await using folder = await newFolder()
    let now = Date.now()
    const spool = openSpool({ dir: folder.path, ageMaxMs: 1000, wallMs: () => now })
    for (let i = 0; i < 3; i++) await spool.append(eventOf('block'))
    const batch = (await spool.next(limits)) ?? assert.fail()
    now += 1001
    await spool.append(eventOf('mask'))
    await spool.acknowledge(batch)
    const { ids, dropped } = account(await drain(spool))
    assert.deepEqual([ids.size, dropped, spool.stats.lost], [1, 0, 0])
    await spool.close()
  })
})

describe('damaged files', () => {
  it('lose a torn last record and nothing else', async () => {
    await using folder = await newFolder()
    const ids = await fill({ dir: folder.path }, 5)
    const [file = ''] = await filesOf(folder.path)
    const path = join(folder.path, file)
    const bytes = await readFile(path)
    const end = bytes.length
    const third = bytes.indexOf('\n', bytes.indexOf('\n', bytes.indexOf('\n') + 1) + 1) + 1
    for (let length = end; length > third; length -= 7) {
      await writeFile(path, bytes)
      await truncate(path, length)
      const spool = openSpool({ dir: folder.path })
      await spool.flush()
      const batch = (await spool.next(limits)) ?? assert.fail()
      const whole = bytes.subarray(0, length).toString().split('\n').length - 1
      assert.deepEqual(
        batch.events.map((json) => (JSON.parse(json) as { eventId: string }).eventId),
        ids.slice(0, whole)
      )
      assert.equal(spool.stats.lost, 0)
      await spool.close()
    }
  })

  it('are read up to the zeros that a power failure left', async () => {
    await using folder = await newFolder()
    const ids = await fill({ dir: folder.path }, 3)
    const [file = ''] = await filesOf(folder.path)
    await appendFile(join(folder.path, file), Buffer.alloc(5000))
    const spool = openSpool({ dir: folder.path })
    await spool.flush()
    assert.deepEqual([...account(await drain(spool)).ids], ids)
    await spool.close()
  })

  it('lose a damaged record, which is reported once however often they are opened', async () => {
    await using folder = await newFolder()
    const ids = await fill({ dir: folder.path }, 4)
    const [file = ''] = await filesOf(folder.path)
    const path = join(folder.path, file)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(ids[1] as string, (ids[1] as string).replace(/^./, 'z')))
    const told = new Set<string>()
    for (let opened = 0; opened < 3; opened++) {
      const spool = openSpool({ dir: folder.path })
      await spool.flush()
      assert.equal(spool.stats.lost, 1)
      const batch = (await spool.next({ eventsMax: 1, bytesMax: 1 })) ?? assert.fail()
      const event = JSON.parse(batch.events[0] as string) as { eventId: string; dropped: number }
      assert.equal(event.dropped, 1)
      told.add(event.eventId)
      if (opened === 2) {
        spool.abandon(batch)
        const { ids: left } = account(await drain(spool))
        assert.deepEqual(left, new Set(ids.toSpliced(1, 1)))
      }
      await spool.close()
    }
    assert.equal(told.size, 1)
  })

  it('are dropped and counted if they are truncated under an open spool', async () => {
    await using folder = await newFolder()
    const spool = openSpool({ dir: folder.path })
    for (let i = 0; i < 3; i++) await spool.append(eventOf('block'))
    const [file = ''] = await filesOf(folder.path)
    await truncate(join(folder.path, file), 0)
    assert.equal(account(await drain(spool)).dropped, 3)
    await spool.close()
  })
})

describe('a folder that another process owns', () => {
  it('is left to it, and taken over when it is free', async () => {
    await using folder = await newFolder()
    const [first, problems] = [openSpool({ dir: folder.path }), [] as unknown[]]
    await first.append(eventOf('block'))
    const second = openSpool({
      dir: folder.path,
      diskRetryMs: 10,
      onDiskProblem: (problem) => problems.push(problem)
    })
    assert.equal(await second.append(eventOf('block')), 'memory')
    assert.deepEqual(problems, ['in_use'])
    assert.equal(account(await drain(second)).ids.size, 1, 'from memory')
    await second.append(eventOf('mask'))
    await first.close()
    await eventually('the folder', () => second.stats.problem === undefined || undefined)
    assert.deepEqual([second.stats.onDisk, second.stats.inMemory], [2, 0])
    await second.close()
  })

  it('goes to one of many that try at once', async () => {
    await using folder = await newFolder()
    await writeFile(join(folder.path, 'owner-7.sock'), '')
    const spools = Array.from({ length: 8 }, () => openSpool({ dir: folder.path, diskRetryMs: 60_000 }))
    const kept = await Promise.all(spools.map((spool) => spool.append(eventOf('block'))))
    assert.ok(kept.filter((where) => where === 'disk').length <= 1, kept.join(' '))
    for (const spool of spools) await spool.close()
  })
})

describe('events that the service rejects', () => {
  it('are reported as lost before they are forgotten', async () => {
    await using folder = await newFolder()
    const spool = openSpool({ dir: folder.path })
    for (let i = 0; i < 3; i++) await spool.append(eventOf('block'))
    await spool.acknowledge((await spool.next(limits)) ?? assert.fail(), [0, 2])
    const sent = await drain(spool)
    assert.deepEqual([account(sent).ids.size, account(sent).dropped, spool.stats.lost], [0, 2, 2])
    await spool.close()
  })

  it('do not cause one report after another if the report itself is rejected', async () => {
    const spool = openSpool({ memoryBytesMax: 3000 })
    for (let i = 0; i < 10; i++) await spool.append(eventOf('block'))
    for (let rounds = 0; ; rounds++) {
      assert.ok(rounds < 5)
      const batch = await spool.next(limits)
      if (batch === undefined) break
      await spool.acknowledge(
        batch,
        batch.events.flatMap((json, place) => (json.includes('events_dropped') ? [place] : []))
      )
    }
    await spool.close()
  })
})

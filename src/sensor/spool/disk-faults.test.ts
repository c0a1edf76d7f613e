import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '../../../test/support/eventually.ts'
import { openSpool } from './spool.ts'
import { account, drain, eventOf, fill, newFolder } from './spool.fixture.ts'

const limits = { eventsMax: 10, bytesMax: 100_000 }

describe('a folder that is removed under an open spool', () => {
  it('is reported as gone and created again, and what was written stays with the spool', async () => {
    await using folder = await newFolder()
    const [dir, problems] = [join(folder.path, 'spool'), [] as unknown[]]
    const spool = openSpool({ dir, diskRetryMs: 20, onDiskProblem: (problem) => problems.push(problem) })
    for (let i = 0; i < 5; i++) assert.equal(await spool.append(eventOf('mask')), 'disk')
    const batch = (await spool.next({ ...limits, eventsMax: 2 })) ?? assert.fail()
    await rm(dir, { recursive: true })
    assert.equal(await spool.append(eventOf('block')), 'memory')
    await spool.acknowledge(batch)
    await eventually('the folder', () => spool.stats.problem === undefined || undefined)
    assert.deepEqual(problems, ['gone', undefined])
    assert.equal(await spool.append(eventOf('allow')), 'disk')
    assert.deepEqual([spool.stats.onDisk, spool.stats.inMemory, spool.stats.lost], [5, 0, 0])
    await spool.close()
    const again = openSpool({ dir })
    await again.flush()
    assert.equal(account(await drain(again)).ids.size, 5, 'the next process finds them')
    await again.close()
  })

  it('brings back nothing of a batch whose events the service has or rejected', async () => {
    await using folder = await newFolder()
    const dir = join(folder.path, 'spool')
    const spool = openSpool({ dir, diskRetryMs: 60_000 })
    for (let i = 0; i < 3; i++) await spool.append(eventOf('mask'))
    const batch = (await spool.next({ ...limits, eventsMax: 2 })) ?? assert.fail()
    await rm(dir, { recursive: true })
    await spool.acknowledge(batch, [1])
    assert.deepEqual([spool.stats.problem, spool.stats.lost], ['gone', 1])
    const sent = account(await drain(spool))
    assert.deepEqual([sent.ids.size, sent.dropped], [1, 1])
    await spool.close()
  })

  it('takes with it what an earlier process wrote, which is counted and reported', async () => {
    await using folder = await newFolder()
    const dir = join(folder.path, 'spool')
    await fill({ dir }, 3)
    const spool = openSpool({ dir, diskRetryMs: 60_000 })
    await spool.flush()
    await rename(dir, join(folder.path, 'elsewhere'))
    assert.equal(await spool.append(eventOf('block')), 'memory')
    const sent = account(await drain(spool))
    assert.deepEqual([sent.ids.size, sent.dropped, spool.stats.lost, spool.stats.problem], [1, 3, 3, 'gone'])
    await spool.close()
  })
})

describe('a file that is removed under an open spool', () => {
  it('costs its own events, which are counted and reported, and none of those behind it', async () => {
    await using folder = await newFolder()
    await fill({ dir: folder.path }, 3)
    const [file = assert.fail()] = await filesIn(folder.path)
    const spool = openSpool({ dir: folder.path, diskRetryMs: 60_000 })
    await spool.flush()
    await rm(join(folder.path, file))
    for (let i = 0; i < 2; i++) assert.equal(await spool.append(eventOf('mask')), 'disk')
    const sent = account(await drain(spool))
    assert.deepEqual([sent.ids.size, sent.dropped, spool.stats.lost, spool.stats.problem], [2, 3, 3, undefined])
    await spool.close()
  })
})

const filesIn = async (dir: string): Promise<string[]> => (await readdir(dir)).filter((name) => name.endsWith('.spool'))

describe('a failing disk', () => {
  it('leaves events in memory, limited and counted', async () => {
    await using folder = await newFolder()
    const dir = join(folder.path, 'file')
    await writeFile(dir, '')
    const spool = openSpool({ dir, memoryBytesMax: 20_000, diskRetryMs: 20 })
    assert.equal(await spool.append(eventOf('block')), 'memory')
    assert.equal(spool.stats.problem, 'failed')
    for (let i = 0; i < 100; i++) await spool.append(eventOf('allow'))
    for (let i = 0; i < 10; i++) assert.equal(await spool.append(eventOf('mask')), 'memory')
    assert.ok(spool.stats.inMemory < 40 && spool.stats.lost > 0)
    assert.equal(spool.stats.inMemory + spool.stats.lost, 111)
    await rm(dir)
    await eventually('the disk', () => (spool.stats.problem === undefined && spool.stats.inMemory === 0) || undefined)
    const { lost } = spool.stats
    const sent = await drain(spool)
    assert.deepEqual([account(sent).dropped, account(sent).ids.size + lost], [lost, 111])
    assert.equal(sent.filter(({ action }) => action === 'mask').length, 10)
    await spool.close()
  })

  it('that is full keeps what it has, and the rest is in memory', async () => {
    await using folder = await newFolder()
    const script = `
      import { readdirSync } from 'node:fs'
      import { openSpool } from ${JSON.stringify(join(import.meta.dirname, 'spool.ts'))}
      import { account, drain, eventOf } from ${JSON.stringify(join(import.meta.dirname, 'spool.fixture.ts'))}
      const spool = openSpool({ dir: ${JSON.stringify(folder.path)}, diskRetryMs: 60_000 })
      const where = { disk: 0, memory: 0, dropped: 0 }
      for (let i = 0; i < 100; i++) where[await spool.append(eventOf('block'))]++
      const { problem, lost } = spool.stats
      for (let i = 0; i < 20; i++) await spool.flush()
      const files = readdirSync(${JSON.stringify(folder.path)}).length
      console.log(JSON.stringify({ where, problem, lost, files, sent: account(await drain(spool)).ids.size }))
      await spool.close()`
    // No file of the process may exceed 8 KiB: to the process, the disk is full.
    const limited = `trap '' XFSZ; ulimit -f 16; exec "$0" --input-type=module -e "$1"`
    const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script])
    const { where, problem, lost, files, sent } = JSON.parse(stdout)
    assert.ok(where.disk > 0 && where.memory > 0, stdout)
    assert.deepEqual([where.dropped, lost, problem, sent], [0, 0, 'full', 100])
    assert.ok(files < 10, `${files} files after 20 more attempts`)
  })

  it('is not used if there is no folder', async () => {
    const spool = openSpool({ memoryBytesMax: 20_000 })
    for (let i = 0; i < 100; i++) await spool.append(eventOf('allow'))
    const { ids, dropped } = account(await drain(spool))
    const { lost } = spool.stats
    assert.deepEqual([ids.size + lost, dropped], [100, lost])
    await spool.append(eventOf('allow'))
    await spool.close()
    assert.equal(spool.stats.lost, lost + 1, 'what is left in memory is lost, and said to be')
  })

  it('carries the count forward in memory as well, when what reports losses has no room left', async () => {
    const spool = openSpool({ memoryBytesMax: 3000 })
    for (let i = 0; i < 10; i++) await spool.append(eventOf('block'))
    const { lost } = spool.stats
    const batch = (await spool.next({ ...limits, eventsMax: 100 })) ?? assert.fail()
    assert.ok(batch.events.some((json) => json.includes('events_dropped')))
    spool.abandon(batch)
    for (let i = 0; i < 10; i++) await spool.append(eventOf('block'))
    assert.deepEqual([spool.stats.lostUntold, spool.stats.lost > lost], [spool.stats.lost, true])
    const sent = account(await drain(spool))
    assert.deepEqual([sent.dropped, sent.ids.size + sent.dropped], [spool.stats.lost, 20])
    await spool.close()
  })

  it('sends an event by itself that is larger than a request is meant to be', async () => {
    const spool = openSpool({})
    for (let i = 0; i < 2; i++) await spool.append(eventOf('allow'))
    assert.equal((await spool.next({ eventsMax: 10, bytesMax: 10 }))?.events.length, 1)
    await spool.close()
  })

  it('loses with its process what was being sent from memory, which is counted', async () => {
    const spool = openSpool({})
    for (let i = 0; i < 3; i++) await spool.append(eventOf('allow'))
    assert.equal((await spool.next({ ...limits, eventsMax: 2 }))?.events.length, 2)
    await spool.close()
    assert.deepEqual([spool.stats.lost, spool.stats.inMemory], [3, 0])
  })
})

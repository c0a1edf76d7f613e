import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { auditOf, eventOf, rejectsWith } from './contract/samples.contract.ts'
import { GroupCommit, type BatchAnswer } from './group-commit.ts'
import type { AppendBatch } from './store.ts'

const batchOf = (rows: number): AppendBatch => ({ events: [], audit: Array.from({ length: rows }, () => auditOf({})) })

/** A group commit over an engine whose commits end when told to. */
function startEngine() {
  /** Rows of each batch, by commit. */
  const commits: number[][] = []
  const ends: PromiseWithResolvers<void>[] = []
  const answers: BatchAnswer[] = []
  const commit = new GroupCommit(async (batches) => {
    const end = Promise.withResolvers<void>()
    ends.push(end)
    const taken = batches().map(({ events, audit }) => events.event_id.length + audit.at.length)
    commits.push(taken)
    await end.promise
    return answers.length > 0 ? answers.splice(0) : taken.map(() => ({ stored: [] }))
  })
  /** Ends the commit in progress, and lets the next one begin. */
  const end = async (error?: Error): Promise<void> => {
    const { resolve, reject } = ends.shift() ?? assert.fail('no commit is in progress')
    if (error) reject(error)
    else resolve()
    await new Promise(setImmediate)
  }
  return { commit, commits, answers, end, append: (rows: number) => commit.append(batchOf(rows)) }
}

describe('a group commit', () => {
  it('takes what arrived during the one before, in order, up to its size', async () => {
    const { commits, append, end } = startEngine()
    const all = [append(1), append(2000), append(2999), append(2), append(4998), append(1)]
    for (let done = 0; done < 4; done++) await end()
    await Promise.all(all)
    assert.deepEqual(commits, [[1], [2000, 2999], [2, 4998], [1]])
  })

  it('takes a batch that is larger than a commit by itself', async () => {
    const { commit, commits, append, end } = startEngine()
    const large = { ...batchOf(5000), events: [eventOf()] }
    const all = [append(1), append(1), commit.append(large), append(1)]
    for (let done = 0; done < 4; done++) await end()
    await Promise.all(all)
    assert.deepEqual(commits, [[1], [1], [5001], [1]])
  })

  it('refuses what exceeds the limit of those that wait, and takes more once they are fewer', async () => {
    const { append, end } = startEngine()
    const all = Array.from({ length: 11 }, () => append(5000))
    const refused = rejectsWith(append(1), 'overloaded')
    await end()
    all.push(append(5000))
    for (let done = 0; done < 11; done++) await end()
    await Promise.all([...all, refused])
  })

  it('that fails costs those in it, and no others', async () => {
    const { append, answers, end } = startEngine()
    const [first, second, third] = [append(1), append(1), append(2)]
    const failed = [assert.rejects(first, /the disk is full/), rejectsWith(second, 'invalid')]
    await end(new Error('the disk is full'))
    answers.push({ fault: { code: 'invalid', message: 'One is faulty.' } }, { stored: [] })
    await end()
    await Promise.all(failed)
    assert.deepEqual(await third, [])
  })

  it('that fails before it begins costs those that wait for it', async () => {
    const commit = new GroupCommit(() => Promise.reject(new Error('the database is locked')))
    await assert.rejects(commit.append(batchOf(1)), /the database is locked/)
  })
})

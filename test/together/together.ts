/** Runs test files in this process, one after the other, each as a suite of its own. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { eventually } from '../support/eventually.ts'
import { failAtEarlyEnd } from './early-end.ts'
import { filesOf, type Group } from './groups.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Hooks at the top level of a file apply only to that file. A file fails if it leaves something in the process that
 * could affect the next one: a variable, a clock, a listener, or whatever keeps the process from ending.
 */
export function together(group: Group): void {
  failAtEarlyEnd()
  const files = filesOf(group)
  assert.ok(files.length > 0, `no file is in ${group}`)
  for (const file of files) {
    describe(file, async () => {
      let found: Traces
      before(() => {
        found = look()
      })
      await import(pathToFileURL(join(root, file)).href)
      after(async () => {
        const left = look()
        assert.deepEqual(changes(found.settings, left.settings), [], 'it leaves the process as it found it')
        const open = () => added(found.open, process.getActiveResourcesInfo())
        await eventually('an end', () => open().length === 0 || undefined).catch(() => {
          assert.deepEqual(open(), [], 'it leaves nothing that keeps the process from ending')
        })
      })
    })
  }
}

interface Traces {
  /** Process-wide state, by name. */
  readonly settings: ReadonlyMap<string, unknown>
  /** Resources that keep the process from ending. */
  readonly open: readonly string[]
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'message', 'disconnect', 'unhandledRejection'] as const
const globals = ['Date', 'setTimeout', 'setInterval', 'setImmediate', 'fetch'] as const

function look(): Traces {
  const settings = new Map<string, unknown>([
    ['folder', process.cwd()],
    ['exit code', process.exitCode],
    ...signals.map((name) => [`listeners to ${name}`, process.listenerCount(name as 'SIGINT')] as const),
    ...globals.map((name) => [name, globalThis[name]] as const),
    ...Object.entries(process.env)
  ])
  return { settings, open: process.getActiveResourcesInfo() }
}

/** @returns the names of what has changed; never a value, which may be one from the environment */
function changes(then: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...then.keys(), ...now.keys()])].filter((name) => then.get(name) !== now.get(name))
}

/** @returns what occurs more often than before */
function added(then: readonly string[], now: readonly string[]): string[] {
  const rest = [...then]
  return now.filter((name) => {
    const place = rest.indexOf(name)
    if (place >= 0) rest.splice(place, 1)
    return place < 0
  })
}

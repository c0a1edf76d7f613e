/**
 * `node bench/top-costs.ts FILE.cpuprofile`: the functions in which a profiled process spent its time, by self time.
 * Profiles come from `node --cpu-prof` and from `bench/ingress.ts --cpu-prof DIR`.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'

/** The parts of V8's profile format that are needed. `timeDeltas` are microseconds. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export interface Cost {
  /** For example `scan (src/detection/scanner.ts:40)`. */
  readonly place: string
  readonly ms: number
  /** Share of the time in which the process was not idle, 0 to 1. */
  readonly share: number
}

/** The part of a URL by which a reader knows the file. */
function shortName(url: string): string {
  return url.replace(/^.*\/node_modules\//, '').replace(/^file:.*\/(?=(src|bench)\/)/, '')
}

/** Self time by function, largest first. */
export function topCosts(profile: CpuProfile): Cost[] {
  const places = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const name = functionName || '(anonymous)'
      return [id, url === '' ? name : `${name} (${shortName(url)}:${lineNumber + 1})`]
    })
  )
  const microseconds = new Map<string, number>()
  profile.samples.forEach((id, i) => {
    const place = places.get(id) ?? '(unknown)'
    if (place !== '(idle)') microseconds.set(place, (microseconds.get(place) ?? 0) + (profile.timeDeltas[i] ?? 0))
  })
  const busy = [...microseconds.values()].reduce((sum, each) => sum + each, 0)
  return [...microseconds]
    .map(([place, each]) => ({ place, ms: each / 1000, share: each / busy }))
    .toSorted((a, b) => b.ms - a.ms)
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [file] = positionals
  if (file === undefined) throw new Error('Usage: node bench/top-costs.ts FILE.cpuprofile')
  const costs = topCosts(JSON.parse(await readFile(file, 'utf8')) as CpuProfile)
  for (const { place, ms, share } of costs.slice(0, 30))
    console.log(`${(share * 100).toFixed(1).padStart(5)} %  ${ms.toFixed(0).padStart(7)} ms  ${place}`)
}

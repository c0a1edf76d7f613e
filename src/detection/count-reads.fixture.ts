/** Counts work instead of time: how many units of text are read, in any string. */

let reads = 0

const { prototype } = String
const { charCodeAt, codePointAt, charAt } = prototype

/**
 * Ways to read one unit, which are nearly all calls. They stand for themselves and not in the table below: passing
 * arguments on in general takes several times as long.
 */
const single = {
  charCodeAt(this: string, at: number): number {
    reads++
    return charCodeAt.call(this, at)
  },
  codePointAt(this: string, at: number): number | undefined {
    reads++
    return codePointAt.call(this, at)
  },
  charAt(this: string, at: number): string {
    reads++
    return charAt.call(this, at)
  }
}

/** The other ways to read a string, with the number of units that one call reads. */
const costs: Readonly<Record<string, (text: string, args: readonly unknown[], result: unknown) => number>> = {
  at: () => 1,
  startsWith: (_text, [search]) => (search as string).length,
  endsWith: (_text, [search]) => (search as string).length,
  slice: (_text, _args, result) => (result as string).length,
  substring: (_text, _args, result) => (result as string).length,
  indexOf: (text, [, from = 0], result) => distance(text, from as number, result as number),
  includes: (text, [, from = 0]) => text.length - (from as number),
  lastIndexOf: (text, [, from = text.length], result) => Math.abs((from as number) - Math.max(0, result as number)),
  toLowerCase: (text) => text.length,
  toUpperCase: (text) => text.length,
  normalize: (text) => text.length,
  trim: (text) => text.length,
  split: (text) => text.length,
  replace: (text) => text.length,
  replaceAll: (text) => text.length,
  match: (text) => text.length,
  matchAll: (text) => text.length,
  search: (text) => text.length
}

function distance(text: string, from: number, found: number): number {
  return found < 0 ? Math.max(0, text.length - from) : found - from + 1
}

const counting: Readonly<Record<string, unknown>> = {
  ...single,
  ...Object.fromEntries(
    Object.entries(costs).map(([name, cost]) => {
      const original = (prototype as unknown as Record<string, (...args: unknown[]) => unknown>)[name]!
      return [
        name,
        function (this: string, ...args: unknown[]) {
          const result = original.apply(this, args)
          reads += cost(this, args, result)
          return result
        }
      ]
    })
  )
}

const originals = Object.keys(counting).map(
  (name) => [name, Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor] as const
)

/** Runs `work`, which must be synchronous, and counts the units of text that it reads. */
export function countReads(work: () => void): number {
  const before = reads
  for (const [name, property] of originals)
    Object.defineProperty(prototype, name, { ...property, value: counting[name] })
  try {
    work()
  } finally {
    for (const [name, property] of originals) Object.defineProperty(prototype, name, property)
  }
  return reads - before
}

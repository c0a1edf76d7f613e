/** Counts work instead of time: how many units of text are read, in any string. */

/** Ways to read a string, with the number of units that one call reads. */
const costs: Readonly<Record<string, (text: string, args: readonly unknown[], result: unknown) => number>> = {
  charCodeAt: () => 1,
  codePointAt: () => 1,
  charAt: () => 1,
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

const { prototype } = String

/** Runs `work`, which must be synchronous, and counts the units of text that it reads. */
export function countReads(work: () => void): number {
  let reads = 0
  const originals = Object.keys(costs).map((name) => ({
    name,
    property: Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor
  }))
  for (const { name, property } of originals) {
    const original = property.value as (...args: unknown[]) => unknown
    const cost = costs[name] as (typeof costs)[string]
    Object.defineProperty(prototype, name, {
      ...property,
      value(this: string, ...args: unknown[]) {
        const result = original.apply(this, args)
        reads += cost(this, args, result)
        return result
      }
    })
  }
  try {
    work()
  } finally {
    for (const { name, property } of originals) Object.defineProperty(prototype, name, property)
  }
  return reads
}

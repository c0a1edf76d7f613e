/**
 * Names of tools that a person, or a server that normalises names, takes for the same. A rule that forbids
 * `delete_file` also means `Delete_File`, a name with a Cyrillic letter or a zero-width character in it, and the names
 * under which servers that join others list it, such as `files__delete_file`; a rule that allows it means exactly this
 * name.
 */
import { compileToolPolicy, stricter, type ToolCall, type ToolDecision, type ToolOutlook } from './decide.ts'
import { decoded } from './path-within.ts'
import type { ToolPolicy } from './policy.ts'

/** Letters of other scripts that look like Latin ones (Unicode TR 39; lower-case Cyrillic, Greek and Armenian). */
const twins = new Map(
  Object.entries({
    a: 'аα',
    b: 'ь',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еҽ',
    g: 'ɡց',
    h: 'һհ',
    i: 'іιı',
    j: 'јϳ',
    k: 'кκ',
    l: 'ӏ',
    m: 'м',
    n: 'ոп',
    o: 'оοօ',
    p: 'рρ',
    q: 'ԛգ',
    r: 'г',
    s: 'ѕ',
    t: 'тτ',
    u: 'υսц',
    v: 'νѵ',
    w: 'ԝѡ',
    x: 'хχ',
    y: 'уγү',
    z: 'ᴢ',
    '-': '‐‑‒–—−',
    '/': '∕⁄',
    _: 'ˍ'
  }).flatMap(([latin, others]) => [...others].map((other): [string, string] => [other, latin]))
)

/** Nobody encodes deeper than this by accident. */
const decodingsMax = 4
/** The MCP proxy accepts no longer names; beyond this they are judged as written. */
export const foldedUnitsMax = 1024

/** Names that are folded already, which most are. */
const isPlain = /^[a-z0-9_.-]*$/

/**
 * What separates a name from those of its servers: a path, a URI, the dots that MCP recommends for names in names
 * (SEP-986: `admin.tools.list`), and what gateways and agents write (`mcp__files__delete_file`).
 */
const pathSeparators = /[/\\:]/
const nameSeparators = /[/\\:.]|_{2,}/

/** The name without case, compatibility forms, accents, invisible characters and letters of other scripts. */
export function foldedName(name: string): string {
  if (isPlain.test(name) || name.length > foldedUnitsMax) return name
  const letters = name
    .normalize('NFKD')
    .replaceAll(/[\p{Cf}\p{Cc}\p{M}\s]/gu, '')
    .toLowerCase()
  let folded = ''
  for (const letter of letters) folded += twins.get(letter) ?? letter
  return folded
}

/** Everything else that a name may be taken for: percent-decoded, folded, and without the names of its servers. */
export function readingsOf(name: string): string[] {
  if ((isPlain.test(name) && !nameSeparators.test(name)) || name.length > foldedUnitsMax) return []
  const readings = new Set<string>()
  let text = name
  for (let i = 0; i <= decodingsMax; i++) {
    // Some programs end a text at a NUL, others leave it out.
    for (const one of new Set([text, text.split('\0', 1)[0] as string])) {
      const folded = foldedName(one)
      readings.add(folded)
      // A name may contain a dot itself: `files/read.text` is `read.text` as well.
      for (const separators of [pathSeparators, nameSeparators]) {
        const last = folded.split(separators).findLast((step) => step !== '')
        if (last !== undefined) readings.add(last)
      }
    }
    const next = decoded(text)
    if (next === text) break
    text = next
  }
  readings.delete(name)
  return [...readings]
}

/**
 * Judges the look-alikes of a name by the rules that deny or ask: the strictest decision, or `allow` if none applies.
 */
export interface LookAlikes {
  decide(call: ToolCall): ToolDecision
  /** The same for any arguments. */
  outlook(call: ToolCall): ToolOutlook
}

const nothing: ToolDecision = Object.freeze({ effect: 'allow' })

/** @throws PatternError for what a lint refuses */
export function compileLookAlikes(policy: ToolPolicy): LookAlikes {
  const strict = policy.rules.filter(({ effect }) => effect !== 'allow')
  if (strict.length === 0) return { decide: () => nothing, outlook: () => ({ mildest: nothing, strictest: nothing }) }
  const globsOf = (tool: string | string[]): string[] => [tool].flat()
  const isFolded = strict.every(({ tool }) => globsOf(tool).every((glob) => folded(glob) === glob))
  const compiled = compileToolPolicy({
    ...policy,
    defaultEffect: 'allow',
    unknownServer: 'judge',
    rules: strict.map((rule) => ({ ...rule, tool: globsOf(rule.tool).map(folded) }))
  })
  function namesFor(tool: string): string[] {
    const readings = readingsOf(tool)
    return isFolded ? readings : [...readings, foldedName(tool)]
  }
  return {
    decide(call) {
      let strictest = nothing
      for (const tool of namesFor(call.tool))
        strictest = stricter(strictest, compiled.decide({ ...call, tool, sentAs: call.tool }))
      return strictest
    },
    outlook(call) {
      let [mildest, strictest] = [nothing, nothing]
      for (const tool of namesFor(call.tool)) {
        const outlook = compiled.outlook({ ...call, tool, sentAs: call.tool })
        mildest = stricter(mildest, outlook.mildest)
        strictest = stricter(strictest, outlook.strictest)
      }
      return { mildest, strictest }
    }
  }
}

/** A glob over folded names, with its stars kept. */
const folded = (glob: string): string => glob.split('*').map(foldedName).join('*')

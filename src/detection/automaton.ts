/**
 * Aho-Corasick over character classes, flattened into one dense table, so that one look-up a character finds every
 * literal of every detector. Letters are folded to lower case in the classes; who needs the exact case checks it at a
 * hit, which is rare. The cost a character does not depend on the number of literals.
 */
import { trackerNext, trackerOutput, trackerQuad, trackerRun, trackerStates } from './number-tracker.ts'

export interface Automaton {
  /** The class of each UTF-16 code; 65,536 bytes. */
  readonly classOf: Uint8Array
  /** `table[state + class]` is the next state; states are row offsets, so no multiplication is needed. */
  readonly table: Int32Array
  readonly start: number
  /** States at or above this one announce something. */
  readonly outputMin: number
  /** What an announcing state announces: `outputs[(state - outputMin) / stride]` holds literal numbers. */
  readonly outputs: readonly Int32Array[]
  readonly stride: number
  /** The numbers that stand for the anchors of the number tracker; -1 where it is not built in. */
  readonly runId: number
  readonly quadId: number
  /** The number that stands for one of the characters that are announced by themselves. */
  readonly oneOfId: number
}

/** The literals as a tree, and then as an automaton: `next[node * classes + class]`, 0 for the root. */
interface Trie {
  readonly next: Int32Array
  readonly classes: number
  /** For each node what ends there. */
  readonly outputs: number[][]
}

/**
 * Builds the automaton.
 * @param literals matched without regard to ASCII case; the same literal must not stand twice
 * @param withNumbers adds the anchors of the number tracker
 * @param oneOf codes beyond ASCII, each of which is announced wherever it stands
 * @throws RangeError for an empty literal or more than 255 different characters
 */
export function buildAutomaton(
  literals: readonly string[],
  withNumbers: boolean,
  oneOf: readonly number[] = []
): Automaton {
  const { classOf, codes } = buildClasses(literals, withNumbers)
  const oneOfClasses = addOneOf(oneOf, classOf, codes)
  const trie = buildTrie(literals, classOf, codes.length)
  const ids = { runId: literals.length, quadId: literals.length + 1, oneOfId: literals.length + 2 }
  for (const cls of oneOfClasses) trie.outputs[childOf(trie, 0, cls)]?.push(ids.oneOfId)
  linkFailures(trie)
  return flatten(trie, codes, classOf, ids, withNumbers)
}

/**
 * Characters as they are frequent in text and program text. What is frequent stands together at the start of a row, so
 * that a pass touches one or two cache lines of it and not all.
 */
const byFrequency = ' etaoinsrlcdumpfh-_.gy=(),\'":/'

function buildClasses(literals: readonly string[], withNumbers: boolean) {
  const classOf = new Uint8Array(65536)
  // Class 0 is every character that no literal speaks of; the code that stands for it must not be a digit or a dot.
  const codes = [0]
  const add = (code: number) => {
    if (classOf[code] !== 0) return
    if (codes.length > 255) throw new RangeError('The literals use more than 255 different characters.')
    classOf[code] = codes.length
    codes.push(code)
  }
  const used = new Set<number>()
  for (const literal of literals) {
    if (literal === '') throw new RangeError('An anchor literal is empty.')
    const folded = literal.toLowerCase()
    for (let i = 0; i < folded.length; i++) used.add(folded.charCodeAt(i))
  }
  for (let i = 0; i < byFrequency.length; i++) if (used.has(byFrequency.charCodeAt(i))) add(byFrequency.charCodeAt(i))
  for (const code of used) add(code)
  if (withNumbers) for (const code of '.0123456789') add(code.charCodeAt(0))
  for (let code = 65; code <= 90; code++) classOf[code] = classOf[code + 32] as number
  foldOthers(classOf, codes)
  return { classOf, codes }
}

/** Capitals beyond ASCII share the class of their small letter, so that a Greek or Cyrillic word is found in both. */
function foldOthers(classOf: Uint8Array, codes: readonly number[]): void {
  for (const code of codes) {
    const capital = code < 128 ? '' : String.fromCharCode(code).toUpperCase()
    const upper = capital.length === 1 ? capital.charCodeAt(0) : code
    if (upper > 127 && classOf[upper] === 0) classOf[upper] = classOf[code] as number
  }
}

/** Puts all of `oneOf` into one class, but for those that some literal speaks of, which keep theirs. */
function addOneOf(oneOf: readonly number[], classOf: Uint8Array, codes: number[]): Set<number> {
  const classes = new Set<number>()
  const own = codes.length
  for (const code of oneOf) {
    if (classOf[code] === 0) {
      if (codes.length === own) codes.push(code)
      classOf[code] = own
    }
    classes.add(classOf[code] as number)
  }
  if (codes.length > 256) throw new RangeError('The literals use more than 255 different characters.')
  return classes
}

function buildTrie(literals: readonly string[], classOf: Uint8Array, classes: number): Trie {
  let nodesMax = 2 + classes
  for (const literal of literals) nodesMax += literal.length
  const trie: Trie = { next: new Int32Array(nodesMax * classes), classes, outputs: [[]] }
  literals.forEach((literal, id) => {
    const folded = literal.toLowerCase()
    let node = 0
    for (let i = 0; i < folded.length; i++) node = childOf(trie, node, classOf[folded.charCodeAt(i)] as number)
    trie.outputs[node]?.push(id)
  })
  return trie
}

function childOf({ next, classes, outputs }: Trie, node: number, cls: number): number {
  const place = node * classes + cls
  if (next[place] === 0) next[place] = outputs.push([]) - 1
  return next[place] as number
}

/** Makes the tree an automaton: where no child is, the next node is that of the longest suffix which is a node. */
function linkFailures({ next, classes, outputs }: Trie): void {
  const fail = new Int32Array(outputs.length)
  const order = [0]
  for (const node of order) {
    const row = node * classes
    const failRow = (fail[node] as number) * classes
    for (let cls = 0; cls < classes; cls++) {
      const child = next[row + cls] as number
      const beyond = node === 0 ? 0 : (next[failRow + cls] as number)
      if (child === 0) next[row + cls] = beyond
      else {
        fail[child] = beyond
        const inherited = outputs[beyond] as number[]
        if (inherited.length > 0) outputs[child]?.push(...inherited)
        order.push(child)
      }
    }
  }
}

/**
 * The product of the literals' automaton with the number tracker, as far as it can be reached, with states in order.
 */
function flatten(
  { next: step, outputs: outputsOf }: Trie,
  codes: readonly number[],
  classOf: Uint8Array,
  ids: Pick<Automaton, 'runId' | 'quadId' | 'oneOfId'>,
  withNumbers: boolean
): Automaton {
  const classes = codes.length
  const trackers = withNumbers ? trackerStates : 1
  const trackerStep = new Uint8Array(trackers * classes)
  if (withNumbers)
    for (let tracker = 0; tracker < trackers; tracker++)
      for (let cls = 0; cls < classes; cls++)
        trackerStep[tracker * classes + cls] = trackerNext(tracker, codes[cls] as number)
  const placeOf = new Int32Array(outputsOf.length * trackers).fill(-1)
  placeOf[0] = 0
  // A pair of a node and a tracker state is one number.
  const pairs = [0]
  let edges = new Int32Array(2 * outputsOf.length * classes)
  for (let at = 0; at < pairs.length; at++) {
    if ((at + 1) * classes > edges.length) edges = doubled(edges)
    const pair = pairs[at] as number
    const tracker = pair % trackers
    const stepRow = ((pair - tracker) / trackers) * classes
    const trackerRow = tracker * classes
    const row = at * classes
    for (let cls = 0; cls < classes; cls++) {
      const next = (step[stepRow + cls] as number) * trackers + (trackerStep[trackerRow + cls] as number)
      let place = placeOf[next] as number
      if (place === -1) {
        place = pairs.push(next) - 1
        placeOf[next] = place
      }
      edges[row + cls] = place
    }
  }
  const announced = pairs.map((pair) => {
    const marks = withNumbers ? trackerOutput(pair % trackers) : 0
    const list = outputsOf[Math.floor(pair / trackers)] as number[]
    if (marks === 0) return list
    return [...list, ...(marks & trackerRun ? [ids.runId] : []), ...(marks & trackerQuad ? [ids.quadId] : [])]
  })
  return { ...layOut(edges, announced, classes), classOf, ...ids }
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length)
  larger.set(array)
  return larger
}

/** Entries of the table in a cache line. */
const lineEntries = 16

/** Puts the states that announce something behind all others, so that one comparison tells them apart. */
function layOut(edges: Int32Array, announced: readonly (readonly number[])[], classes: number) {
  // Rows begin at the start of a cache line.
  const stride = Math.ceil(classes / lineEntries) * lineEntries
  const offset = new Int32Array(announced.length)
  let quiet = 0
  for (const list of announced) if (list.length === 0) quiet++
  let nextQuiet = 0
  let nextLoud = quiet
  announced.forEach((list, at) => {
    offset[at] = (list.length === 0 ? nextQuiet++ : nextLoud++) * stride
  })
  const table = new Int32Array(announced.length * stride)
  for (let at = 0; at < announced.length; at++) {
    const from = offset[at] as number
    const row = at * classes
    for (let cls = 0; cls < classes; cls++) table[from + cls] = offset[edges[row + cls] as number] as number
  }
  // States that differ only in digits announce one and the same list.
  const lists = new Map<readonly number[], Int32Array>()
  const outputs: Int32Array[] = []
  for (const list of announced) {
    if (list.length === 0) continue
    const known = lists.get(list) ?? new Int32Array(list)
    lists.set(list, known)
    outputs.push(known)
  }
  return { table, stride, start: offset[0] as number, outputMin: quiet * stride, outputs }
}

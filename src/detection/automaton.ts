/**
 * Aho-Corasick over character classes, flattened into one dense table, so that one look-up a character finds every
 * literal of every detector. Letters are folded to lower case in the classes; who needs the exact case checks it at a
 * hit, which is rare. The cost a character does not depend on the number of literals.
 */
import { trackerNext, trackerOutput, trackerQuad, trackerRun } from './number-tracker.ts'

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
}

interface Node {
  readonly next: Map<number, number>
  readonly own: number[]
  fail: number
}

/**
 * Builds the automaton.
 * @param literals matched without regard to ASCII case; the same literal must not stand twice
 * @param withNumbers adds the anchors of the number tracker
 * @throws RangeError for an empty literal or more than 255 different characters
 */
export function buildAutomaton(literals: readonly string[], withNumbers: boolean): Automaton {
  const { classOf, codes } = buildClasses(literals, withNumbers)
  const nodes = buildTrie(literals, classOf)
  const order = linkFailures(nodes)
  const outputsOf = collectOutputs(nodes, order)
  const step = nodeTable(nodes, order, codes.length)
  return flatten(step, outputsOf, codes, classOf, literals.length, withNumbers)
}

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
  for (const literal of literals) {
    if (literal === '') throw new RangeError('An anchor literal is empty.')
    const folded = literal.toLowerCase()
    for (let i = 0; i < folded.length; i++) add(folded.charCodeAt(i))
  }
  if (withNumbers) for (const code of '.0123456789') add(code.charCodeAt(0))
  for (let code = 65; code <= 90; code++) classOf[code] = classOf[code + 32] as number
  return { classOf, codes }
}

function buildTrie(literals: readonly string[], classOf: Uint8Array): Node[] {
  const nodes: Node[] = [{ next: new Map(), own: [], fail: 0 }]
  literals.forEach((literal, id) => {
    const folded = literal.toLowerCase()
    let at = 0
    for (let i = 0; i < folded.length; i++) {
      const cls = classOf[folded.charCodeAt(i)] as number
      const known = (nodes[at] as Node).next.get(cls)
      if (known !== undefined) at = known
      else {
        nodes.push({ next: new Map(), own: [], fail: 0 })
        ;(nodes[at] as Node).next.set(cls, nodes.length - 1)
        at = nodes.length - 1
      }
    }
    ;(nodes[at] as Node).own.push(id)
  })
  return nodes
}

function linkFailures(nodes: Node[]): number[] {
  const order = [0]
  for (const at of order) {
    const node = nodes[at] as Node
    for (const [cls, child] of node.next) {
      order.push(child)
      if (at === 0) continue
      let fail = node.fail
      while (fail !== 0 && !(nodes[fail] as Node).next.has(cls)) fail = (nodes[fail] as Node).fail
      ;(nodes[child] as Node).fail = (nodes[fail] as Node).next.get(cls) ?? 0
    }
  }
  return order
}

function collectOutputs(nodes: readonly Node[], order: readonly number[]): number[][] {
  const outputs: number[][] = nodes.map((node) => [...node.own])
  for (const at of order)
    if (at !== 0) (outputs[at] as number[]).push(...(outputs[(nodes[at] as Node).fail] as number[]))
  return outputs
}

function nodeTable(nodes: readonly Node[], order: readonly number[], classes: number): Int32Array[] {
  const rows: Int32Array[] = nodes.map(() => new Int32Array(classes))
  for (const at of order) {
    const node = nodes[at] as Node
    const row = rows[at] as Int32Array
    if (at !== 0) row.set(rows[node.fail] as Int32Array)
    for (const [cls, child] of node.next) row[cls] = child
  }
  return rows
}

/**
 * The product of the literals' automaton with the number tracker, as far as it can be reached, with states in order.
 */
function flatten(
  step: readonly Int32Array[],
  outputsOf: readonly number[][],
  codes: readonly number[],
  classOf: Uint8Array,
  literalCount: number,
  withNumbers: boolean
): Automaton {
  const runId = withNumbers ? literalCount : -1
  const quadId = withNumbers ? literalCount + 1 : -1
  const pairs: [node: number, tracker: number][] = [[0, 0]]
  const numberOf = new Map([[0, 0]])
  const edges: number[][] = []
  for (const [node, tracker] of pairs) {
    edges.push(
      codes.map((code, cls) => {
        const nextNode = (step[node] as Int32Array)[cls] as number
        const nextTracker = withNumbers ? trackerNext(tracker, code) : 0
        const key = nextNode * 32 + nextTracker
        const known = numberOf.get(key)
        if (known !== undefined) return known
        pairs.push([nextNode, nextTracker])
        numberOf.set(key, pairs.length - 1)
        return pairs.length - 1
      })
    )
  }
  const announced = pairs.map(([node, tracker]) => {
    const list = [...(outputsOf[node] as number[])]
    const marks = withNumbers ? trackerOutput(tracker) : 0
    if (marks & trackerRun) list.push(runId)
    if (marks & trackerQuad) list.push(quadId)
    return list
  })
  return layOut(edges, announced, codes.length, classOf, runId, quadId)
}

function layOut(
  edges: readonly number[][],
  announced: readonly number[][],
  classes: number,
  classOf: Uint8Array,
  runId: number,
  quadId: number
): Automaton {
  let stride = 1
  while (stride < classes) stride *= 2
  const quiet = edges.map((_, at) => at).filter((at) => (announced[at] as number[]).length === 0)
  const loud = edges.map((_, at) => at).filter((at) => (announced[at] as number[]).length > 0)
  const place = new Int32Array(edges.length)
  ;[...quiet, ...loud].forEach((at, index) => {
    place[at] = index * stride
  })
  const table = new Int32Array(edges.length * stride)
  edges.forEach((row, at) =>
    row.forEach((to, cls) => {
      table[(place[at] as number) + cls] = place[to] as number
    })
  )
  return {
    classOf,
    table,
    stride,
    runId,
    quadId,
    start: place[0] as number,
    outputMin: quiet.length * stride,
    outputs: loud.map((at) => Int32Array.from(announced[at] as number[]))
  }
}

import assert from 'node:assert/strict'
import test from 'node:test'
import fc from '../../../test/support/property.ts'
import { builtInDetectors } from '../../detection/detectors/index.ts'
import { filler } from '../../detection/sample-text.ts'
import { createScanner } from '../../detection/scanner.ts'
import { excerptOf, printable } from './excerpt.ts'
import { readText, type Piece, type PieceOptions } from './read-text.ts'
import { createJudge, type LocatedFinding } from './report.ts'
import { scanText } from './scan-text.ts'

const scanner = createScanner()
const judge = createJudge('low')

async function scanned(text: string, chunkBytes: number, options?: PieceOptions): Promise<LocatedFinding[]> {
  const { findings } = await scanText(readText(chunks(Buffer.from(text), chunkBytes), options), {
    scanner,
    judge,
    file: 'a'
  })
  return findings
}

function* chunks(bytes: Buffer, size: number): Generator<Buffer, void, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function piecesOf(text: string, chunkBytes: number, options: PieceOptions): Promise<Piece[]> {
  const pieces: Piece[] = []
  for await (const piece of readText(chunks(Buffer.from(text), chunkBytes), options)) pieces.push(piece)
  return pieces
}

const small: PieceOptions = { pieceUnits: 700, overlapUnits: 200 }
const line = fc.oneof(
  fc.constantFrom(['ana', 'corp.dev'].join('@'), 'gsk' + '_' + filler(52), `😀 ${['li', 'corp.dev'].join('@')} é`),
  fc.string({ unit: fc.constantFrom(...'ab é.,😀'), maxLength: 120 })
)
const lines = fc.array(line, { minLength: 5, maxLength: 60 })

test('an excerpt says where its line was cut, and only there', () => {
  const excerpt = (before: string, after: string) => {
    const finding = { kind: 'k', group: 'secret', tier: 'high', confidence: 'strong' } as const
    const [start, text] = [before.length, `${before}VALUE${after}`]
    const whole = { start: 0, end: text.length }
    return excerptOf(text, [{ ...finding, start, end: start + 5 }], 0, whole, () => 'K')
  }
  for (const [before, after] of [
    ['b'.repeat(48), 'a'.repeat(32)],
    ['', '']
  ] as const)
    assert.equal(excerpt(before, after), `${before}<K>${after}`)
  assert.equal(excerpt('b'.repeat(49), 'a'.repeat(33)), `…${'b'.repeat(48)}<K>${'a'.repeat(32)}…`)
})

test('asks once whether a line is to be reported, however many findings it has', async () => {
  const address = ['ana', 'corp.dev'].join('@')
  const asked: string[] = []
  const { findings } = await scanText(readText([Buffer.from(`${`${address} `.repeat(50)}\nnone\n${address}\n`)]), {
    scanner,
    judge,
    file: 'a',
    isWanted: (one) => asked.push(one) > 0
  })
  assert.equal(findings.length, 51)
  assert.deepEqual(asked, [`${address} `.repeat(50), address])
})

test('a text read in pieces has the same findings as the whole, at the same positions', async () => {
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.constantFrom('\n', ' '),
      fc.integer({ min: 1, max: 999 }),
      async (parts, joint, size) => {
        const text = parts.join(joint)
        const place = ({ kind, start, end, line: row, column, endColumn }: LocatedFinding) =>
          [kind, start, end, row, column, endColumn].join()
        assert.deepEqual(
          (await scanned(text, size, small)).map(place),
          (await scanned(text, text.length * 4 + 1)).map(place)
        )
      }
    ),
    { numRuns: 60 }
  )
})

test('pieces overlap, make up the whole, and know their line', async () => {
  await fc.assert(
    fc.asyncProperty(lines, fc.constantFrom('\n', ' '), async (parts, joint) => {
      const text = parts.join(joint)
      let rebuilt = ''
      for (const piece of await piecesOf(text, 100, small)) {
        assert.equal(piece.text, text.slice(piece.offset, piece.offset + piece.text.length))
        assert.equal(piece.offset + piece.freshFrom, rebuilt.length)
        const before = text.slice(0, piece.offset)
        assert.equal(piece.line, before.split('\n').length)
        assert.equal(piece.column, before.length - (before.lastIndexOf('\n') + 1))
        assert.ok(piece.text.length <= small.pieceUnits + small.overlapUnits)
        rebuilt += piece.text.slice(piece.freshFrom)
      }
      assert.equal(rebuilt, text)
    }),
    { numRuns: 60 }
  )
})

test('a file with a NUL near its start is binary, whatever the chunks are', async () => {
  for (const size of [1, 7, 9000]) {
    const bytes = Buffer.concat([Buffer.from('text '), Buffer.from([0])])
    const found = await scanText(readText(chunks(bytes, size)), { scanner, judge, file: 'a' })
    assert.deepEqual(found, { kind: 'binary', findings: [], allowed: 0 })
  }
})

test('an excerpt shows nothing of what was found', () => {
  const samples = builtInDetectors.flatMap((detector) => detector.hits())
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...samples), { minLength: 1, maxLength: 4 }), fc.boolean(), (parts, twice) => {
      const text = [...parts, ...(twice ? parts : [])].join(' | ')
      const findings = scanner.scan(text, scanner.createMemory())
      findings.forEach((finding, index) => {
        const start = text.lastIndexOf('\n', finding.start - 1) + 1
        const newline = text.indexOf('\n', finding.start)
        const bounds = { start, end: newline < 0 ? text.length : newline }
        const excerpt = excerptOf(text, findings, index, bounds, () => '')
        const value = printable(text.slice(finding.start, finding.end)).trim()
        assert.ok(value.length < 4 || !excerpt.includes(value), finding.kind)
        assert.ok(excerpt.length <= 200, String(excerpt.length))
      })
    }),
    { numRuns: 300 }
  )
})

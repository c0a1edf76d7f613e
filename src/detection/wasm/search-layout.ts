/**
 * How the search for literals lays out its data: the table of an index, the finds, and what a call leaves for the next
 * one.
 */
import { and, int, shiftRight, type Code } from './assembler.ts'

/** Offsets of the parts of a table, from its start: the classes of bytes, and then these. */
export const marksAt = 256
/**
 * The same marks by the classes of the second and the third unit, and then the first: those of three units and of the
 * three from the next one on are 64 bits at one place of each table.
 */
export const leadsAt = marksAt + 32_768
/** The number of marks before each group of 32. */
export const ranksAt = leadsAt + 32_768
/** Marks of those trigrams whose four characters need not be checked. */
export const openAt = ranksAt + 16_384
/** A bit for each hash of four characters. */
export const foursAt = openAt + 32_768
export const fourBits = 17
/**
 * Seven offsets: of the records of places, the numbers of literals, their records, their pieces, the sets of guards, the
 * rules for runs of digits (0 if there are none), and the heads of literals.
 */
export const offsetsAt = foursAt + (1 << fourBits) / 8
/** Where a table has the offsets of the records of literals, of the sets, and of the rules. */
export const literalsOffsetAt = offsetsAt + 8
export const setsOffsetAt = offsetsAt + 16
export const rulesOffsetAt = offsetsAt + 20
export const headsOffsetAt = offsetsAt + 24
/** For each mark, the place that it leads to. */
export const placesAt = offsetsAt + 32

/** Bytes per record of a place: where its literals begin and end, and its sort. */
export const placeBytes = 8
/**
 * Bytes per record of a literal: its first piece, its length, how many units follow the trigram, its sort, and its
 * guard; see `guard-code.ts`.
 */
export const literalBytes = 16
export const unitsOfLiteral = 2
export const sortOfLiteral = 6

/** Bytes for eight characters of a literal: a mask of what is compared, and the expected value under it. */
export const pieceBytes = 16
/**
 * For each number of a literal, a piece of its own: of the eight characters of which `headUnitsBefore` precede the last
 * one of the trigram. Of the literals of a place it leaves hardly any but those that stand there.
 */
export const headUnitsBefore = 4
export const headUnitsBehind = 3

/** The bit of four characters, ignoring case, in the table. */
export function fourHash(four: number): number {
  return Math.imul(four | caseBits, fourFactor) >>> (32 - fourBits)
}
export const caseBits = 0x20202020
export const fourFactor = 0x9e3779b1 | 0

/** A look consists of a place in the block and the classes of the three units that end there. */
export const placeBits = 13
/** Where in a table of marks the 32 bits are that have that of three classes. */
export const wordOf = (gram: Code): Code => and(shiftRight(gram, int(3)), int(0x7ffc))

/** The most finds that one place leads to, and the most that a call returns. */
export const findsOfPlaceMax = 256
export const findsMax = 4096

/** A find: its number, its end in the block, and whether the caller must verify it. */
export const endShift = 16
export const endMask = 0x3fff
export const unsureShift = 30
export const unsureBit = 1 << unsureShift

/** Where a call finds and leaves the classes that it read last, and leaves how far it came. */
export const stateAt = 0
export const searchedToAt = 4
/** Where the byte classes of the current table are. */
export const classesAt = 256

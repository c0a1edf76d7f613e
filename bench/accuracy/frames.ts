/**
 * The frames (surrounding texts) in which values stand, as people and tools write them. Each file is a family; a line
 * `---` separates its frames. A slot `⟪password⟫` names the sort of value that goes there; `⟪-uuid⟫` is filled in too,
 * with something that is not a secret. Detectors are not tuned on the families that end in `-d`: those show what to
 * expect of new texts.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createRandom } from '../../test/support/random.ts'
import { contactMakers } from './contact-values.ts'
import { europeanMakers } from './european-values.ts'
import { overseasMakers } from './overseas-values.ts'
import { personalMakers } from './personal-values.ts'
import { secretMakers, sizedMaker, type Maker } from './secret-values.ts'

export interface Family {
  readonly name: string
  readonly frames: readonly string[]
}

/** A frame with its slots filled, and the places of the values in UTF-16 code units. */
export interface FilledFrame {
  readonly text: string
  readonly values: readonly { readonly start: number; readonly end: number }[]
}

/** Whether a family holds no secrets, so that nothing in it may be masked. */
export const quietFamily = (name: string): boolean => name.startsWith('quiet')

const folder = join(import.meta.dirname, 'frames')

export function readFamilies(): Family[] {
  return globSync('*.txt', { cwd: folder })
    .toSorted()
    .map((file) => ({
      name: basename(file, '.txt'),
      frames: readFileSync(join(folder, file), 'utf8')
        .split(/^---\n/m)
        .map((frame) => frame.replace(/\n$/, ''))
    }))
}

/**
 * Fills the slots of a frame. The same arguments give the same text.
 * @param variant counts up, so that each shape of a sort of value has its turn
 * @throws Error for a slot of an unknown sort
 */
export function fillFrame(frame: string, variant: number, seed: number): FilledFrame {
  const random = createRandom(seed)
  const values: { start: number; end: number }[] = []
  let text = ''
  frame.split(/⟪(-?\w+)⟫/).forEach((part, i) => {
    const start = text.length
    const isOther = part.startsWith('-')
    text += i % 2 === 0 ? part : makerOf(isOther ? part.slice(1) : part)(random, variant + values.length)
    if (i % 2 === 1 && !isOther) values.push({ start, end: text.length })
  })
  return { text, values }
}

const makers = { ...secretMakers, ...personalMakers, ...contactMakers, ...europeanMakers, ...overseasMakers }

function makerOf(sort: string): Maker {
  const maker = makers[sort] ?? sizedMaker(sort)
  if (maker === undefined) throw new Error(`A frame asks for ⟪${sort}⟫, which nothing makes.`)
  return maker
}

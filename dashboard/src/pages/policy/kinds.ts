/** The kinds that a profile can name: built-in ones, those of its own patterns, and denied words. */
import { builtInDetectors } from '../../../../src/detection/detectors/index.ts'
import { entriesAt, textOr, type Documents } from './documents.ts'

export interface ShownKind {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly tier: string
}

const denyWord: ShownKind = { id: 'deny_word', title: 'word of the deny list', group: 'secret', tier: 'medium' }

/** All of them, ordered by id. */
export function kindsOf(documents: Documents): readonly ShownKind[] {
  const own = entriesAt(documents, ['redactionProfile', 'custom']).flatMap(({ id, title, group, tier }) =>
    typeof id === 'string'
      ? [{ id, title: textOr(title, 'own pattern'), group: textOr(group, 'secret'), tier: textOr(tier, 'medium') }]
      : []
  )
  return [...builtInDetectors, denyWord, ...own].toSorted((a, b) => a.id.localeCompare(b.id))
}

export const builtInKindIds: readonly string[] = builtInDetectors.map(({ id }) => id)

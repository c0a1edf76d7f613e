/** The kinds that a profile can name: built-in ones, those of its own patterns, denied words and known credentials. */
import { addedKinds } from '../../../../src/detection/custom/added-kinds.ts'
import { builtInDetectors } from '../../../../src/detection/detectors/index.ts'
import { entriesAt, textOr, type Documents } from './documents.ts'

interface ShownKind {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly tier: string
}

/** All of them, ordered by id. */
export function kindsOf(documents: Documents): readonly ShownKind[] {
  const own = entriesAt(documents, ['redactionProfile', 'custom']).flatMap(({ id, title, group, tier }) =>
    typeof id === 'string'
      ? [{ id, title: textOr(title, 'own pattern'), group: textOr(group, 'secret'), tier: textOr(tier, 'medium') }]
      : []
  )
  return [...builtInDetectors, ...addedKinds, ...own].toSorted((a, b) => a.id.localeCompare(b.id))
}

export const builtInKindIds: readonly string[] = builtInDetectors.map(({ id }) => id)

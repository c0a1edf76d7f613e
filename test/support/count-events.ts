/** Counts stored events of one kind in the whole store, for tests of "exactly one event a call". */
import type { Store, StoredEvent } from '../../src/store/store.ts'

const pageRows = 1000

/** All stored `ingress_proxy` events, newest first. */
export async function ingressEvents(store: Store): Promise<StoredEvent[]> {
  const found: StoredEvent[] = []
  for (const { id } of await store.listWorkspaces({ limit: pageRows })) {
    let before: number | undefined
    do {
      const page: StoredEvent[] = await store.latestEvents({ workspaceId: id, limit: pageRows, before })
      found.push(...page)
      before = page.length === pageRows ? page.at(-1)?.sequence : undefined
    } while (before !== undefined)
  }
  return found.filter(({ kind }) => kind === 'ingress_proxy')
}

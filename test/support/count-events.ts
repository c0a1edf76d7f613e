/** Counts stored events of one kind in the whole store, for tests of "exactly one event a call". */
import { allRows } from '../../src/store/all-rows.ts'
import { rowsMax, type Store, type StoredEvent } from '../../src/store/store.ts'

/** All stored `ingress_proxy` events, newest first in each workspace. */
export async function ingressEvents(store: Store): Promise<StoredEvent[]> {
  const found: StoredEvent[] = []
  for (const { id: workspaceId } of await store.listWorkspaces({ limit: rowsMax })) {
    const query = { workspaceId, kind: 'ingress_proxy', limit: rowsMax }
    found.push(...(await Array.fromAsync(allRows((page) => store.findEvents(page), query))))
  }
  return found
}

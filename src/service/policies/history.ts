/** The revisions of a workspace's policy that are in the store. */
import { sequenceOf } from '../../policy/revision.ts'
import { StoreError, type PolicyRevision, type Store } from '../../store/store.ts'

/** Reads the revisions of every workspace in one store, and loads nothing that judges a policy. */
export class PolicyHistory {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** @throws StoreError `unavailable`, also if the workspace has no revision, which cannot happen while it exists */
  async current(workspaceId: string): Promise<PolicyRevision> {
    const revision = await this.#store.currentPolicyRevision(workspaceId)
    if (revision === undefined) throw new StoreError('unavailable', 'The workspace has no policy.')
    return revision
  }

  /** @param revision an id, or only a sequence */
  async find(workspaceId: string, revision: string): Promise<PolicyRevision | undefined> {
    const sequence = /^[1-9]\d{0,14}$/.test(revision) ? Number(revision) : sequenceOf(revision)
    if (sequence === undefined) return undefined
    const [found] = await this.#store.listPolicyRevisions({ workspaceId, before: sequence + 1, limit: 1 })
    if (found?.sequence !== sequence) return undefined
    // The hash of an effective policy differs, but its sequence still identifies the revision.
    return found
  }

  history(workspaceId: string, page: { readonly limit: number; readonly before?: number | undefined }) {
    return this.#store.listPolicyRevisions({ workspaceId, ...page })
  }
}

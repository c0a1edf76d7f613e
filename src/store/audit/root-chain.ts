/** Follows roots in order and reports each fault. Needs no store: a copy of roots can be checked on its own. */
import type { KeyObject } from 'node:crypto'
import type { IssueList } from './issues.ts'
import { openRoot, type RootContent } from './root.ts'
import type { AuditRoot } from '../store.ts'

export class RootChain {
  readonly #publicKey: KeyObject
  readonly #issues: IssueList
  #before: AuditRoot | undefined
  #last: { readonly root: AuditRoot; readonly content: RootContent } | undefined
  readonly #start: number
  #count = 0

  /** @param start sequence of the first root that is given; what came before it cannot be checked then */
  constructor(publicKey: KeyObject, issues: IssueList, start = 1) {
    this.#publicKey = publicKey
    this.#issues = issues
    this.#start = start
  }

  /** Roots followed, valid or not. */
  get count(): number {
    return this.#count
  }

  /** The newest root with a valid signature. */
  get last(): { readonly root: AuditRoot; readonly content: RootContent } | undefined {
    return this.#last
  }

  /** Reports roots that are missing at the end. @param newest sequence of the last root that should exist */
  end(newest: number): void {
    const expected = (this.#before?.sequence ?? this.#start - 1) + 1
    if (newest >= expected) this.#issues.add({ fault: 'root_missing', root: expected, count: newest - expected + 1 })
  }

  /** @returns the contents of the root; undefined if it is not valid */
  follow(root: AuditRoot): RootContent | undefined {
    const before = this.#before
    const expected = before ? before.sequence + 1 : this.#start
    this.#before = root
    this.#count++
    if (root.sequence !== expected) {
      this.#issues.add({ fault: 'root_missing', root: expected, count: root.sequence - expected })
    }
    const opened = openRoot(root, this.#publicKey)
    if (!opened.ok) {
      this.#issues.add({ fault: opened.fault, root: root.sequence })
      return undefined
    }
    const isNext = root.sequence === expected && (before !== undefined || root.sequence === 1)
    if (isNext && opened.content.previous !== (before?.hash ?? null)) {
      this.#issues.add({ fault: 'root_unlinked', root: root.sequence })
    }
    this.#last = { root, content: opened.content }
    return opened.content
  }
}

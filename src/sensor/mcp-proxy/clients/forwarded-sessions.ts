/**
 * The sessions of a server on HTTP, as far as the proxy remembers them. Those that the server began through this proxy
 * are kept apart from those that only a client named: whoever makes ids up pushes out nobody's session but such ones.
 */
import { SessionStore, type SessionStoreOptions } from './sessions.ts'

/** The server limits the number of its sessions; here they take a few hundred bytes each. */
const begunMax = 10_000
/** Of an earlier run of the proxy, or unknown to the server as well. */
const namedMax = 1000
/** A person may return after a night, and the gate must still know that the client can ask questions. */
const idleMs = 86_400_000

export class ForwardedSessions<T> {
  readonly #begun: SessionStore<T>
  readonly #named: SessionStore<T>

  /** @param onEnd called once for each session that is forgotten */
  constructor(onEnd: SessionStoreOptions<T>['onEnd']) {
    this.#begun = new SessionStore({ sessionsMax: begunMax, idleMs, onEnd })
    this.#named = new SessionStore({ sessionsMax: namedMax, idleMs, onEnd })
  }

  get(id: string): T | undefined {
    return this.#begun.get(id) ?? this.#named.get(id)
  }

  /** Remembers a session that the server began. */
  begin(id: string, session: T): void {
    this.#named.end(id)
    this.#begun.set(id, session)
  }

  /** Remembers a session whose id came from a client. Whether it is valid is known to the server alone. */
  name(id: string, session: T): void {
    this.#named.set(id, session)
  }

  end(id: string): void {
    this.#begun.end(id)
    this.#named.end(id)
  }

  /** Ends all sessions. */
  close(): void {
    this.#begun.close()
    this.#named.close()
  }
}

/** Creates everything that concerns users and their sessions. */
import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Store } from '../../store/store.ts'
import { createAttempts, type Attempts } from './attempts.ts'
import { createSessionCookie, type SessionCookie } from './cookies.ts'
import { PasswordLinks } from './links.ts'
import type { OidcSignIn } from './oidc.ts'
import { createPasswords } from './passwords.ts'
import { People } from './people.ts'
import { Sessions } from './sessions.ts'

export interface Accounts extends AsyncDisposable {
  readonly people: People
  readonly sessions: Sessions
  readonly links: PasswordLinks
  readonly attempts: Attempts
  readonly cookie: SessionCookie
  /** Undefined if no provider is configured. */
  readonly oidc: OidcSignIn | undefined
}

interface AccountOptions {
  readonly store: Store
  readonly masterKey: KeyObject
  readonly config: Pick<Config, 'listen' | 'signIn'>
  readonly log: Logger
}

/** Loads the OpenID library only if a provider is configured, so that other starts need not wait for it. */
async function openProvider({ masterKey, config, log }: AccountOptions): Promise<OidcSignIn | undefined> {
  const { oidc, publicUrl } = config.signIn
  if (!oidc || publicUrl === undefined) return undefined
  const { OidcSignIn } = await import('./oidc.ts')
  return new OidcSignIn({ config: oidc, publicUrl, masterKey, log })
}

export async function createAccounts(options: AccountOptions): Promise<Accounts> {
  const { store, masterKey, config } = options
  const passwords = createPasswords(masterKey)
  const links = new PasswordLinks({ store, masterKey, passwords })
  const attempts = createAttempts()
  const oidc = await openProvider(options)
  return {
    people: new People({ store, passwords, links, attempts, idleTimeoutMs: config.signIn.idleTimeoutMs }),
    sessions: new Sessions({ store, masterKey, config: config.signIn }),
    links,
    attempts,
    cookie: createSessionCookie(config),
    oidc,
    [Symbol.asyncDispose]: async () => oidc?.[Symbol.asyncDispose]()
  }
}

/** What other modules need to know about signing in through a provider, without loading the OpenID library. */
import type { SignInProblem } from '../../protocol/api/session-schema.ts'

export const callbackPath = '/api/session/oidc/callback'
/** How long somebody may take at the provider. */
export const transactionMs = 15 * 60_000

/** A failed sign-in, with the code of the page's message. */
export class OidcProblem extends Error {
  override readonly name = 'OidcProblem'
  readonly problem: SignInProblem

  constructor(problem: SignInProblem) {
    super(problem)
    this.problem = problem
  }
}

/** What is known of the way to a provider and back without the library that goes it. */
import type { SignInProblem } from '../../protocol/api/session-schema.ts'

export const callbackPath = '/api/session/oidc/callback'
/** How long somebody may take at the provider. */
export const transactionMs = 15 * 60_000

/** A sign-in that came to nothing, by what the page says about it. */
export class OidcProblem extends Error {
  override readonly name = 'OidcProblem'
  readonly problem: SignInProblem

  constructor(problem: SignInProblem) {
    super(problem)
    this.problem = problem
  }
}

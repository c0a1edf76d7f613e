/** Registers the dashboard's routes other than those of tokens. */
import type { FastifyInstance } from 'fastify'
import { registerAllowSuggestions, type SuggestionDependencies } from './routes/allow-suggestions.ts'
import { registerOpenApi } from './routes/openapi.ts'
import { registerOidc, type OidcDependencies } from './routes/oidc.ts'
import { registerSession, type SessionDependencies } from './routes/session.ts'
import { registerSystem, type SystemDependencies } from './routes/system.ts'
import { registerTokens } from './routes/tokens.ts'
import { registerTools, type ToolsDependencies } from './routes/tools.ts'
import { registerUsers } from './routes/users.ts'
import { registerWarnings } from './routes/warnings.ts'

type AdministrationDependencies = Omit<SessionDependencies, 'config'> &
  OidcDependencies &
  SystemDependencies &
  ToolsDependencies &
  SuggestionDependencies

export function registerAdministration(app: FastifyInstance, to: AdministrationDependencies): void {
  registerSession(app, { ...to, config: to.config.signIn })
  registerOidc(app, to)
  registerOpenApi(app, to)
  registerUsers(app, to)
  registerTokens(app, to)
  registerSystem(app, to)
  registerWarnings(app, { ...to, blockHighRisk: to.config.blockHighRisk })
  registerTools(app, to)
  registerAllowSuggestions(app, to)
}

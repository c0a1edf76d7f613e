/** What the interop run has to know of a client. */
import type { Command } from './child.ts'
import type { Api, ToolCall } from './model/turn.ts'
import type { ClientName } from './versions.ts'

/** Where a client runs and what it is pointed at. */
export interface Place {
  readonly api: Api
  /** `http://127.0.0.1:port/api/ingress`; most clients take it with `/v1` behind it. */
  readonly base: string
  /** A workspace token, given to the client as its API key. */
  readonly token: string
  /** A home of its own. */
  readonly home: string
  /** The folder that it works in. */
  readonly project: string
  /** The folder whose `node_modules` or `venv` holds the client. */
  readonly installed: string
}

export interface InteropClient {
  readonly name: ClientName
  /** The page of `docs/clients` that tells of it, where that is not its name. */
  readonly guide?: string
  /** The APIs that it is run over. */
  readonly apis: readonly Api[]
  /** The client surface that stands in the record, guessed from what the client sends. */
  readonly surface: string
  /** Whether it shows another text where the service answers 403. */
  readonly hidesErrors?: boolean
  /** Whether it shows another text where the service answers with a refusal over this API. */
  readonly hidesRefusals?: (api: Api) => boolean
  /** Writes its configuration into its home. */
  configure?(place: Place): Promise<unknown>
  /** A command that makes the client known, before the first `ask`. */
  signIn?(place: Place): Command
  /** Asks one thing and ends. */
  ask(place: Place, prompt: string): Command
  /** Asks one thing more in the session of the last `ask`; absent where it has no sessions to go back to. */
  askAgain?(place: Place, prompt: string): Command
  /** Its tools, as the model calls them. `path` is absolute. */
  read(path: string): ToolCall
  edit(path: string, from: string, to: string): ToolCall
}

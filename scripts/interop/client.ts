/** What the interop run needs to know about a client. */
import type { Command } from './child.ts'
import type { Api, ToolCall } from './model/turn.ts'
import type { ClientName } from './versions.ts'

/** Where a client runs and which URL it uses. */
export interface Place {
  readonly api: Api
  /** `http://127.0.0.1:port/api/ingress`; most clients need `/v1` appended. */
  readonly base: string
  /** A workspace token, given to the client as its API key. */
  readonly token: string
  /** A home folder of its own. */
  readonly home: string
  /** Its working folder. */
  readonly project: string
  /** The folder whose `node_modules` or `venv` contains the client. */
  readonly installed: string
}

export interface InteropClient {
  readonly name: ClientName
  /** The page of `docs/clients` about it, if it has another name. */
  readonly guide?: string
  /** The APIs with which it is run. */
  readonly apis: readonly Api[]
  /** The client surface in the record, inferred from what the client sends. */
  readonly surface: string
  /** Whether it shows a text of its own if the service answers 403. */
  readonly hidesErrors?: boolean
  /** Whether it shows a text of its own if the service answers with a refusal in this API. */
  readonly hidesRefusals?: (api: Api) => boolean
  /** Writes its configuration into its home folder. */
  configure?(place: Place): Promise<unknown>
  /** A command that signs the client in, before the first `ask`. */
  signIn?(place: Place): Command
  /** Sends one prompt and ends. */
  ask(place: Place, prompt: string): Command
  /** Sends another prompt in the session of the last `ask`; absent if it cannot resume sessions. */
  askAgain?(place: Place, prompt: string): Command
  /** Its tools, as called by the model. `path` is absolute. */
  read(path: string): ToolCall
  edit(path: string, from: string, to: string): ToolCall
}

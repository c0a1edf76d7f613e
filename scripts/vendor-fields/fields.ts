/** The places of texts in the bodies of each route, read from the types of the vendors' SDKs. */
import { join } from 'node:path'
import { API } from 'typescript/unstable/sync'
import type { DialectName } from '../../src/dialects/dialect.ts'
import { ingressRoutes } from '../../src/protocol/ingress-routes.ts'
import { TypeWalk, type Field, type Sampling } from './type-walk.ts'

type RoutePath = keyof typeof ingressRoutes

/** Types of the body of each route, by their names in `vendor-types.ts`; a beta's body uses the same route. */
const bodies: Readonly<Record<RoutePath, readonly string[]>> = {
  '/v1/chat/completions': ['ChatCompletionsBody'],
  '/v1/responses': ['ResponsesBody', 'ResponsesBetaBody'],
  '/v1/responses/compact': ['CompactBody', 'CompactBetaBody'],
  '/v1/embeddings': ['EmbeddingsBody'],
  '/v1/messages': ['MessagesBody', 'MessagesBetaBody'],
  '/v1/messages/count_tokens': ['CountTokensBody', 'CountTokensBetaBody']
}

export interface BodyField extends Field {
  readonly route: RoutePath
  readonly dialect: DialectName
  /** The smallest body of the route with this value at the place. */
  value(at: unknown): object
}

let known: readonly BodyField[] | undefined

/** Every place in the body of every route, once per route; the compiler runs once per process. */
export function bodyFields(): readonly BodyField[] {
  known ??= readTypes(({ fieldsOf }) =>
    Object.entries(bodies).flatMap(([route, names]) => {
      const distinct = new Map<string, Field>()
      for (const field of names.flatMap((name) => fieldsOf(name))) {
        const key = `${field.path} ${field.kind}`
        if (!distinct.has(key)) distinct.set(key, field)
      }
      const { dialect } = ingressRoutes[route as RoutePath]
      return [...distinct.values()].map((field) => ({ ...field, route: route as RoutePath, dialect }) as BodyField)
    })
  )
  return known
}

/** Parameters of a call that the SDKs send as headers, by their names in the types. */
export function headerFields(): readonly string[] {
  return readTypes(({ headersOf }) => [...new Set(Object.values(bodies).flat().flatMap(headersOf))].toSorted())
}

/** A body with as many members as its type has. */
interface SampledBody {
  readonly dialect: DialectName
  readonly body: object
}

/** @param by creates a body; called `count` times for each type */
export function sampledBodies(count: number, by: (dialect: DialectName) => Sampling): readonly SampledBody[] {
  return readTypes(({ sampleOf }) =>
    Object.entries(bodies).flatMap(([route, names]) => {
      const { dialect } = ingressRoutes[route as RoutePath]
      return names.flatMap((name) =>
        Array.from({ length: count }, () => ({ dialect, body: sampleOf(name, by(dialect)) as object }))
      )
    })
  )
}

/** Types of the answers of each dialect, whole and as the events of a stream. */
const answers: Readonly<Partial<Record<DialectName, readonly string[]>>> = {
  'chat-completions': ['ChatCompletionsAnswer', 'ChatCompletionsEvents'],
  responses: [
    'ResponsesAnswer',
    'ResponsesEvents',
    'ResponsesBetaAnswer',
    'ResponsesBetaEvents',
    'CompactAnswer',
    'CompactBetaAnswer'
  ],
  messages: ['MessagesAnswer', 'MessagesEvents', 'MessagesBetaAnswer', 'MessagesBetaEvents']
}

export interface AnswerField extends Field {
  readonly dialect: DialectName
  /** Whether it belongs to an event of a stream. */
  readonly isStreamed: boolean
}

/** Every place in the answers of every dialect whose answers hold texts. */
export function answerFields(): readonly AnswerField[] {
  return readTypes(({ fieldsOf }) =>
    Object.entries(answers).flatMap(([dialect, names]) =>
      names.flatMap((name) => {
        const isStreamed = name.endsWith('Events')
        return fieldsOf(name, isStreamed).map((field) => ({ ...field, dialect: dialect as DialectName, isStreamed }))
      })
    )
  )
}

/** Events that contain the response so far: only the last of them is walked. */
const wholeResponses = /^\[type=response\.(?!completed)\w+\]\.response$/

/** Queries to the compiler about a type of `vendor-types.ts`, by its name. */
interface VendorTypes {
  fieldsOf(name: string, areTold?: boolean): Field[]
  sampleOf(name: string, by: Sampling): unknown
  headersOf(name: string): string[]
}

/** Runs queries while the compiler is running. */
function readTypes<T>(ask: (types: VendorTypes) => T): T {
  const api = new API()
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(import.meta.dirname, 'tsconfig.json')] })
    const [project] = snapshot.getProjects()
    const source = project?.program.getSourceFile(join(import.meta.dirname, 'vendor-types.ts'))
    const module = source && project?.checker.getSymbolAtLocation(source)
    if (project === undefined || module === undefined) throw new Error('The compiler does not find vendor-types.ts.')
    const { checker } = project
    const symbols = new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]))
    const walk = new TypeWalk(project, (path) => wholeResponses.test(path))
    const typeOf = (name: string) => {
      const symbol = symbols.get(name)
      if (symbol === undefined) throw new Error(`vendor-types.ts has no type ${name}.`)
      return checker.getDeclaredTypeOfSymbol(symbol)
    }
    return ask({
      fieldsOf: (name, areTold) => walk.fields(typeOf(name), areTold),
      sampleOf: (name, by) => walk.sample(typeOf(name), by),
      headersOf: (name) => walk.headerNames(typeOf(name))
    })
  } finally {
    api.close()
  }
}

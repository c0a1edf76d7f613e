/** Parameters of a tool that are repeated in a header (`x-mcp-header` in its schema; revision 2026-07-28). */

export interface HeaderParameter {
  /** Keys from the arguments down to the value. */
  readonly path: readonly string[]
  /** The full header name, in lower case. */
  readonly header: string
}

const headerParameterKey = 'x-mcp-header'
const keyBytes = Buffer.from(headerParameterKey)
const tokenPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const types: readonly unknown[] = ['string', 'integer', 'boolean']
const depthMax = 32

/** Whether the bytes of a schema, or of a whole list, mention such parameters at all. */
export function namesHeaders(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(keyBytes)
}

/** @returns those that follow the rules: reached through properties only, of a simple type, with a unique name */
export function headerParametersOf(inputSchema: unknown): HeaderParameter[] {
  const found = [...parametersBelow(inputSchema, [])]
  const count = new Map<string, number>()
  for (const { header } of found) count.set(header, (count.get(header) ?? 0) + 1)
  return found.filter(({ header }) => count.get(header) === 1)
}

function* parametersBelow(schema: unknown, path: readonly string[]): Generator<HeaderParameter> {
  const properties = (schema as { readonly properties?: unknown } | null | undefined)?.properties
  if (typeof properties !== 'object' || properties === null || path.length > depthMax) return
  for (const [key, value] of Object.entries(properties)) {
    const { [headerParameterKey]: header, type } = (value ?? {}) as Record<string, unknown>
    if (typeof header === 'string' && tokenPattern.test(header) && types.includes(type))
      yield { path: [...path, key], header: `mcp-param-${header.toLowerCase()}` }
    yield* parametersBelow(value, [...path, key])
  }
}

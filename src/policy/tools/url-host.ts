/** The host of a URL in a text, by the WHATWG's rules. */

export interface NamedHost {
  /** Lower case, without port and trailing dot, international names in Punycode; undefined if there is none. */
  readonly host: string | undefined
  /**
   * Whether other URL parsers would agree: it has a scheme and two slashes, and nothing that can be read in two ways.
   */
  readonly isSure: boolean
}

const nothing: NamedHost = { host: undefined, isSure: false }

/** White space, control characters and backslashes are dropped or converted by some parsers and not by others. */
const oddCharacters = /[\s\\\p{Cc}]/u
/**
 * URLs in which all parsers see the same host. Some take what follows the last `@` for it even after a `#` or `?`, and
 * some see none in `https:/corp.dev` or `https:corp.dev`, in which browsers do.
 */
const plainAuthority = /^[a-z][a-z0-9+.-]*:\/\/(?:[\w.~%!$&+=-]*(?::[\w.~%!$&+=-]*)?@)?[^/?#@]+(?:$|\/|[?#][^@]*$)/i

/** @param text any text, of a length limited by the caller */
export function hostOf(text: string): NamedHost {
  const direct = parse(text)
  if (direct?.host) {
    return { host: bare(direct.hostname), isSure: plainAuthority.test(text) && !oddCharacters.test(text) }
  }
  // `example.com/x` and `localhost:8080` name a host if a tool adds the scheme itself.
  const completed = text.startsWith('//') ? parse(`https:${text}`) : parse(`https://${text}`)
  return completed?.host ? { host: bare(completed.hostname), isSure: false } : nothing
}

function parse(text: string): URL | undefined {
  return URL.parse(text) ?? undefined
}

function bare(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '')
}

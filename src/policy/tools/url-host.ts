/** The host that a text names as a URL, by the WHATWG's rules. */

export interface NamedHost {
  /** Lower case, without port and final dot, international names in Punycode; undefined where there is none. */
  readonly host: string | undefined
  /** Whether other programs that read URLs would agree: a scheme and two slashes in front, nothing that is read in two ways. */
  readonly isSure: boolean
}

const nothing: NamedHost = { host: undefined, isSure: false }

/** White space, control characters and backslashes are dropped or turned by some readers and not by others. */
const oddCharacters = /[\s\\\p{Cc}]/u
/**
 * Where all readers see the same host. Some take what stands behind the last `@` for it although `#` or `?` came before,
 * and some see none in `https:/corp.dev` or `https:corp.dev`, in which browsers do.
 */
const plainAuthority = /^[a-z][a-z0-9+.-]*:\/\/(?:[\w.~%!$&+=-]*(?::[\w.~%!$&+=-]*)?@)?[^/?#@]+(?:$|\/|[?#][^@]*$)/i

/** @param text any text, of which the caller bounds the length */
export function hostOf(text: string): NamedHost {
  const direct = parse(text)
  if (direct?.host) {
    return { host: bare(direct.hostname), isSure: plainAuthority.test(text) && !oddCharacters.test(text) }
  }
  // `example.com/x` and `localhost:8080` name a host where a tool adds the scheme by itself.
  const completed = text.startsWith('//') ? parse(`https:${text}`) : parse(`https://${text}`)
  return completed?.host ? { host: bare(completed.hostname), isSure: false } : nothing
}

function parse(text: string): URL | undefined {
  return URL.parse(text) ?? undefined
}

function bare(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '')
}

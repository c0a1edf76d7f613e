/** The host of a URL in a text, by the WHATWG's rules. */

interface NamedHost {
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
const plainAuthority =
  /^[a-z][a-z0-9+.-]*:\/\/(?:[\w.~%!$&+=-]*(?::[\w.~%!$&+=-]*)?@)?(\[[^\]/?#@]*\]|[^/?#@:]+)(?::\d*)?(?:$|\/|[?#][^@]*$)/i

/** @param text any text, of a length limited by the caller */
export function hostOf(text: string): NamedHost {
  const direct = parse(text)
  if (direct?.host) {
    const host = bare(direct.hostname)
    const written = plainAuthority.exec(text)?.[1]
    return { host, isSure: written !== undefined && isPlain(bare(written), host) && !oddCharacters.test(text) }
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

/**
 * An IPv4 address in the usual notation, and others that some parsers read as one: `0x7f.1`, `2130706433`,
 * `0177.0.0.1`.
 */
const address = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
const numeric = /(?:^|\.)(?:0x[0-9a-f]*|\d+)$/
/** IPv6 addresses that embed an IPv4 address (RFC 4291, 2.5.5.2, and RFC 6052). */
const embedding = /^\[(?:::ffff:|64:ff9b:)/
const ascii = /^[\x21-\x7e]+$/

/**
 * Whether a host is written in its canonical form. Parsers disagree on an address in another notation: some see the
 * same address, others a different one or none. The same holds for international names that contain compatibility
 * forms.
 */
function isPlain(written: string, host: string): boolean {
  if (embedding.test(host) || (numeric.test(host) && !address.test(host))) return false
  return ascii.test(written) ? written === host : written.normalize('NFKC') === written
}

/**
 * Who may use a sidecar. It adds its own token to calls without one, so whatever can reach this machine's loopback
 * address could use that token. It must not be available to a web page, to a name that points here (DNS rebinding), or
 * to another sidecar.
 */
import type { IncomingMessage } from 'node:http'
import { notAProxy, type RequestTarget } from '../../ingress/refusal/not-a-proxy.ts'
import { Refused } from '../../ingress/refusal/refused.ts'
import { requestHeaders } from '../../protocol/headers.ts'
import { isKnownHost, type HostRules } from '../known-host.ts'

interface GateRules extends HostRules {
  /**
   * Whether the request came over a Unix socket, whose file permissions decide who may connect: no host name is
   * involved.
   */
  readonly isLocal: boolean
}

/** Whether a request comes from another sidecar. */
export function comesFromSidecar(req: IncomingMessage): boolean {
  return req.headers[requestHeaders.sidecar] !== undefined
}

/**
 * Why a request is refused; undefined if it is not.
 * @param target of its request line; a host in it counts like that of the `Host` header
 */
export function gateRefusal(req: IncomingMessage, { authority }: RequestTarget, rules: GateRules): Refused | undefined {
  if (authority !== undefined && !rules.isLocal && !isKnownHost(authority, rules))
    return notAProxy(baseUrlOf(rules.port))
  if (!rules.isLocal && !isKnownHost(req.headers.host ?? '', rules)) return new Refused('host_not_allowed')
  if (comesFromBrowser(req)) return new Refused('browser_not_allowed')
  if (req.method === 'POST' && !isJson(req.headers['content-type']))
    return new Refused('unsupported_media_type', { sentence: mediaTypeSentence })
  return undefined
}

/** The base URL for SDKs. */
export function baseUrlOf(port: number | undefined): string {
  return port === undefined ? 'http://localhost/v1' : `http://localhost:${port}/v1`
}

const mediaTypeSentence = 'A sidecar takes application/json only: send that as content-type.'

/**
 * A browser names the page that makes a request (`Origin`), or if it does not, as for an image, how the page and the
 * URL are related (`Sec-Fetch-Site`). Programs send neither; Node's `fetch` only sends `Sec-Fetch-Mode`.
 */
function comesFromBrowser({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

/** A page can send any other type without the browser asking first (CORS preflight). */
const isJson = (contentType: string | undefined): boolean => /^application\/json\s*(?:;|$)/i.test(contentType ?? '')

/**
 * The web proxy that an environment names, in `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` or the same in small letters,
 * which count first. As for curl (https://curl.se/docs/manpage.html#ENVIRONMENT), an address without a scheme is one of
 * plain http.
 */
import type { ConfigFault, Environment } from './reader.ts'

/** For undici's `EnvHttpProxyAgent`, which would otherwise read the process's environment. Empty: there is none. */
interface WebProxy {
  readonly httpProxy: string
  readonly httpsProxy: string
  readonly noProxy: string
}

const proxyNames = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'] as const
const protocols = ['http:', 'https:', 'socks5:', 'socks:']

export function webProxy(env: Environment): WebProxy {
  return {
    httpProxy: proxyAddress(env['http_proxy'] || env['HTTP_PROXY'] || ''),
    httpsProxy: proxyAddress(env['https_proxy'] || env['HTTPS_PROXY'] || ''),
    noProxy: env['no_proxy'] || env['NO_PROXY'] || ''
  }
}

export const hasProxy = ({ httpProxy, httpsProxy }: WebProxy): boolean => httpProxy !== '' || httpsProxy !== ''

/** The address of a proxy with its scheme. */
export function proxyAddress(text: string): string {
  const address = text.trim()
  return address === '' || address.includes('://') ? address : `http://${address}`
}

/** The faults of the addresses, which the library reports by neither name nor rule. */
export function proxyFaults(env: Environment): ConfigFault[] {
  const faulty = proxyNames.filter((name) => env[name] && !isProxy(URL.parse(proxyAddress(env[name]))))
  const rule = 'must be the address of a proxy, such as http://proxy.example:3128, with its login percent-encoded'
  return faulty.map((name) => ({ name, rule }))
}

function isProxy(url: URL | null): boolean {
  if (url === null || !protocols.includes(url.protocol)) return false
  try {
    decodeURIComponent(url.username + url.password)
    return true
  } catch {
    return false
  }
}

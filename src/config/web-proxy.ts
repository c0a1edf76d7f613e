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

const httpNames = ['http_proxy', 'HTTP_PROXY'] as const
const httpsNames = ['https_proxy', 'HTTPS_PROXY'] as const
const protocols = ['http:', 'https:', 'socks5:', 'socks:']

export function webProxy(env: Environment): WebProxy {
  return {
    httpProxy: proxyAddress(firstSet(env, httpNames)),
    httpsProxy: proxyAddress(firstSet(env, httpsNames)),
    noProxy: env['no_proxy'] || env['NO_PROXY'] || ''
  }
}

const firstSet = (env: Environment, names: readonly string[]): string =>
  env[names.find((name) => env[name]) ?? ''] ?? ''

export const hasProxy = ({ httpProxy, httpsProxy }: WebProxy): boolean => httpProxy !== '' || httpsProxy !== ''

/** The address of a proxy with its scheme. */
export function proxyAddress(text: string): string {
  const address = text.trim()
  return address === '' || address.includes('://') ? address : `http://${address}`
}

/**
 * What to check besides, where a connection to `base` failed: the system reports a proxy that is not there as if the
 * host itself were not. Whether `NO_PROXY` excepts the host is the library's to know, so the words leave it open.
 * @param base an http or https URL
 * @returns the end of a sentence, or nothing if no proxy is set for such URLs
 */
export function proxyRemedy(env: Environment, base: string): string {
  // As the library does, which sends https through the other proxy if only that is set.
  const names = base.startsWith('https:') ? [...httpsNames, ...httpNames] : httpNames
  const name = names.find((known) => env[known])
  return name === undefined ? '' : `, and the proxy in ${name} unless NO_PROXY names the host`
}

/** The faults of the addresses, which the library reports by neither name nor rule. */
export function proxyFaults(env: Environment): ConfigFault[] {
  const faulty = [...httpNames, ...httpsNames].filter(
    (name) => env[name] && !isProxy(URL.parse(proxyAddress(env[name])))
  )
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

/** The service's base URL, from the URL that a sensor is given. */

/** Endings of the base URLs for SDKs, which may repeat `/v1`; a sensor that is given such a URL means the service itself. */
const ingressSuffix = /\/api\/ingress(?:\/v1)*$/

/**
 * The service's base URL from what a user set as `SERVICE_INGRESS_TARGET` or target: with or without `/api/ingress`,
 * `/api/ingress/v1` and trailing slashes. A path before them, as behind a gateway, is kept.
 * @returns a URL without a trailing slash, to which `/api/...` is appended
 * @throws TypeError that states the rule and never repeats the text, which may hold a credential
 */
export function serviceBase(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new TypeError('The target must be an http or https URL.')
  if (url.username !== '' || url.password !== '') throw new TypeError('The target must not hold credentials.')
  if (text.includes('?') || text.includes('#')) throw new TypeError('The target must not have a query or a fragment.')
  const path = url.pathname
    .replace(/(?<!\/)\/+$/, '')
    .replace(ingressSuffix, '')
    .replace(/(?<!\/)\/+$/, '')
  return url.origin + path
}

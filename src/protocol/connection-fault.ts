/**
 * Why a connection failed, as the code that the runtime gives: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. An operator needs it,
 * and unlike the error's message it names no address.
 */

/** Names of `X509_verify_cert_error` as Node.js gives them, and its own for a host name that does not fit. */
const certificateFaults = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE'
])

/** The code of an error of the system, of TLS or of the HTTP client; undefined where it has none of their form. */
export function connectionFault(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  return typeof code === 'string' && /^(?=.*E)[A-Z][A-Z0-9_]{3,60}$/.test(code) ? code : undefined
}

/** Faults that trusting another authority does not mend, and what does. */
const certificateRemedies: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired; have it renewed, or set the clock of this machine if it is ahead',
  CERT_NOT_YET_VALID: 'it is not valid yet; set the clock of this machine if it is behind',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is made out to another name; check the host of the address, and what answers there'
}

/** Mends most certificates that are not trusted: those of a private authority, and of a proxy that inspects TLS. */
export const trustRemedy = 'set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of its authority'

/**
 * What an operator does about a certificate that is not trusted, as the end of a sentence.
 * @param trust how its authority is named to this program
 */
export const certificateRemedy = (code: string | undefined, trust = trustRemedy): string =>
  (code === undefined ? undefined : certificateRemedies[code]) ?? trust

/** Whether the other side was reached and its certificate is not trusted. */
export const isCertificateFault = (code: string | undefined): boolean =>
  code !== undefined && certificateFaults.has(code)

/**
 * Why a connection failed, as the runtime's code: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. Operators need it, and unlike the
 * error's message it names no address.
 */

/** Names of `X509_verify_cert_error` in Node.js, and its own for a host name that does not match. */
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

/** The code of an error of the system, of TLS or of the HTTP client; undefined if it has no code of that form. */
export function connectionFault(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  return typeof code === 'string' && /^(?=.*E)[A-Z][A-Z0-9_]{3,60}$/.test(code) ? code : undefined
}

/** Faults that trusting another certificate authority does not fix, and what does. */
const certificateRemedies: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired; have it renewed, or set the clock of this machine if it is ahead',
  CERT_NOT_YET_VALID: 'it is not valid yet; set the clock of this machine if it is behind',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is made out to another name; check the host of the address, and what answers there'
}

/** Fixes most untrusted certificates: those of a private authority, and of a proxy that inspects TLS. */
export const trustRemedy = 'set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of its authority'

/**
 * What an operator can do about an untrusted certificate, as the end of a sentence.
 * @param trust how to make this program trust the certificate's authority
 */
export const certificateRemedy = (code: string | undefined, trust = trustRemedy): string =>
  (code === undefined ? undefined : certificateRemedies[code]) ?? trust

/** Whether the peer was reached but its certificate is not trusted. */
export const isCertificateFault = (code: string | undefined): boolean =>
  code !== undefined && certificateFaults.has(code)

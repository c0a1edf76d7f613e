/**
 * Certificates of a private authority, encoded in DER here (RFC 5280), so that TLS tests need no program besides the
 * runtime. Valid for the loopback address and `localhost`, from yesterday on, unless requested otherwise.
 */
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

interface IssuedCertificate {
  /** PEM. */
  readonly cert: string
  /** PEM, PKCS #8. */
  readonly key: string
}

export interface CertificateValidity {
  /** Remaining validity from now; a month by default. Negative for an expired certificate. */
  readonly lastsMs?: number
  /** Start of validity from now; a day ago by default. Positive for a certificate that is not valid yet. */
  readonly beginsInMs?: number
  /** The only host that the certificate is valid for. */
  readonly host?: string
}

interface CertificateAuthority {
  /** PEM of the authority's own certificate, for clients that trust it. */
  readonly cert: string
  /**
   * @param commonName distinguishes this certificate from others
   * @param validity makes an invalid certificate
   */
  issue(commonName: string, validity?: CertificateValidity): IssuedCertificate
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const octets = (part: Uint8Array): Buffer => der(0x04, part)
const bits = (part: Uint8Array): Buffer => der(0x03, Buffer.of(0), part)
const truth = der(0x01, Buffer.of(0xff))
/** An object identifier from the bytes of its value. */
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const time = (ms: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().replaceAll(/\D/g, '').slice(2, 14)}Z`))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const name = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(commonName)))))

const isAuthority = sequence(oid('551d13'), truth, octets(sequence(truth)))
const alternativeNames = (...names: readonly Buffer[]): Buffer => sequence(oid('551d11'), octets(sequence(...names)))
const dnsName = (host: string): Buffer => der(0x82, Buffer.from(host))
const forLoopback = alternativeNames(dnsName('localhost'), der(0x87, Buffer.of(127, 0, 0, 1)))
const dayMs = 86_400_000
const monthMs = 30 * dayMs

interface Subject {
  readonly subject: string
  readonly publicKey: KeyObject
  readonly extension: Buffer
  readonly beginsInMs: number
  readonly lastsMs: number
}

function certificate(
  { subject, publicKey, extension, beginsInMs, lastsMs }: Subject,
  issuer: string,
  key: KeyObject
): string {
  const now = Date.now()
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    name(issuer),
    sequence(time(now + beginsInMs), time(now + lastsMs)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension))
  )
  const whole = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, key)))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

export function createCertificateAuthority(): CertificateAuthority {
  const authority = 'Test Authority'
  const { publicKey, privateKey } = newKey()
  return {
    cert: certificate(
      { subject: authority, publicKey, extension: isAuthority, beginsInMs: -dayMs, lastsMs: monthMs },
      authority,
      privateKey
    ),
    issue(commonName, { beginsInMs = -dayMs, lastsMs = monthMs, host } = {}) {
      const own = newKey()
      const extension = host === undefined ? forLoopback : alternativeNames(dnsName(host))
      const subject = { subject: commonName, publicKey: own.publicKey, extension, beginsInMs, lastsMs }
      return {
        cert: certificate(subject, authority, privateKey),
        key: own.privateKey.export({ type: 'pkcs8', format: 'pem' })
      }
    }
  }
}

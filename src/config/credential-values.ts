/** The values by which a program recognises its own credentials in a text. */
import { isSecretValue } from '../detection/values/generic-value.ts'
import { passwordName } from '../detection/values/key-names.ts'
import { credentialsOf } from './credentials-of.ts'
import type { Secret } from './secret.ts'

/** Shorter credentials are words more often than secrets. */
const credentialUnitsMin = 12
/** A longer text is no word; of such texts only those are left alone that show by their beginning what they are. */
const judgedUnitsMax = 512

/** The distinct credentials in these secrets. */
export function credentialValues(secrets: Iterable<Secret>): string[] {
  return [...new Set([...secrets].flatMap((secret) => credentialsOf(secret.reveal())).filter(isCredential))]
}

/**
 * Whether a value is worth looking for: upstreams that need no key are often given a word in its place
 * (`no-key-required`), which prompts may contain. So only what would also be found beside a key's name counts.
 */
export function isCredential(text: string): boolean {
  return (
    text.length >= credentialUnitsMin &&
    (text.length > judgedUnitsMax
      ? !isOpen(text)
      : isSecretValue(text, 0, text.length, passwordName, { quoted: true, doubtful: false, uuids: true }))
  )
}

/** Public keys and certificates without a private key beside them, and lists of paths. */
function isOpen(text: string): boolean {
  if (/^(?:sk-)?(?:ssh|ecdsa)-|^-----BEGIN (?:[A-Z0-9 ]*PUBLIC KEY|CERTIFICATE)-/.test(text))
    return !text.includes('PRIVATE')
  return /^[~.]?\/[^:]*:[~.]?\//.test(text)
}

/**
 * The placeholder that replaces a masked value in a text. A keyed placeholder is `EMAIL_7Q2MKX4TAB`: the kind's label
 * and ten base32 characters of a keyed digest of the value. It is a valid identifier, so masked code, JSON, YAML and
 * URLs stay valid. The same value has the same placeholder in every turn, thread and instance without stored state:
 * prompt caches stay warm, and the model can tell identities apart.
 */
import type { RedactionProfile } from './profile.ts'

/** A keyed digest of a value: at least 7 bytes, the same for the same value in one workspace. */
export type ValueDigest = (value: string) => Uint8Array

export interface Placeholders {
  /** The text that replaces `value`. */
  of(label: string, value: string): string
}

const base32Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Number of characters after the `_` at the end of a keyed placeholder. */
export const tagUnits = 10

/** The first 50 bits of a digest in RFC 4648 base32: ten characters. */
function tag(digest: Uint8Array): string {
  let out = ''
  let bits = 0
  let held = 0
  for (let i = 0; out.length < tagUnits; i++) {
    held = (held << 8) | (digest[i] as number)
    bits += 8
    while (bits >= 5 && out.length < tagUnits) {
      bits -= 5
      out += base32Digits.charAt((held >>> bits) & 31)
    }
    held &= (1 << bits) - 1
  }
  return out
}

/**
 * The placeholders of one request. If two values would share a placeholder, the later one is replaced by its label
 * only, so that one placeholder never stands for two values.
 * @param digest keyed by the workspace; the only secret needed here, passed in so that this module stays pure
 */
export function createPlaceholders(mode: RedactionProfile['placeholder'], digest: ValueDigest): Placeholders {
  if (mode === 'typed') return { of: (label) => label }
  const byValue = new Map<string, string>()
  const owners = new Map<string, string>()
  return {
    of(label, value) {
      const key = `${label} ${value}`
      const known = byValue.get(key)
      if (known !== undefined) return known
      const keyed = `${label}_${tag(digest(value))}`
      const owner = owners.get(keyed)
      const made = owner === undefined || owner === value ? keyed : label
      owners.set(keyed, owner ?? value)
      byValue.set(key, made)
      return made
    }
  }
}

/** Placeholders in masked texts, and comparison of bodies after their values are restored. */
import assert from 'node:assert/strict'

const form = /[A-Z][A-Z0-9_]*_[A-Z2-7]{10}(?![A-Z0-9_])/

/** All keyed placeholders of a text, in order. */
export function placeholdersIn(text: string): string[] {
  return text.match(new RegExp(form, 'g')) ?? []
}

/**
 * Asserts that `received` equals `sent` byte for byte except for the given values, each of which is replaced everywhere
 * by one placeholder of its own.
 * @returns the placeholder of each value
 */
export function assertOnlyMasked(sent: string, received: string, values: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  const sticky = new RegExp(form, 'y')
  let at = 0
  for (const piece of splitAt(sent, values)) {
    if (!values.includes(piece)) {
      assert.equal(received.slice(at, at + piece.length), piece, `differs near byte ${at} of what arrived`)
      at += piece.length
      continue
    }
    sticky.lastIndex = at
    const placeholder = sticky.exec(received)?.[0]
    assert.ok(placeholder, `no placeholder at ${at}, but ${received.slice(at, at + 40)}`)
    assert.equal(placeholder, found.get(piece) ?? placeholder, 'one value, two placeholders')
    found.set(piece, placeholder)
    at += placeholder.length
  }
  assert.equal(received.slice(at), '', 'more arrived than was sent')
  assert.equal(new Set(found.values()).size, found.size, 'two values share a placeholder')
  return found
}

function splitAt(text: string, values: readonly string[]): string[] {
  const escaped = values.map((value) => value.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return values.length === 0 ? [text] : text.split(new RegExp(`(${escaped.join('|')})`)).filter((piece) => piece !== '')
}

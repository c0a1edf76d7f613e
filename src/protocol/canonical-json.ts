/** One text for one value: what is hashed or signed is written in this form. */

/**
 * JSON with sorted keys (by UTF-16 code units) and no white space: the same value always gives the same text. Members
 * that are undefined are left out.
 * @throws TypeError for what JSON cannot hold
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
    return `{${members.join(',')}}`
  }
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`a ${typeof value} has no JSON form`)
  return text
}

/** One text for one value: what is hashed or signed is written in this form. */

/**
 * JSON with sorted keys (by UTF-16 code units) and no white space: the same value always gives the same text. Members
 * that are undefined are left out.
 * @throws TypeError for what JSON cannot hold
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) return objectText(value as Readonly<Record<string, unknown>>)
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`a ${typeof value} has no JSON form`)
  return text
}

function objectText(value: Readonly<Record<string, unknown>>): string {
  let members = ''
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(value[key])}`
  }
  return `{${members}}`
}

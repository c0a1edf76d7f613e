/** Canonical JSON: the form in which values are hashed or signed. */

/**
 * JSON with sorted keys (by UTF-16 code units) and no white space: equal values always give the same text. Undefined
 * members are omitted.
 * @throws TypeError for what JSON cannot hold
 */
export function canonicalJson(value: unknown): string {
  return isInForm(value) ? JSON.stringify(value) : textOf(value)
}

/** Whether `JSON.stringify` gives the canonical form, several times faster: all keys are in order. */
function isInForm(value: unknown): boolean {
  if (typeof value !== 'object')
    return typeof value === 'string' || typeof value === 'number' || value === true || value === false
  if (value === null) return true
  if (Array.isArray(value)) return value.every(isInForm)
  // Other objects may have a `toJSON`, or content that is not in members.
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  let last = ''
  for (const key of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[key]
    // Both omit undefined members.
    if (key < last || (member !== undefined && !isInForm(member))) return false
    last = key
  }
  return true
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  if (typeof value === 'object' && value !== null) return objectText(value as Readonly<Record<string, unknown>>)
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`a ${typeof value} has no JSON form`)
  return text
}

function objectText(value: Readonly<Record<string, unknown>>): string {
  let members = ''
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${textOf(value[key])}`
  }
  return `{${members}}`
}

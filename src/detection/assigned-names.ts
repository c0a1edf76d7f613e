/** How the names end to which secrets are assigned. */
import type { Assignment } from './assignments.ts'
import { charSet, foldCode, inSet } from './chars.ts'

/** Whether a name ends as `[start, end)` of another text does, whatever the joints and cases of both are. */
export function endsIn(
  text: string,
  nameStart: number,
  nameEnd: number,
  other: string,
  start: number,
  end: number
): boolean {
  let i = nameEnd
  for (let k = end - 1; k >= start; k--) {
    const code = other.charCodeAt(k)
    if (inSet(nameJointSet, code)) continue
    do i--
    while (i >= nameStart && inSet(nameJointSet, text.charCodeAt(i)))
    if (i < nameStart || foldCode(text.charCodeAt(i)) !== foldCode(code)) return false
  }
  return true
}

const nameJointSet = charSet('_-')

/** Ends of names under which even a UUID is a secret; keys of records are UUIDs as well. */
const uuidNames = [
  'token',
  'secret',
  'secretkey',
  'apikey',
  'accesskey',
  'privatekey',
  'authkey',
  'signingkey',
  'masterkey',
  'licensekey',
  'password',
  'passwd',
  'pwd',
  'passphrase'
]

/** Whether the name says beyond doubt that its value is a secret. */
export function namesToken(text: string, { nameStart, nameEnd }: Assignment): boolean {
  for (const word of uuidNames) if (endsIn(text, nameStart, nameEnd, word, 0, word.length)) return true
  return text.startsWith('x-', nameStart) && endsIn(text, nameStart, nameEnd, 'key', 0, 3)
}

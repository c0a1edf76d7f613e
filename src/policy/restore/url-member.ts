/** Which arguments of a tool are URLs, by their names. */

/** Longer names are none of these. */
export const memberUnitsMax = 40

const endings = ['url', 'uri', 'href', 'link', 'src', 'endpoint', 'webhook', 'website', 'location']

/** Whether a member of this name holds one URL or a list of them: `url`, `imageUrl`, `base_uri`, `links`. */
export function namesUrl(member: string): boolean {
  if (member === '' || member.length >= memberUnitsMax) return false
  const name = member.toLowerCase()
  return endings.some((ending) => name.endsWith(ending) || name.endsWith(`${ending}s`))
}

/** What gives access in the text of a setting: an API key is all of it, of an address or of headers it is a part. */
import { isUuid } from '../protocol/headers.ts'

/**
 * The credentials in a setting's text. May hold others beside them, such as the address of a tenant in a header: whoever
 * searches for them judges each.
 */
export function credentialsOf(text: string): string[] {
  if (text.includes('://') && URL.canParse(text)) return ofUrl(new URL(text))
  return [text, ...headersIn(text).flatMap(ofHeader)]
}

/** Names of headers and of parameters of an address whose values give access. */
const grantingNames = /auth|key|token|secret|password|cookie/i

/**
 * The password of an address, and parameters that give access, as in `?api_key=X` and `?password=X`. A token that needs
 * no password stands in the place of the name.
 */
function ofUrl({ username, password, searchParams }: URL): string[] {
  const credential = password === '' ? username : password
  const parameters = [...searchParams].flatMap(([name, value]) =>
    grantingNames.test(name) ? [value, encodeURIComponent(value)] : []
  )
  return [credential, decoded(credential), ...parameters]
}

/**
 * The values of `name=value,...`, percent-decoded as far as that is possible. Whatever else may be wrong with the list is
 * for its reader to say: a value in it is no less secret.
 */
function headersIn(list: string): Header[] {
  return list.split(',').flatMap((part) => {
    const at = part.indexOf('=')
    if (at < 0) return []
    const [name, value] = [part.slice(0, at).trim(), part.slice(at + 1).trim()]
    return [value, decoded(value)].map((text) => ({ name, value: text }))
  })
}

export interface Header {
  readonly name: string
  readonly value: string
}

/** Whether the name of a header says that its value gives access. */
export const isGranting = (name: string): boolean => grantingNames.test(name)

/**
 * `Bearer X` and the like; of `Basic X` also the password. A UUID is the id of a tenant, which programs contain, unless
 * the name of its header promises more.
 */
export function ofHeader({ name, value }: Header): string[] {
  if (isUuid(value) && !isGranting(name)) return []
  const credential = value.slice(value.lastIndexOf(' ') + 1)
  const login = /^basic /i.test(value) ? Buffer.from(credential, 'base64').toString('utf8') : ''
  return [credential, login.slice(login.indexOf(':') + 1)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

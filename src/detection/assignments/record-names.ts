/**
 * Names of users and hosts beside a password that have a value of their own: `user: bob`, `host=nas.local`,
 * `https://nas.local`.
 */
import { charSet, codeAt, countOf, digitSet, dottedNameSet, inSet, letterSet, runEnd, runStart } from '../text/chars.ts'
import { Places } from '../text/places.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(','))

const userNames = words(
  'user,username,user name,user id,login,login name,login id,userid,uid,usr,uname,account,account name,db user,dbuser,benutzer,' +
    'benutzername,usuario,usuária,usuário,utilisateur,identifiant,utente,nome utente,gebruiker,gebruikersnaam,użytkownik,' +
    'nazwa użytkownika,kullanıcı adı,kullanıcı,логин,пользователь,имя пользователя,користувач,användare,användarnamn,bruker,' +
    'brukernavn,bruger,brugernavn,käyttäjä,käyttäjätunnus,tunnus,uživatel,užívateľ,felhasználó,utilizator,' +
    '用户名,用户,账号,帐号,使用者,ユーザー名,ユーザー,아이디,사용자'
)
/** Labels of a mail address, which identifies the user. */
const mailNames = words('email,e-mail,mail,email address,e-mail address,email id,correo,courriel,e-posta,почта,邮箱')
const hostNames = words(
  'host,hostname,server,address,url,uri,endpoint,ip,ip address,addr,port,database,db,dbname,smtp,domain,ssid,site,website,link,' +
    'wifi,wi-fi,wlan,network,network name,wifi name,netzwerk,réseau,red,rede,rete,сеть,сервер,адрес'
)
const networks = words('ssid,wifi,wi-fi,wlan,network,network name,wifi name')

/** What a name stands for, as bits. `address`: the host is an address, or the network has a name. */
const parts = { user: 1, host: 2, address: 4 } as const

/** The names in a record, read line by line. A single object serves all records and holds no text. */
export class RecordNames {
  #found = 0
  get user(): boolean {
    return (this.#found & parts.user) !== 0
  }

  get host(): boolean {
    return (this.#found & parts.host) !== 0
  }

  get isAddressed(): boolean {
    return (this.#found & parts.address) !== 0
  }

  /** Begins the next record. */
  clear(): void {
    this.#found = 0
  }

  /**
   * Adds the names that stand in `[from, to)` with a value.
   * @param textNumber identifies the text, so that what was read of it counts again; 0 for none
   */
  read(text: string, from: number, to: number, textNumber: number): void {
    for (let i = signs.read(text, from, to, textNumber); i < signs.count && signs.place(i) < to; i++) {
      const at = signs.place(i)
      // A name that the range cuts is another one.
      this.#found |= at - from < nameReach ? meaningAt(text, at, from) : signs.found(i)
    }
  }
}

/** The signs behind names, and what these stand for: in a file of settings, each line would read those around it again. */
const signs = new Places((text, at) => (isSign(text.charCodeAt(at)) ? meaningAt(text, at, 0) : undefined))

function isSign(code: number): boolean {
  return code < 128 ? inSet(signSet, code) : code === wideColon
}

/** What stands between a name and its value. */
export const signSet = charSet(':=>|\t')
const wideColon = 0xff1a
const wrapsMax = 4
/** What may stand around a name or a value. */
export const wrapSet = charSet(' "\'\t])*`')
const blanksMax = 40
const foreignFrom = 0xc0
const labelUnitsMax = 24
/** How far before a sign its name may begin. */
const nameReach = labelUnitsMax + wrapsMax

/** What the name before the sign at `at` stands for; it does not begin before `from`. 0 for nothing. */
function meaningAt(text: string, at: number, from: number): number {
  const end = runStart(text, at, wrapSet, wrapsMax)
  const start = labelStart(text, end, from)
  if (text.startsWith('://', at) && at - start > 2) return parts.host | parts.address
  return start < end ? meaningOf(text, start, end, at + 1) : 0
}

/**
 * What the label in `[start, end)` names, if it has a value behind `from`. A label may be two words, or the last of
 * them.
 */
function meaningOf(text: string, start: number, end: number, from: number): number {
  const label = text.slice(start, end).toLowerCase().replaceAll('_', ' ').trimStart()
  const last = label.slice(Math.max(label.lastIndexOf(' '), label.lastIndexOf('.'), label.lastIndexOf('-')) + 1)
  const name = userNames.has(label) || mailNames.has(label) || hostNames.has(label) ? label : last
  const isMail = mailNames.has(name)
  if (!isMail && !userNames.has(name) && !hostNames.has(name)) return 0
  const at = runEnd(text, from, openSet, blanksMax)
  const valueTo = valueEnd(text, at)
  if (valueTo - at < 2 || types.has(text.slice(at, valueTo).toLowerCase())) return 0
  if (isMail) return text.slice(at, valueTo).indexOf('@') > 0 ? parts.user : 0
  if (userNames.has(name)) return parts.user
  return isAddress(text, at, valueTo) || networks.has(name) ? parts.host | parts.address : parts.host
}

/** Where the label that ends at `end` begins: letters of any alphabet, with one blank between two words. */
function labelStart(text: string, end: number, from: number): number {
  const least = Math.max(from, end - labelUnitsMax)
  let start = end
  while (start > least) {
    const code = text.charCodeAt(start - 1)
    const isLetter = inSet(dottedNameSet, code) || code >= foreignFrom
    if (!isLetter && !(code === 32 && start < end && inSet(lettersBefore, codeAt(text, start - 2)))) break
    start--
  }
  return start
}
const lettersBefore = letterSet.map((bit, code) => (code > 127 ? 1 : bit))

/** Whether it is the address of something: `10.0.0.4`, `nas.local`, `localhost`. */
function isAddress(text: string, start: number, end: number): boolean {
  const dot = text.slice(start, end).indexOf('.')
  if (dot > 0 && start + dot < end - 1) return true
  return text.startsWith('localhost', start) || countOf(text, start, end, digitSet) > 1
}

const types = new Set(
  'string str text username user name host hostname none null undefined true false required optional int integer'.split(
    ' '
  )
)

/** The end of the value that begins at `at`; `at` if it is a type, a placeholder or an expression. */
function valueEnd(text: string, at: number): number {
  let end = at
  while (end < at + valueUnitsMax && (inSet(valueSet, codeAt(text, end)) || codeAt(text, end) >= foreignFrom)) end++
  return end
}
const openSet = charSet(' \t"\'=*`|')
const valueSet = charSet('A-Z', 'a-z', '0-9', '_.@/:\\-+')
const valueUnitsMax = 64

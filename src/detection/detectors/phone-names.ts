/** Words that announce a telephone number, in the languages that people write to agents in. */
import { charSet, codeAt, inSet, letterSet, lowerSet, runStart, upperSet } from '../text/chars.ts'
import { isWholeWord } from '../engine/context-words.ts'

/** Lower case, the longest of those that begin alike first. */
export const phoneNames: readonly string[] = [
  'phone',
  'mobile',
  'telephone',
  'whatsapp',
  'fax',
  'tel:',
  'tel.',
  'tel ',
  'call me',
  'reach me',
  'text me',
  'ring me',
  'contact me',
  'cell',
  'my number',
  'number is',
  'contact number',
  'contact no',
  'landline',
  'cellphone',
  'msisdn',
  'mob:',
  'mob.',
  'ph:',
  'tel=',
  '"tel"',
  // German, Dutch, the North
  'telefon',
  'handy',
  'handynummer',
  'telefonnummer',
  'mobilnummer',
  'mobil',
  'rufnummer',
  'meine nummer',
  'telefoonnummer',
  'mobiel',
  'mijn nummer',
  'mitt nummer',
  'mit nummer',
  'puhelin',
  'puhelinnumero',
  'erreichbar unter',
  'erreichen unter',
  'rufen sie mich',
  'ruf mich',
  'rückruf',
  'bel mij op',
  'bereikbaar op',
  // Romance
  'téléphone',
  'portable',
  'mon numéro',
  'mon numero',
  'appelez-moi au',
  'rappelez-moi au',
  'joignable au',
  'joindre au',
  'contactez-moi au',
  'chiamare al',
  'chiamami al',
  'llámame al',
  'llamar al',
  'me ligue',
  'ligue para',
  'teléfono',
  'telefono',
  'móvil',
  'movil',
  'celular',
  'mi número',
  'mi numero',
  'cellulare',
  'mio numero',
  'telefone',
  'telemóvel',
  'meu número',
  'meu numero',
  // Central and Eastern Europe, Turkey, Greece
  'telefonu',
  'mój numer',
  'telefonní číslo',
  'telefonszám',
  'cep',
  'telefon numaram',
  'телефон',
  'тел.',
  'тел:',
  'мобильный',
  'мой номер',
  'номер телефона',
  'мій номер',
  'τηλέφωνο',
  // Asia
  '手机',
  '手機',
  '电话',
  '電話',
  '我的号码',
  '携帯',
  '전화',
  '번호는',
  '휴대폰',
  '연락처',
  'هاتف',
  'جوال',
  'טלפון',
  'फ़ोन',
  'मोबाइल',
  'โทร',
  'điện thoại',
  'nomor hp',
  'telepon'
].toSorted((a, b) => b.length - a.length)

const unitsMax = Math.max(...phoneNames.map((name) => name.length))
const byFirst = Map.groupBy(phoneNames, (name) => name.charAt(0))

/** The word at `at` that announces a number. */
export function phoneNameAt(text: string, at: number): string | undefined {
  const alike = byFirst.get(text.charAt(at).toLowerCase())
  if (alike === undefined) return undefined
  const head = text.slice(at, at + unitsMax).toLowerCase()
  const name = alike.find((one) => head.startsWith(one) && isWholeWord(text, at, at + one.length))
  return name === anyNumber && !isSomebodys(text, at) ? undefined : name
}

/** Orders, cases and parts have numbers too. */
const anyNumber = 'number is'
const owners = new Set(
  (
    'my his her hers our their your whose the that this s new old other best only right correct contact cell home work office desk ' +
    'direct private personal business emergency us uk eu cn support service customer hotline dial callback mobile phone telephone fax whatsapp'
  ).split(' ')
)
const ownerUnitsMax = 12

/** Whether the word before tells whose number it is, or what one is called with; or none does on the line. */
function isSomebodys(text: string, at: number): boolean {
  const to = runStart(text, at, blankSet, ownerUnitsMax)
  const from = runStart(text, to, letterSet, ownerUnitsMax)
  if (from === to || owners.has(text.slice(from, to).toLowerCase())) return true
  // `My Israeli number`.
  const isTitled = inSet(upperSet, codeAt(text, from)) && inSet(lowerSet, codeAt(text, from + 1))
  return isTitled && text.slice(from - 3, from).toLowerCase() === 'my '
}
const blankSet = charSet(' ')

/** Words that announce a telephone number, in the languages that people write to agents in. */
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
  // Romance
  'téléphone',
  'portable',
  'mon numéro',
  'mon numero',
  'appelez-moi au',
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
  return alike.find((name) => head.startsWith(name) && isWholeWord(text, at, at + name.length))
}

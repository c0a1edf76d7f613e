/** Words that announce a telephone number, in the languages in which people write to agents. */
import type { Guard } from '../../anchor-guard.ts'
import {
  charSet,
  type CharSet,
  codeAt,
  inSet,
  letterSet,
  lowerSet,
  plainBlankSet,
  runEnd,
  runStart,
  upperSet,
  wordSet
} from '../../text/chars.ts'
import { spellingsOf } from '../../text/plain-letters.ts'
import { isWholeWord } from '../../text/whole-word.ts'
import { SpelledNames } from '../../text/spelled-names.ts'

/** Lower case. Of names with the same beginning, the longest comes first. */
const plainNames = (
  'phone|mobile|telephone|phnenb|mobnb|*te*|*cp*|*hp*|*wp*|whatsapp|fax|tel:|tel.|tel |call me|reach me|text me|ring me|contact me|cell|' +
  "my number|number is|number's|contact number|emergency contact|in case of emergency|contact d'urgence|" +
  'contact d’urgence|personne à prévenir|contacto de emergencia|contatto di emergenza|contato de emergência|' +
  'notfallkontakt|personne à contacter|persona de contacto|contact no|contact ph|landline|cellphone|msisdn|' +
  'mobile no.|phone no.|mob:|mob.|mob |wa.me/|ph:|ph no|tel=|tel_no|tel no|telno|tel_number|📞|📱|☎|"tel"|call back on|' +
  'callback number|callback no|call-back number|best number|direct line|viber|m-pesa|mpesa|' +
  // German, Dutch, the North
  'telefon|handy|handynummer|telefonnummer|mobilnummer|mobil|telefoon|rufnummer|meine nummer|telefonnr|handynr|' +
  'mobilnr|notfallnr|notfallnummer|festnetz|durchwahl|natel|zurückrufen unter|anrufen unter|' +
  'telefonisch unter|telefoonnummer|telefoonnr|mobiel|mijn nummer|bellen op|terugbellen op|mitt nummer|' +
  'mit nummer|nås på|nå mig på|ring mig|ring meg|tlf|puhelin|puhelinnumero|matkapuhelin|puh|' +
  'erreichbar unter|erreichen unter|rufen sie mich|ruf mich|rückruf|bel mij op|mobilen|ring på|træffes på|' +
  'sms til|bereikbaar op|fon:|mobiltelefon|mobilfunk|rückrufnummer|rückrufnr|rückfragen|festnetznummer|' +
  'mobiele nummer|vast nummer|vaste nummer|06-nummer|tfn|hemtelefon|telnr|mobilnumret|telefonnumret|mobilnummeret|' +
  'telefonnummeret|puhelinnro|puh.nro|puhelinnumeroni|numeroni|kännykkä|sími|símanúmer|farsími|símanúmerið|' +
  // Romance
  'téléphone|tél.|tél:|tél |portable|mon numéro|mon numero|appelez-moi au|rappelez-moi au|rappeler au|' +
  'appeler au|joignable au|joindre au|mon num|mon 06|joindre sur|joignez-moi|appelez le|rappelle-moi|' +
  'rappelle moi|texto au|ligne directe|numéro de ma|numéro de mon|fixe :|fixe:|contactez-moi au|chiamare al|' +
  'chiamami al|richiamare al|richiamarmi al|richiamatemi al|contattatemi al|contattami al|mi trovi al|recapito|chiama il|chiamate il|' +
  'llámame al|llamar al|llamarme al|llamame al|llamadme al|contactar en el|escríbeme al|mensaje al|' +
  'marcar al|comunicarse al|wasap|wsp|mi cel|mi celu|mi whats|número de cel|numero de cel|fijo:|móv.|' +
  'me ligue|ligue para|teléfono|teléf|telefono|telf|tfno|fono|cel:|cel.|cel |móvil|movil|celular|mi número|' +
  'mi numero|cellulare|mio numero|telefone|telemóvel|telemovel|meu número|meu numero|meu zap|meu cel|zap:|' +
  'me chama no|chama no whats|fone|ligue-me para|tlm|telef.|telem.|tm:|rappelé au|rappelée au|recontacter au|' +
  'rappeler le|joignable sur le|mon fixe|port. :|port.:|port :|richiamata al|richiamato al|contattarla al|fisso:|n. tel|' +
  'contactarme al|contactarnos al|localizarme en el|fijo |ligar no|ligar para|' +
  // Central and Eastern Europe, Turkey, Greece
  'telefonu|mój numer|komórka|zadzwoń|dzwoń|dzwonić na|oddzwonić na|oddzwonic na|pod numer|pod nr|mój nr|' +
  'nr kom|kom.|telefonas|telefono numeris|tālrunis|tālr.|tālruņa numurs|telefons|mobilais|mobiil|telefoninumber|' +
  'mobilni|broj telefona|broj mobitela|broj mob|број телефона|telefonska številka|telefonszáma|telefonszámom|' +
  'тэлефон|телефонен номер|сот.|сот:|τηλεφώνου|telefonní číslo|telefónne číslo|zavolejte|volejte|moje číslo|na čísle|na číslo|telefonszám|' +
  'mobilszám|mobitel|cep|telefonum|telefon numaram|телефон|тел.|тел:|моб.|моб:|мобильный|сотовый|мобилен|' +
  'мой номер|номер телефона|мій номер|звоните|телефонуйте|τηλέφωνο|τηλ.|τηλ:|κινητό|το τηλ|τηλ |κιν.|κιν:|' +
  'σταθερό|καλέστε|πάρε με στο|αριθμός μου|kinito|' +
  // Asia and Africa
  '手机|手機|电话|電話|联系电话|联系方式|聯絡電話|我的号码|微信|联系我|致电|来电|拨打|携帯|連絡先|전화|번호는|휴대폰|핸드폰|연락처|هاتف|جوال|موبايل|موبایل|موبائل|' +
  'تلفن|اتصل بي|اتصال بي|טלפון|נייד|फ़ोन|फोन|मोबाइल|मेरा नंबर|mera number|mera no|my no is|phn no|মোবাইল|' +
  'ফোন|โทร|มือถือ|เบอร์|điện thoại|sđt|đt:|telepono|nomor hp|no. hp|no hp|hp:|handphone|hp no|hp is|telepon|telp|' +
  'sdt|di động|số đt|selfoon|sel:|no. tel|no tel|no. wa|दूरभाष|संपर्क नंबर|संपर्क|تليفون|التليفون|محمول|المحمول|' +
  "متحرك|رقم التواصل|شماره تماس|همراه|فون|טל׳|טל'|טל.|פלאפון|סלולרי|הטלפון שלי|市話|ＴＥＬ|simu|" +
  'โทรศัพท์|เบอร์โทรศัพท์|เบอร์มือถือ|เบอร์ติดต่อ|หมายเลขโทรศัพท์|ទូរស័ព្ទ|លេខទូរស័ព្ទ|ဖုန်း|ဖုန်းနံပါတ်|ເບີໂທ|ໂທລະສັບ|ફોન|મોબાઇલ|' +
  'ఫోన్|మొబైల్|ಫೋನ್|ಮೊಬೈಲ್|ഫോൺ|മൊബൈൽ|දුරකථන|ජංගම|ਫ਼ੋਨ|ਫੋਨ|ਮੋਬਾਈਲ|утас|утасны дугаар|հեռախոս|հեռախոսահամար|հեռ.|բջջային|ስልክ|' +
  // Smaller languages of Europe
  'telefonit|telefoni|telèfon|telefonoa|mòbil|guthán|fón póca|uimhir fóin|ffôn'
).split('|')

/**
 * Names in languages whose numbers are eight or nine digits, which stand right behind them: `teléfono 612345678`. In
 * English such digits may be anything.
 */
const shortNumberNames = new Set(
  'telefon telefonu telefonní telefón telefónne teléfono telefono tlf tfno telefone telemóvel telemovel móvil mobil telef'.split(
    ' '
  )
)

/** Whether eight or nine digits right behind the name are a number, with nothing that ties them. */
export function announcesShort(name: string): boolean {
  return shortNumberNames.has(name)
}

/**
 * Words that announce many other things too: the number must be tied to them and be written like one. Words that also
 * name bands, states and verbs require a trunk zero.
 */
const ambiguousNames: readonly string[] = [
  'contact',
  'contacts',
  'kontakt',
  'contacto',
  'contato',
  'контакт',
  'línea',
  'linea',
  ...['gsm 0', 'gsm: 0', 'wa 0', 'wa: 0', 'call 0']
]

/** Letters before the parts of a signature: `T: 020 7946 0958 | M: 07700 900123`. */
const letterNames: readonly string[] = ['t:', 'm:', 'p:', 'f:', 'o:', 'c:', 'd:', 'w:', 'h:']

/** Abbreviations that count only where they fill a cell or a field: in a sentence they are words or parts of words. */
const cellNames: readonly string[] = ['tel', 'tél', 'mob', 'cel', 'gsm', 'hp', 'fisso', 'fijo']
/** What ends a cell, a quoted key, an element or a remark in brackets. */
const cellEndSet = charSet(';,|\t\n\r"\'<)')

export const phoneNames: readonly string[] = [
  ...new Set([...plainNames.flatMap(spellingsOf), ...ambiguousNames, ...letterNames, ...cellNames])
].toSorted((a, b) => b.length - a.length)

const spelled = new SpelledNames(phoneNames)

/** How many units at the end of a name are the first digits of the number, which such a name requires. */
export function trunkUnits(name: string): number {
  return name.endsWith('0') ? 1 : 0
}

/** The word at `at` that announces a number. */
export function phoneNameAt(text: string, at: number): string | undefined {
  const name = spelled.nameAt(text, at, isWhole)
  if (name === undefined || (letterNames.includes(name) && !headsPart(text, at))) return undefined
  if (cellNames.includes(name) && !endsCell(text, at + name.length)) return undefined
  return anyNumbers.includes(name) && !isSomebodys(text, at) ? undefined : name
}

/** Whether a cell, a field or a remark ends at `at`, in a Markdown table behind a blank. */
function endsCell(text: string, at: number): boolean {
  const code = codeAt(text, at)
  return code === 32 ? codeAt(text, at + 1) === 124 : inSet(cellEndSet, code)
}

function isWhole(text: string, at: number, name: string): boolean {
  return isWholeWord(text, at, at + name.length - trunkUnits(name))
}

/** Whether a name announces something other than telephone numbers nearly as often. */
export function isAmbiguousName(name: string): boolean {
  return ambiguousNames.includes(name) || letterNames.includes(name)
}

/** Checks what stands right behind a letter, so that few others are looked at. */
export const letterGuard: Guard = {
  notBefore: wordSet,
  behind: charSet(' (', '0-9'),
  behindUnits: 3
}

/** Checks what stands around a name that must fill a cell. */
export const cellGuard: Guard = {
  notBefore: letterGuard.notBefore as CharSet,
  behind: charSet(' ;,|\t\n\r"\'<)'),
  behindUnits: 1
}

export function isCellName(name: string): boolean {
  return cellNames.includes(name)
}

export function isLetterName(name: string): boolean {
  return letterNames.includes(name)
}

/** Whether only a separator of a signature stands before the letter at `at` on its line, and a number behind it. */
function headsPart(text: string, at: number): boolean {
  if (runEnd(text, at + letterUnits, letterGuard.behind as CharSet, 3) < at + letterUnits + 3) return false
  const before = codeAt(text, runStart(text, at, plainBlankSet, partBlanksMax) - 1)
  // `http://f:4294967377/c`.
  if (text.startsWith('//', at - 2)) return false
  return inSet(partSet, before) || before === 183 || before === 0x2022 || before === 0
}
const partSet = charSet('|/,;\n')
const partBlanksMax = 4
const letterUnits = 2

/** Orders, cases and parts have numbers too. */
const anyNumbers = ['number is', "number's"]
const owners = new Set(
  (
    'my his her hers our their your whose the that this s new old other best only right correct contact cell home work office desk ' +
    'direct private personal business emergency us uk eu cn support service customer hotline dial callback mobile phone telephone fax whatsapp'
  ).split(' ')
)
const ownerUnitsMax = 12

/** Whether the word before says whose number it is or what one is called with, or there is none on the line. */
function isSomebodys(text: string, at: number): boolean {
  const to = runStart(text, at, plainBlankSet, ownerUnitsMax)
  const from = runStart(text, to, letterSet, ownerUnitsMax)
  if (from === to || owners.has(text.slice(from, to).toLowerCase())) return true
  // `My Israeli number`.
  const isTitled = inSet(upperSet, codeAt(text, from)) && inSet(lowerSet, codeAt(text, from + 1))
  return isTitled && text.slice(from - 3, from).toLowerCase() === 'my '
}

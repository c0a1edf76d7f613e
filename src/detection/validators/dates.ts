/** Dates as people write them. */
import { charSet, digitSet, inSet, letterSet, runEnd } from '../text/chars.ts'
import { WordSet } from '../text/word-set.ts'
import { isDay, isYyyymmdd } from './digits.ts'

const monthNames =
  'jan january januar janvier enero gennaio feb february februar février febrero febbraio mar march märz mars marzo apr april avril abril ' +
  'aprile may mai mayo maggio jun june juni juin junio giugno jul july juli juillet julio luglio aug august août agosto sep sept september ' +
  'septembre septiembre settembre oct october oktober octobre octubre ottobre nov november novembre noviembre dec december dezember décembre ' +
  'diciembre dicembre janeiro fevereiro março maio junho julho setembro outubro dezembro januari februari maart mei ' +
  'augustus augusti maj stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia ' +
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря ' +
  // The North, the Baltic
  'marts maj oktober desember júní ágúst tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta ' +
  'elokuuta syyskuuta lokakuuta marraskuuta joulukuuta jaanuar veebruar märts aprill juuni juuli detsember janvāris ' +
  'februāris aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris decembris sausio vasario kovo balandžio ' +
  'gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio ' +
  // Central and Eastern Europe, Greece, Turkey
  'ledna února března dubna května června července srpna září října listopadu prosince januára februára apríla mája júna ' +
  'júla augusta septembra októbra novembra decembra január február március április május június július augusztus ' +
  'szeptember október november december ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie ' +
  'decembrie siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna studenoga januara februara aprila juna ' +
  'jula avgusta oktobra јануара фебруара априла јуна јула августа септембра октобра новембра децембра януари февруари ' +
  'март април май юни юли август септември октомври ноември декември січня лютого березня квітня травня червня липня ' +
  'серпня вересня жовтня грудня ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου ' +
  'οκτωβρίου νοεμβρίου δεκεμβρίου ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık ' +
  // Asia
  'maret agustus mac ogos disember يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر ' +
  'ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר जनवरी फरवरी मार्च अप्रैल मई जून जुलाई ' +
  'अगस्त सितंबर अक्टूबर नवंबर दिसंबर มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม ' +
  'พฤศจิกายน ธันวาคม oktoober janvārī februārī aprīlī maijā jūnijā jūlijā augustā septembrī oktobrī novembrī decembrī'
const monthSet = new WordSet(monthNames.split(' '))
const separators = ' -/.'
const yearMin = 1900
const yearMax = 2035

const fractionDigitsMin = 6

/**
 * Whether a time with a fraction of a second follows the date that ends at `dateTo`, as `stat` prints the birth of a
 * file: `2026-05-11 15:30:16.003465288`.
 */
export function isFileTime(text: string, dateTo: number): boolean {
  const point = dateTo + ' 15:30:16'.length
  const fraction = point + 1
  if (text.charCodeAt(point) !== 46) return false
  return runEnd(text, fraction, digitSet, fractionDigitsMin) === fraction + fractionDigitsMin
}

/** The end of the date that starts at `at`, or -1: `1985-03-12`, `12.3.1985`, `03/12/85`, `12 March 1985`. */
export function dateEnd(text: string, at: number): number {
  return inSet(digitSet, text.charCodeAt(at)) ? numericEnd(text, at) : monthFirstEnd(text, at)
}

function numericEnd(text: string, at: number): number {
  const first = runEnd(text, at, digitSet, 5)
  if (first - at === 5 && runEnd(text, at, digitSet, 9) === at + 8)
    return isBasicDate(text.slice(at, at + 8)) ? at + 8 : -1
  if (ordinals.includes(text.slice(first, first + 2).toLowerCase())) return ordinalEnd(text, at, first)
  const separator = text.charAt(first)
  // `12MAR1985`, as on tickets and visas.
  if (first - at <= 2 && wordEnd(text, first) === first + shortMonthUnits) return monthSecondEnd(text, at, first, first)
  if (separator === '年' || separator === '년') return ideographEnd(text, at, first)
  if (text.startsWith(' tháng ', first)) return vietnameseEnd(text, at, first)
  if (!separators.includes(separator) || separator === '') return -1
  if (text.startsWith('. ', first) && inSet(digitSet, text.charCodeAt(first + 2))) return spacedEnd(text, at, first)
  const month = monthStart(text, first)
  if (month > 0) return first - at === 4 ? yearFirstEnd(text, at, month) : monthSecondEnd(text, at, first, month)
  const second = runEnd(text, first + 1, digitSet, 3)
  if (second === first + 1 || text.charAt(second) !== separator) return -1
  const third = runEnd(text, second + 1, digitSet, 5)
  const parts = [at, first + 1, second + 1].map((from, i) => Number(text.slice(from, [first, second, third][i])))
  const lengths = [first - at, second - first - 1, third - second - 1]
  return isWrittenDate(parts, lengths) ? third : -1
}

/** `12. 3. 1985` and `1985. 3. 12.`, with a blank behind each dot. */
function spacedEnd(text: string, at: number, first: number): number {
  const second = runEnd(text, first + 2, digitSet, 3)
  if (!text.startsWith('. ', second)) return -1
  const third = runEnd(text, second + 2, digitSet, 5)
  const parts = [text.slice(at, first), text.slice(first + 2, second), text.slice(second + 2, third)]
  if (
    !isWrittenDate(
      parts.map(Number),
      parts.map((part) => part.length)
    )
  )
    return -1
  return first - at === 4 && text.charCodeAt(third) === 46 ? third + 1 : third
}

/** `19850312`, the basic format of ISO 8601. */
function isBasicDate(value: string): boolean {
  return isYear(Number(value.slice(0, 4))) && isYyyymmdd(value)
}

function isWrittenDate(parts: readonly number[], lengths: readonly number[]): boolean {
  const [a, b, c] = parts as [number, number, number]
  if (lengths[0] === 4) return isYear(a) && (lengths[2] as number) <= 2 && isDay(b, c, a)
  if ((lengths[0] as number) > 2 || (lengths[1] as number) > 2) return false
  if (lengths[2] !== 2 && (lengths[2] !== 4 || !isYear(c))) return false
  return isDay(b, a) || isDay(a, b)
}

/** Of the Gregorian calendar, or of the Buddhist one that Thailand counts by. */
function isYear(year: number): boolean {
  return (year >= yearMin && year <= yearMax) || (year >= yearMin + buddhist && year <= yearMax + buddhist)
}
const buddhist = 543

/** Where the name of a month begins behind a day: `12 March`, `12. März`, `12 de marzo`; 0 if none does. */
function monthStart(text: string, first: number): number {
  let from = first + 1
  if (text.charCodeAt(first) === 46 && text.charCodeAt(from) === 32) from++
  if (text.startsWith('de ', from)) from += 3
  const code = text.charCodeAt(from)
  return inSet(letterSet, code) || code > 127 ? from : 0
}

const shortMonthUnits = 3

/** `12 March 1985`, `12-Mar-1985`, `12-MAR-85`, `12 de marzo de 1985`. */
function monthSecondEnd(text: string, at: number, first: number, month: number): number {
  const day = Number(text.slice(at, first))
  const name = wordEnd(text, month)
  if (day < 1 || day > 31 || !monthSet.has(text.slice(month, name).toLowerCase())) return -1
  const year = text.startsWith(' de ', name) ? name + 3 : name
  const end = yearEnd(text, year)
  return end < 0 ? shortYearEnd(text, year) : end
}

/** `-85`, `/85` or `85` behind the name of a month, and no time, decimal or number of a house: `12 Mar 10:30`. */
function shortYearEnd(text: string, at: number): number {
  const from = '-/ '.includes(text.charAt(at) || '_') ? at + 1 : at
  const end = runEnd(text, from, digitSet, 3)
  const next = text.charCodeAt(end)
  if (end - from !== 2 || inSet(goesOnSet, next)) return -1
  if (next === 46 && inSet(digitSet, text.charCodeAt(end + 1))) return -1
  return text.charCodeAt(at) === 32 && next === 32 && inSet(letterSet, text.charCodeAt(end + 1)) ? -1 : end
}
const goesOnSet = charSet('A-Z', 'a-z', '_:%')

const ordinals = ['st', 'nd', 'rd', 'th']

/** `3rd March 1985`, `3rd of March, 1985`. */
function ordinalEnd(text: string, at: number, first: number): number {
  const blank = text.startsWith(' of ', first + 2) ? first + 5 : first + 2
  return text.charCodeAt(blank) === 32 && first - at < 3 ? monthSecondEnd(text, at, first, blank + 1) : -1
}

/** The years before the first of each Japanese era since 1912. */
const eras = [
  ['大正', 1911],
  ['昭和', 1925],
  ['平成', 1988],
  ['令和', 2018]
] as const

/** The year that starts at `at`, which may be one of an era that stands before it: `昭和60年`. */
function eraYear(text: string, at: number, end: number): number {
  const era = end - at > 2 ? undefined : eras.find(([name]) => text.startsWith(name, at - name.length))
  return (era?.[1] ?? 0) + Number(text.slice(at, end))
}

/** `1985年3月12日`, `1985년 3월 12일`, `60年3月12日` behind an era. */
function ideographEnd(text: string, at: number, first: number): number {
  const month = pastBlank(text, first + 1)
  const second = runEnd(text, month, digitSet, 3)
  const day = pastBlank(text, second + 1)
  const third = runEnd(text, day, digitSet, 3)
  if (!'月월'.includes(text.charAt(second) || '-') || !'日일'.includes(text.charAt(third) || '-')) return -1
  return isNamedDay(eraYear(text, at, first), text.slice(month, second), text.slice(day, third)) ? third + 1 : -1
}

/** `21 tháng 3 năm 1994`. */
function vietnameseEnd(text: string, at: number, first: number): number {
  const month = first + ' tháng '.length
  const second = runEnd(text, month, digitSet, 3)
  if (!text.startsWith(' năm ', second)) return -1
  const year = second + ' năm '.length
  const third = runEnd(text, year, digitSet, 5)
  return isNamedDay(Number(text.slice(year, third)), text.slice(month, second), text.slice(at, first)) ? third : -1
}

function isNamedDay(year: number, month: string, day: string): boolean {
  return isYear(year) && isDay(Number(month), Number(day), year)
}

function pastBlank(text: string, at: number): number {
  return text.charCodeAt(at) === 32 ? at + 1 : at
}

/** `1955. október 20.`, `1985-Mar-12`, `1964 m. gruodžio 20 d.` */
function yearFirstEnd(text: string, at: number, from: number): number {
  const month = text.startsWith('m. ', from) ? from + 3 : from
  const name = wordEnd(text, month)
  if (!monthSet.has(text.slice(month, name).toLowerCase()) || !separators.includes(text.charAt(name) || '_')) return -1
  const day = runEnd(text, name + 1, digitSet, 3)
  const days = Number(text.slice(name + 1, day))
  return isYear(Number(text.slice(at, at + 4))) && day > name + 1 && days > 0 && days <= 31 ? day : -1
}

/** `March 12, 1985`. */
function monthFirstEnd(text: string, at: number): number {
  const name = wordEnd(text, at)
  if (!monthSet.has(text.slice(at, name).toLowerCase())) return -1
  const from = text.charCodeAt(name) === 46 ? name + 2 : name + 1
  const day = runEnd(text, from, digitSet, 3)
  if (day === from || day - from > 2 || Number(text.slice(from, day)) > 31) return -1
  return yearEnd(text, ordinals.includes(text.slice(day, day + 2).toLowerCase()) ? day + 2 : day)
}

function wordEnd(text: string, at: number): number {
  let i = at
  while (i < at + 12 && (inSet(letterSet, text.charCodeAt(i)) || text.charCodeAt(i) > 127)) i++
  return i
}

function yearEnd(text: string, at: number): number {
  let from = at
  while (from < at + 3 && (separators.includes(text.charAt(from)) || text.charAt(from) === ',')) from++
  const end = runEnd(text, from, digitSet, 5)
  return end - from === 4 && isYear(Number(text.slice(from, end))) ? end : -1
}

/** Dates as people write them. */
import { digitSet, inSet, letterSet, runEnd } from '../text/chars.ts'
import { isDay, isYyyymmdd } from './digits.ts'

const monthNames =
  'jan january januar janvier enero gennaio feb february februar février febrero febbraio mar march märz mars marzo apr april avril abril ' +
  'aprile may mai mayo maggio jun june juni juin junio giugno jul july juli juillet julio luglio aug august août agosto sep sept september ' +
  'septembre septiembre settembre oct october oktober octobre octubre ottobre nov november novembre noviembre dec december dezember décembre ' +
  'diciembre dicembre janeiro fevereiro março maio junho julho setembro outubro dezembro januari februari maart mei ' +
  'augustus augusti maj stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia ' +
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'
const monthSet = new Set(monthNames.split(' '))
const separators = ' -/.'
const yearMin = 1900
const yearMax = 2035

/** The end of a date that starts at a place, or -1: `1985-03-12`, `12.3.1985`, `03/12/85`, `12 March 1985`. */
export function dateEnd(text: string, at: number): number {
  return inSet(digitSet, text.charCodeAt(at)) ? numericEnd(text, at) : monthFirstEnd(text, at)
}

function numericEnd(text: string, at: number): number {
  const first = runEnd(text, at, digitSet, 5)
  if (first - at === 5 && runEnd(text, at, digitSet, 9) === at + 8)
    return isBasicDate(text.slice(at, at + 8)) ? at + 8 : -1
  if (ordinals.includes(text.slice(first, first + 2).toLowerCase())) return ordinalEnd(text, at, first)
  const separator = text.charAt(first)
  if (separator === '年') return ideographEnd(text, at, first)
  if (!separators.includes(separator) || separator === '') return -1
  const month = monthStart(text, first)
  if (month > 0) return monthSecondEnd(text, at, first, month)
  const second = runEnd(text, first + 1, digitSet, 3)
  if (second === first + 1 || text.charAt(second) !== separator) return -1
  const third = runEnd(text, second + 1, digitSet, 5)
  const parts = [at, first + 1, second + 1].map((from, i) => Number(text.slice(from, [first, second, third][i])))
  const lengths = [first - at, second - first - 1, third - second - 1]
  return isWrittenDate(parts, lengths) ? third : -1
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

function isYear(year: number): boolean {
  return year >= yearMin && year <= yearMax
}

/** Where the name of a month begins behind a day: `12 March`, `12. März`, `12 de marzo`; 0 where none does. */
function monthStart(text: string, first: number): number {
  let from = first + 1
  if (text.charCodeAt(first) === 46 && text.charCodeAt(from) === 32) from++
  if (text.startsWith('de ', from)) from += 3
  const code = text.charCodeAt(from)
  return inSet(letterSet, code) || code > 127 ? from : 0
}

/** `12 March 1985`, `12-Mar-1985`, `12 de marzo de 1985`. */
function monthSecondEnd(text: string, at: number, first: number, month: number): number {
  const day = Number(text.slice(at, first))
  const name = wordEnd(text, month)
  if (day < 1 || day > 31 || !monthSet.has(text.slice(month, name).toLowerCase())) return -1
  return yearEnd(text, text.startsWith(' de ', name) ? name + 3 : name)
}

const ordinals = ['st', 'nd', 'rd', 'th']

/** `3rd March 1985`, `3rd of March, 1985`. */
function ordinalEnd(text: string, at: number, first: number): number {
  const blank = text.startsWith(' of ', first + 2) ? first + 5 : first + 2
  return text.charCodeAt(blank) === 32 && first - at < 3 ? monthSecondEnd(text, at, first, blank + 1) : -1
}

/** `1985年3月12日`. */
function ideographEnd(text: string, at: number, first: number): number {
  const second = runEnd(text, first + 1, digitSet, 3)
  const third = runEnd(text, second + 1, digitSet, 3)
  if (text.charAt(second) !== '月' || text.charAt(third) !== '日') return -1
  const [year, month, day] = [text.slice(at, first), text.slice(first + 1, second), text.slice(second + 1, third)].map(
    Number
  ) as [number, number, number]
  return isYear(year) && isDay(month, day, year) ? third + 1 : -1
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

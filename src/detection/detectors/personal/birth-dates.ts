/** Dates of birth, which only their name distinguishes from other dates. */
import { type Detector, type Match, withNext } from '../../detector.ts'
import { charSet, codeAt, digitSet, inSet, runEnd, spaceSet, wordSet } from '../../text/chars.ts'
import { isYymmdd, isYyyymmdd } from '../../validators/digits.ts'
import { birthDateNames } from './birth-date-names.ts'
import { beforeWord, birthWords } from './birth-words.ts'
import { namedValue } from '../../values/named-value.ts'
import { WordSet } from '../../text/word-set.ts'
import { takesDate } from './other-dates.ts'
import { dateEnd, isFileTime } from '../../validators/dates.ts'

const timeSet = charSet('0-9', ':.Z+-')
const timeUnitsMax = 24
/** The date in the first example of https://toml.io/en/v1.0.0, with which every TOML parser is tested. */
const tomlSample = '1979-05-27'

/** Past a time as ISO 8601 appends it to a date: `T00:00:00.000Z`; `at` if there is none. */
function timeEnd(text: string, at: number): number {
  if (codeAt(text, at) !== 84 || codeAt(text, at + 3) !== 58) return at
  return runEnd(text, at + 1, timeSet, timeUnitsMax)
}

const koreanUnits = 6
const koreanName = '생년월일'

/** Whether six digits are a day of birth right behind its Korean name, where they are the usual form: `생년월일: 850312`. */
function isKorean(text: string, at: number): boolean {
  if (runEnd(text, at, digitSet, koreanUnits + 1) !== at + koreanUnits) return false
  return (
    isYymmdd(text.slice(at, at + koreanUnits)) && text.slice(Math.max(0, at - koreanReach), at).includes(koreanName)
  )
}
const koreanReach = 8

const named = namedValue({
  id: 'date_of_birth',
  label: 'BIRTH_DATE',
  title: 'date of birth',
  group: 'pii',
  tier: 'medium',
  names: birthDateNames,
  others: new WordSet([
    'cake',
    'party',
    'card',
    'gift',
    'present',
    'dinner',
    'lunch',
    'drinks',
    'wishes',
    'paradox',
    'attack'
  ]),
  isOfOther: takesDate,
  read(text, at) {
    if (isKorean(text, at)) return at + koreanUnits
    const end = text.startsWith(tomlSample, at) ? -1 : dateEnd(text, at)
    return end < 0 || isFileTime(text, end) ? -1 : timeEnd(text, end)
  },
  hits: () => [
    'Date of birth: 1985-03-12',
    'DOB 03/12/1985',
    'ᲓᲐᲑᲐᲓᲔᲑᲘᲡ ᲗᲐᲠᲘᲦᲘ: 12.03.1984',
    'DOB: 12-Mar-85',
    'date of birth 12 MAR 85',
    'DOB 12MAR1985/M',
    'birth date: 12 march 85.',
    '"birth_date":"12.03.1985"',
    'born on 12 March 1985',
    'My date of birth is the 3rd of March, 1985',
    'DOB: March 3rd 1985',
    'geboren am 3. März 1985',
    'дата рождения: 12.03.1985',
    '出生日期：1985年3月25日',
    'BDAY:19850312',
    'nasci em 12.03.1985',
    'fecha de nacimiento: 12 de marzo de 1985',
    'name;dob;city\nAnna;;Lund\nBo;12.03.1985;Lund',
    'Date of birth\n12/03/1985\nCity',
    'nato/a a Firenze il 10/02/1987',
    'F. Nac. 03/10/1980',
    'patient 4 (b. 01.05.1972)',
    '"fechaNacimiento":"07/12/1985"',
    'dob: 1973-02-23T00:00:00.000Z',
    'DOB after correction: 1985-03-12',
    'dob: before 1990, actual 1985-03-12',
    'Date of birth (after the move): 1985-03-12',
    'DOB updated to 1985-03-12',
    'date of birth recorded as 12.03.1985',
    '<BirthDt>1973-02-23</BirthDt>',
    '{"birth": "1973-02-23"}',
    'Patient *16.04.1973 wird',
    'my birthday is on 12.03.1985',
    'Geburtstag: 12.03.1985',
    'született: 1955. október 20.',
    'gimęs 1964 m. gruodžio 20 d.',
    '생년월일 1981년 3월 13일',
    'sinh ngày 21 tháng 3 năm 1994',
    'род. 14 марта 1961',
    'narozena 3. prosince 1974',
    'narozena 3. 12. 1974',
    'Name\nAnna\nDate of birth (dd/mm/yyyy)\n12/03/1985\nCity',
    'Date of birth\t\n12/03/1985\t\n',
    'született: 1955. 10. 20.',
    '<tr><td class="label field">DOB</td>\n<td class="value field">12.03.1985</td></tr>',
    '{"name": "Date of birth", "id": 17, "value": "12.03.1985"}'
  ],
  misses: () => [
    'date: 1985-03-12',
    'André Nascimento,29,Brazil,2008,24/08/2008,Volleyball',
    'David Výborný, 26/02/2006',
    'dob: 1985-13-42',
    'birthday on 12 Mar 10:30',
    'birthday on 12 Mar 85% off',
    'born 12 May 21 Baker Street',
    'birthday 12 Mar 85.5',
    'dob 12mm1985',
    'birthday: 2285-03-12',
    'born in version 1.2.3',
    'reborn 1985-03-12',
    'check ""place of birth""",2014-09-06T10:06:57Z',
    'born\nin 1985-03-12',
    'dob,day\nx,1985-03-12',
    'born 19851342',
    'bday_start = "2018-07-23"',
    'dob = 1979-05-27T07:32:00-08:00',
    '@jane Happy Birthday,2012-12-12T17:57:13Z,2',
    'Birthday cake for 14 on 2026-05-11, please',
    'birthday party at the office, 12.03.2024',
    'Change: 2026-05-11 15:30:16.003465288 +0000\n Birth: 2026-05-11 15:30:16.003465288 +0000',
    'Born to Run, released 1975-08-25',
    'for employees born between 31-12-1937 and 01-01-1958',
    'anyone born before 2008-01-01',
    'born on or after the 1st of January 2008',
    'born before approx. 2008-01-01',
    'born until 2008-01-01',
    'po/ur.po:9:"POT-Creation-Date: 2017-02-23 19:17+0100',
    '생년월일 1981년 13월 13일',
    'sinh ngày 21 tháng 13 năm 1994'
  ],
  source: 'ISO 8601 and the common written forms; years from 1900 to 2035.'
})

/** The segment of HL7 that identifies a patient has the day of birth in its seventh field (HL7 2.5.1, chapter 3.4.2). */
const segment = 'PID|'
const birthField = 7
const segmentUnitsMax = 512

function inSegment(text: string, at: number): Match | undefined {
  if (inSet(wordSet, codeAt(text, at - 1))) return undefined
  const limit = Math.min(text.length, at + segmentUnitsMax)
  let fields = 0
  for (let i = at; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10 || code === 13) return undefined
    if (code !== 124 || ++fields < birthField) continue
    const end = runEnd(text, i + 1, digitSet, timeUnitsMax)
    return isYyyymmdd(text.slice(i + 1, i + 9)) && end > i + 8
      ? { start: i + 1, end, confidence: 'strong', byContext: true }
      : undefined
  }
  return undefined
}

/** How a date of birth begins behind the asterisk of genealogists. */
const starred = ['*0', '*1', '*2', '*3']
const beforeStarSet = charSet(' (,')
const starredUnits = 10
const starredYearMax = 2020

/** `Anna Keller (*16.04.1973)`: between the asterisk and the rest of the sentence there is only a full date. */
function behindStar(text: string, at: number): Match | undefined {
  const before = codeAt(text, at - 1)
  // An asterisk at the start of a line begins a list item, and two of them bold text.
  if (!inSet(beforeStarSet, before) || (before === 32 && inSet(spaceSet, codeAt(text, at - 2)))) return undefined
  const end = dateEnd(text, at + 1)
  if (end !== at + 1 + starredUnits || codeAt(text, at + 3) !== 46 || codeAt(text, end) === 42) return undefined
  if (inSet(wordSet, codeAt(text, end)) || Number(text.slice(end - 4, end)) > starredYearMax) return undefined
  return { start: at + 1, end, confidence: 'medium' }
}

/** Before `生于` these say that something happened or arose: `发生于2023年7月7日`. */
const occurring = '发發产產诞誕派衍滋萌寄'

export const dateOfBirth: Detector = {
  ...named,
  anchors: [
    ...named.anchors,
    { literal: segment },
    ...starred.map((literal) => ({ literal })),
    ...birthWords.filter((word) => !birthDateNames.includes(word)).map((literal) => ({ literal, fold: true }) as const)
  ],
  match(text, at, context) {
    if (codeAt(text, at) === 42) return behindStar(text, at)
    if (text.startsWith(segment, at)) return inSegment(text, at)
    if (text.startsWith('生', at) && occurring.includes(text.charAt(at - 1) || '-')) return undefined
    const before = beforeWord(text, at)
    const behind = named.match(text, at, context)
    // Of two dates either may be meant: `seit 01.02.2010, geboren 12.03.1985`, `12.03.1985 geboren, seit 01.02.2010`.
    return before === undefined ? behind : withNext(before, behind)
  },
  hits: () => [
    ...named.hits(),
    'PID|1||8812^^^H^MR||KELLER^INES||19770210|F',
    'Anna Keller (*16.04.1973) ist',
    'Keller, *16.04.1973',
    '<naissance>12/11/1987</naissance>',
    'Иванов И. И., 12.03.1985 г.р., паспорт выдан 01.02.2010',
    'Иванова, 12 марта 1985 года рождения',
    'Ayşe Kaya, 12.03.1985 doğumlu',
    '1985年3月12日生まれ',
    '生于1985年3月12日',
    '张伟，1985年3月12日出生，',
    '1985년 3월 12일생',
    'ich bin am 12.03.1985 geboren',
    'die am 12. März 1985 in Bad Aibling geborene Klägerin',
    '1985. március 12-én született',
    '生年月日：昭和60年3月12日',
    '山田花子 昭和60年3月12日生',
    '昭和60年3月12日生の女性',
    '1985年3月12日生于北京',
    '1985年3月12日生於台北',
    '생년월일: 850312',
    'วันเกิด 12/03/2528',
    'Mme Roux, née à Lyon le 12 mars 1985',
    'née Martin le 12/03/1985',
    'ولد في 12/03/1985'
  ],
  misses: () => [
    ...named.misses(),
    '* 16.04.1973',
    '*16.04.1973 in line',
    'on *16.04.1973* we',
    'on **16.04.1973** we',
    'due *16.04.2026',
    'x *16.04.19731',
    'PID|1||8812|19770210',
    'RAPID|1|2|3|4|5|6|19770210|',
    '12.03.1985 г. Москва',
    'am 12.03.1985 wurde in Ulm gebaut, wo geboren',
    '1985年3月12日生产',
    '发生于2023年7月7日',
    'zwischen dem 31.12.1937 und dem 01.01.1958 geboren ist',
    'Versichert sind alle,\ndie\nzwischen dem 31.12.1937 und dem 01.01.1958 geboren sind',
    'alle, die vor dem 01.01.1958 geboren sind',
    '850312 생성',
    '2628/03/12 doğumlu',
    'PID|1|2|3|4|5|6|19771310|'
  ]
}

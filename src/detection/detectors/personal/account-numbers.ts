/**
 * Bank account numbers, which are recognised by the bank's code next to them: by themselves they are digits like any
 * others.
 */
import { NameIndex } from '../../text/name-index.ts'
import { wordGuard } from '../../anchor-guard.ts'
import { isWholeWord } from '../../text/whole-word.ts'
import type { Detector, Match, MatchContext } from '../../detector.ts'
import { charSet, digitSet, inSet, letterSet, lowerSet, runEnd } from '../../text/chars.ts'
import { NextOf } from '../../text/next-of.ts'
import { ColumnValues } from '../../values/column-values.ts'
import { longestRun } from '../../validators/digits.ts'

/** A name of a bank code, and how many digits an account has that is given with one. */
interface BankCode {
  readonly name: string
  readonly unitsMin: number
  readonly unitsMax: number
  /** How many digits the code has, for names that it must directly follow. */
  readonly codeUnits?: number
}

const codes: readonly BankCode[] = [
  ...['sort code', 'sort-code', 'sort_code', 'sortcode'].map((name) => ({ name, unitsMin: 8, unitsMax: 8 })),
  ...['routing no', 'routing number', 'routing_number', 'routingnumber', 'routing-number'].map((name) => ({
    name,
    unitsMin: 6,
    unitsMax: 14
  })),
  { name: 'bankleitzahl', unitsMin: 6, unitsMax: 10 },
  { name: 'blz', unitsMin: 6, unitsMax: 10 },
  { name: 'bsb', unitsMin: 6, unitsMax: 9 },
  { name: 'ifsc', unitsMin: 9, unitsMax: 15 },
  // Words with other meanings, which the code itself must follow.
  { name: 'routing', unitsMin: 6, unitsMax: 14, codeUnits: 9 },
  { name: 'transit', unitsMin: 7, unitsMax: 12, codeUnits: 5 }
]
const codeIndex = new NameIndex(codes.map((code) => [code.name, code]))
const accountNames = ['account', 'acct', 'acc no', 'a/c', 'konto', 'kto']
const accountHeads = new NextOf(charSet(...accountNames.map((name) => name.charAt(0) + name.charAt(0).toUpperCase())))
const accountIndex = new NameIndex(accountNames.map((name) => [name, true]))
const accountLinks = new Set(['no', 'nr', 'num', 'number', 'nummer', 'is', 'ist'])
/** Ends of the name of an account: `accountNumber`, `Kontonummer`, `account_no`. */
const tails = ['number', 'nummer', 'nr', 'no']

const besideUnits = 64
const gapUnitsMax = 12
const digitsMax = 19

/** The account number whose name stands shortly before or behind the bank code at `at`. */
function accountBeside(text: string, at: number, context: MatchContext): Match | undefined {
  const code = codeIndex.at(text, at)?.[1]
  if (code === undefined || !isWholeWord(text, at, at + code.name.length)) return undefined
  const codeTo = at + code.name.length
  if (code.codeUnits !== undefined && !isBesideDigits(text, codeTo, code.codeUnits)) return undefined
  return accountIn(text, Math.max(0, at - besideUnits), Math.min(text.length, codeTo + besideUnits), code, context)
}

/** The account number of the first name in `[from, limit)` that has one. */
function accountIn(
  text: string,
  from: number,
  limit: number,
  code: BankCode,
  context: MatchContext
): Match | undefined {
  for (let i = from; ; i++) {
    i = accountHeads.at(text, i, limit, context.textNumber)
    if (i >= limit) return undefined
    const end = i + (accountIndex.at(text, i)?.[0].length ?? 0)
    if (end === i || end > limit) continue
    const match = accountAt(text, i, end, code)
    if (match !== undefined) return match
    const inRow = (start: number, to: number): Match | undefined => inCell(text, start, to, code)
    return columns.find(text, context, i, end, inRow, () => accountIn(text, i + 1, limit, code, context))
  }
}

const codeGapSet = charSet(' :="\'#')
const codeGapMax = 6

/** Whether this many digits follow the name of a code. */
function isBesideDigits(text: string, nameTo: number, units: number): boolean {
  const at = runEnd(text, nameTo, codeGapSet, codeGapMax)
  return at > nameTo && runEnd(text, at, digitSet, units + 1) === at + units
}

/** Account columns of tables that have a column of bank codes as well: `sort code,account`. */
const columns = new ColumnValues((text, at) => {
  const name = accountIndex.at(text, at)
  return name === undefined ? -1 : at + name[0].length
})

function inCell(text: string, start: number, end: number, code: BankCode): Match | undefined {
  const units = end - start
  if (units < code.unitsMin || units > code.unitsMax || runEnd(text, start, digitSet, units) !== end) return undefined
  return isSample(text.slice(start, end)) ? undefined : { start, end, confidence: 'strong', byContext: true }
}

/** The digits behind the name of an account in `[start, end)`. */
function accountAt(text: string, start: number, end: number, code: BankCode): Match | undefined {
  if (inSet(lowerSet, text.charCodeAt(start - 1)) && inSet(lowerSet, text.charCodeAt(start))) return undefined
  const word = runEnd(text, end, letterSet, gapUnitsMax)
  if (word > end && !tails.includes(text.slice(end, word).toLowerCase())) return undefined
  let at = word
  while (at < word + gapUnitsMax && at < text.length && !inSet(digitSet, text.charCodeAt(at))) at++
  const to = runEnd(text, at, digitSet, digitsMax)
  const units = to - at
  if (units < code.unitsMin || units > code.unitsMax || inSet(goesOnSet, text.charCodeAt(to))) return undefined
  if (!isLinked(text.slice(word, at)) || isSample(text.slice(at, to))) return undefined
  return { start: at, end: to, confidence: 'strong', byContext: true }
}
const goesOnSet = charSet('A-Z', 'a-z', '_-')

/** Whether only punctuation and words such as `no` and `is` stand between a name and its value. */
function isLinked(between: string): boolean {
  let from = 0
  while (from < between.length) {
    const start = runEnd(between, from, linkSet, between.length)
    from = start
    while (from < between.length && !inSet(linkSet, between.charCodeAt(from))) from++
    if (from > start && !accountLinks.has(between.slice(start, from).toLowerCase())) return false
  }
  return true
}
const linkSet = charSet(' ', '"\'_:=>|,()#.\\[]')

/** Whether digits are a sample: five alike in a row, or six that count up or down. */
function isSample(value: string): boolean {
  return longestRun(value, 0) >= 5 || longestRun(value, 1) >= 6 || longestRun(value, -1) >= 6
}

/** Japanese account types: ordinary, and current (for businesses). */
const kinds = ['普通', '当座']
const kindGaps = ['預金', '口座', '番号', '：', ':', '　', ' ', '）', ')']
const japaneseUnits = 7

/** The seven digits behind the type of an account. */
function japaneseAccount(text: string, at: number): Match | undefined {
  let i = at + 2
  for (let gaps = 0; gaps < 6; gaps++) i += kindGaps.find((gap) => text.startsWith(gap, i))?.length ?? 0
  const end = runEnd(text, i, digitSet, japaneseUnits + 1)
  if (end - i !== japaneseUnits || isSample(text.slice(i, end))) return undefined
  return { start: i, end, confidence: 'strong', byContext: true }
}

export const japaneseAccountNumber: Detector = {
  id: 'jp_bank_account',
  label: 'BANK_ACCOUNT',
  title: 'Japanese bank account number',
  group: 'financial',
  tier: 'medium',
  lengthMin: 9,
  anchors: kinds.map((literal) => ({ literal })),
  match: japaneseAccount,
  hits: () => ['振込先：みどり銀行 本店 普通 29535' + '03', '当座預金 口座番号：29535' + '03'],
  misses: () => ['普通 2026年', '普通 29535034', '普通の 2953503', '普通 1234567'],
  source:
    'Japanese Bankers Association (Zengin): seven digits behind the kind of the account. From memory, not confirmed.'
}

export const accountBesideCode: Detector = {
  id: 'bank_account_number',
  label: 'BANK_ACCOUNT',
  title: 'bank account number beside the code of its bank',
  group: 'financial',
  tier: 'medium',
  lengthMin: 16,
  anchors: codes.map(({ name }) => ({ literal: name, fold: true, guard: wordGuard(name, 's') })),
  match: accountBeside,
  hits: () => [
    'sort code 33-21-50, account 2953' + '5034',
    '{"accountNumber":"2953' + '5034","sortCode":"332150"}',
    'Sort Code: 33 21 50\nAccount no: 2953' + '5034',
    'Routing number 041543416\nAccount number 57877' + '89939',
    'HATİCE İKİZ, İZMİR: account 2953' + '5034, sort code 33-21-50',
    'Konto 5787' + '7899, BLZ 37040044',
    'Direct deposit: routing 041543416, account 57877' + '89939',
    '{"institution":"003","transit":"00412","account":"29535' + '03"}',
    'name,sort code,account\nana,33-21-50,2953' + '5034\n',
    'Kontonummer: 57877' + '899 Bankleitzahl: 37040044'
  ],
  misses: () => [
    'account 29535034',
    'sort code 33-21-50, account 295350341',
    'sorted codes, account 29535034',
    'routing account 29535034 to another shard',
    "check(account_number: '123456789', routing_number: '011075150')",
    "account_number: '1000000002', routing_number: '011075150'",
    "bank_account = check(routing_number: '244183602')",
    'sort code of the accounting 29535034'
  ],
  source: 'No common standard: so many digits behind a name, and a code of a bank beside. From memory, not confirmed.'
}

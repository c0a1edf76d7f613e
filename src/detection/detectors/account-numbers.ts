/**
 * Bank account numbers, which are recognised by the bank's code next to them: by themselves they are digits like any
 * others.
 */
import { NameIndex } from '../arguments/name-index.ts'
import { wordGuard } from '../engine/anchor-guard.ts'
import { isWholeWord } from '../engine/context-words.ts'
import type { Detector, Match } from '../detector.ts'
import { charSet, digitSet, inSet, letterSet, lowerSet, runEnd } from '../text/chars.ts'
import { isLinked } from '../values/links.ts'

/** Names of bank codes, and how many digits an account has that is given with one. */
const codes = [
  ...['sort code', 'sort-code', 'sort_code', 'sortcode'].map((name) => ({ name, unitsMin: 8, unitsMax: 8 })),
  ...['routing no', 'routing number', 'routing_number', 'routingnumber', 'routing-number'].map((name) => ({
    name,
    unitsMin: 6,
    unitsMax: 14
  })),
  { name: 'bankleitzahl', unitsMin: 6, unitsMax: 10 },
  { name: 'blz', unitsMin: 6, unitsMax: 10 },
  { name: 'bsb', unitsMin: 6, unitsMax: 9 },
  { name: 'ifsc', unitsMin: 9, unitsMax: 15 }
]
const byLength = codes.toSorted((a, b) => b.name.length - a.name.length)
const accountNames = ['account', 'acct', 'acc no', 'a/c', 'konto', 'kto']
const accountHeadSet = charSet(...accountNames.map((name) => name.charAt(0) + name.charAt(0).toUpperCase()))
const accountIndex = new NameIndex(accountNames.map((name) => [name, true]))
const accountLinks = new Set(['no', 'nr', 'num', 'number', 'nummer', 'is', 'ist'])
/** Ends of the name of an account: `accountNumber`, `Kontonummer`, `account_no`. */
const tails = ['number', 'nummer', 'nr', 'no']

const besideUnits = 64
const gapUnitsMax = 12
const digitsMax = 19

/** The account number whose name stands shortly before or behind the bank code at `at`. */
function accountBeside(text: string, at: number): Match | undefined {
  const code = byLength.find(({ name }) => text.slice(at, at + name.length).toLowerCase() === name)
  if (code === undefined || !isWholeWord(text, at, at + code.name.length)) return undefined
  const limit = Math.min(text.length, at + code.name.length + besideUnits)
  for (let i = Math.max(0, at - besideUnits); i < limit; i++) {
    if (!inSet(accountHeadSet, text.charCodeAt(i))) continue
    const end = i + (accountIndex.at(text, i)?.[0].length ?? 0)
    const match = end > i && end <= limit ? accountAt(text, i, end, code) : undefined
    if (match !== undefined) return match
  }
  return undefined
}

/** The digits behind the name of an account in `[start, end)`. */
function accountAt(text: string, start: number, end: number, code: (typeof codes)[number]): Match | undefined {
  if (inSet(lowerSet, text.charCodeAt(start - 1)) && inSet(lowerSet, text.charCodeAt(start))) return undefined
  const word = runEnd(text, end, letterSet, gapUnitsMax)
  if (word > end && !tails.includes(text.slice(end, word).toLowerCase())) return undefined
  let at = word
  while (at < word + gapUnitsMax && at < text.length && !inSet(digitSet, text.charCodeAt(at))) at++
  const to = runEnd(text, at, digitSet, digitsMax)
  const units = to - at
  if (units < code.unitsMin || units > code.unitsMax || inSet(goesOnSet, text.charCodeAt(to))) return undefined
  if (!isLinked(text.slice(word, at), accountLinks) || isSample(text.slice(at, to))) return undefined
  return { start: at, end: to, confidence: 'strong', byContext: true }
}
const goesOnSet = charSet('A-Z', 'a-z', '_-')

/** Whether digits are a sample: five alike in a row, or six that count up or down. */
function isSample(value: string): boolean {
  let alike = 1
  let rising = 1
  let falling = 1
  for (let i = 1; i < value.length; i++) {
    const step = value.charCodeAt(i) - value.charCodeAt(i - 1)
    alike = step === 0 ? alike + 1 : 1
    rising = step === 1 ? rising + 1 : 1
    falling = step === -1 ? falling + 1 : 1
    if (alike > 4 || rising > 5 || falling > 5) return true
  }
  return false
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

/**
 * What collectors of logs put before each line that a program wrote: the container (`web-1  | `, `[pod/web-0/app] `), the
 * moment (`2026-03-02T10:11:12.123456789Z `), the job and its step. The program's own times and levels are none.
 *
 * Source of facts: Docker documentation, "docker compose logs" and "docker container logs"; Kubernetes documentation,
 * "kubectl logs" (`--prefix`, `--timestamps`); GitHub CLI manual, "gh run view"; GitLab documentation, "CI/CD job logs".
 */
import {
  base62Set,
  charSet,
  codeAt,
  countOf,
  digitSet,
  domainSet,
  hexSet,
  inSet,
  letterSet,
  lowerSet,
  runEnd
} from '../text/chars.ts'
import { isPart } from './found-lines.ts'

/** The longest name of a container, a job or a step. */
const nameUnitsMax = 80
const paddingMax = 40
const countUnitsMax = 3
/** Names of containers and of pods, and what else names of jobs and steps consist of. */
const nameSet = charSet('a-z', '0-9', '_.-')
const podSet = charSet('a-z', '0-9', '.-')
const titleSet = charSet(' _.-/()#&+,@')
/** Digits are zeros here. */
const momentForm = '0000-00-00T00:00:00.'
const zoneForm = '00:00'
/** Collectors write more digits of a second than programs. */
const fractionUnitsMin = 7
const fractionUnitsMax = 9
/** GitLab writes fewer, and behind them the number and the kind of the stream: `01O `. */
const gitlabUnits = 6

const tab = 9
const blank = 32
const plus = 43
const minus = 45
const slash = 47
const at = 64
const bracket = 91
const letterE = 69
const letterO = 79
const letterZ = 90
const lowLine = 95
const stroke = 124
const byteOrderMark = 0xfeff

/** Where what a collector put before the line at `line` ends; -1 if there is nothing. */
export function collectedEnd(text: string, line: number): number {
  const code = codeAt(text, line)
  if (inSet(digitSet, code) && codeAt(text, line + 4) === minus) return momentEnd(text, line)
  if (code === bracket) return podEnd(text, line)
  if (!inSet(base62Set, code)) return -1
  const container = containerEnd(text, line)
  if (container < 0) return stepEnd(text, line)
  // `docker compose logs --timestamps`.
  return Math.max(container, momentEnd(text, container))
}

/** `2026-03-02T10:11:12.123456789Z `, or `...123456Z 01O `. */
function momentEnd(text: string, from: number): number {
  if (!fits(text, from, momentForm)) return -1
  const fraction = from + momentForm.length
  const end = runEnd(text, fraction, digitSet, fractionUnitsMax + 1)
  const to = zoneEnd(text, end)
  if (to < 0 || codeAt(text, to) !== blank) return -1
  const digits = end - fraction
  if (digits !== gitlabUnits) return digits >= fractionUnitsMin && digits <= fractionUnitsMax ? to + 1 : -1
  const kind = codeAt(text, to + 3)
  const isStream = runEnd(text, to + 1, hexSet, 2) === to + 3 && (kind === letterO || kind === letterE)
  const sign = codeAt(text, to + 4)
  return isStream && (sign === blank || sign === plus) ? to + 5 : -1
}

/** `Z` or `+01:00`; -1 if there is neither. */
function zoneEnd(text: string, from: number): number {
  const sign = codeAt(text, from)
  if (sign === letterZ) return from + 1
  return (sign === plus || sign === minus) && fits(text, from + 1, zoneForm) ? from + 1 + zoneForm.length : -1
}

/** Whether digits stand at `from` where a form has zeros, and else its characters. */
function fits(text: string, from: number, form: string): boolean {
  for (let i = 0; i < form.length; i++) {
    const code = codeAt(text, from + i)
    const wanted = form.charCodeAt(i)
    if (wanted === 48 ? !inSet(digitSet, code) : code !== wanted) return false
  }
  return true
}

/**
 * `web-1  | `: the number says that it is the name of a container, and not the first cell of a table, and the letter that
 * it is more than a number.
 */
function containerEnd(text: string, line: number): number {
  if (!inSet(lowerSet, codeAt(text, line))) return -1
  const end = runEnd(text, line, nameSet, nameUnitsMax)
  let digits = end
  while (digits > line && end - digits <= countUnitsMax && inSet(digitSet, codeAt(text, digits - 1))) digits--
  const sign = codeAt(text, digits - 1)
  if (digits === end || end - digits > countUnitsMax || (sign !== minus && sign !== lowLine)) return -1
  let bar = end
  while (codeAt(text, bar) === blank && bar < end + paddingMax) bar++
  if (bar === end || codeAt(text, bar) !== stroke || !holdsNoValue(text, line, end)) return -1
  const code = codeAt(text, bar + 1)
  if (code === blank) return bar + 2
  return code === 0 || code === 10 || code === 13 ? bar + 1 : -1
}

/** `[pod/web-5d9c7b8f6d-x2x7k/app] `. The name of a pod is as random as a key, but every part of it is in lower case. */
function podEnd(text: string, line: number): number {
  if (!text.startsWith('[pod/', line)) return -1
  let i = line + 4
  for (let parts = 0; parts < 2; parts++) {
    if (codeAt(text, i) !== slash) return -1
    const end = runEnd(text, i + 1, podSet, nameUnitsMax)
    if (end === i + 1) return -1
    i = end
  }
  return text.startsWith('] ', i) ? i + 2 : -1
}

/** `build\tRun tests\t2026-03-02T10:11:12.1234567Z `. */
function stepEnd(text: string, line: number): number {
  const job = titleEnd(text, line)
  const step = job < 0 ? -1 : titleEnd(text, job + 1)
  if (step < 0) return -1
  const from = step + 1
  return momentEnd(text, codeAt(text, from) === byteOrderMark ? from + 1 : from)
}

/** Where the name of a job or a step ends, at a tab; -1 if there is none. */
function titleEnd(text: string, from: number): number {
  let i = from
  while (i < from + nameUnitsMax && (inSet(base62Set, codeAt(text, i)) || inSet(titleSet, codeAt(text, i)))) i++
  return i > from && codeAt(text, i) === tab && holdsNoValue(text, from, i) ? i : -1
}

/**
 * Whether nothing in a name is a number, a key, an address or an option of a command, as in the step `Run login -p ...`:
 * nothing looks for values in what is left out of a text.
 */
function holdsNoValue(text: string, from: number, to: number): boolean {
  let digits = 0
  for (let i = from; i < to;) {
    const end = Math.min(to, runEnd(text, i, base62Set, to - i))
    if (end > i) digits = countOf(text, i, end, digitSet) === end - i ? digits + end - i : 0
    const sign = codeAt(text, end)
    if (digits > numberDigitsMax || !isPart(text, i, end) || !isNumbered(text, i, end)) return false
    // `ana@acme.dev`, and not `actions/checkout@v4.2`.
    if (sign === at && isHost(text, end + 1, to)) return false
    if (sign === blank && codeAt(text, end + 1) === minus && codeAt(text, end + 2) !== blank) return false
    if (!inSet(groupSet, sign)) digits = 0
    i = end + 1
  }
  return true
}
/** What stands between the groups of a number, and how many digits those of a version or a share have: `22.04`, `3/12`. */
const groupSet = charSet(' .-/()+')
const numberDigitsMax = 6

/** Whether digits stand only behind letters: `python3`. In a few characters they may stand anywhere: `x64`, `e2e`. */
function isNumbered(text: string, from: number, to: number): boolean {
  return to - from <= mixedUnitsMax || runEnd(text, runEnd(text, from, letterSet, to - from), digitSet, to - from) >= to
}
const mixedUnitsMax = 4

function isHost(text: string, from: number, to: number): boolean {
  const end = Math.min(to, runEnd(text, from, domainSet, to - from))
  const point = text.slice(from, end).lastIndexOf('.')
  return point > 0 && inSet(letterSet, codeAt(text, from + point + 1))
}

/** Values of Kubernetes secrets. Their base64 is an encoding, not a protection. */
import { quotedEnd } from '../../assignments/quoted-end.ts'
import { decodePrintable } from '../../text/base64-text.ts'
import { Places } from '../../text/places.ts'
import {
  base64Set,
  beforeNext,
  blankSet,
  charSet,
  dottedNameSet,
  inSet,
  lineBreakSet,
  runEnd,
  spaceSet,
  stringQuoteSet
} from '../../text/chars.ts'
import { chained, contextMatch, type Detector, type Match, withNext } from '../../detector.ts'
import type { Guard } from '../../anchor-guard.ts'
import { isPublicBlob, isUuid } from '../../values/non-secret-formats.ts'
import { isDummyValue } from '../../values/generic-value.ts'
import { isReference } from '../../values/references.ts'
import { filler, fillerUuid } from '../../sample-text.ts'
import { isAdjacentSecret, passwordConfidence } from '../../values/stated-value.ts'

const base64PadSet = base64Set.map((bit, code) => (code === 61 ? 1 : bit))
const keySet = charSet('A-Z', 'a-z', '0-9', '._-"\'')
const indicatorSet = charSet('|>-+')
const entriesMax = 24
const valueUnitsMax = 16_384
const kindUnitsMax = 600

interface Entry {
  readonly nameEnd: number
  readonly start: number
  readonly end: number
  /** Past the line break. */
  readonly next: number
}

/** Past the line break at `from`; -1 if none stands there. */
function pastBreak(text: string, from: number): number {
  const code = text.charCodeAt(from)
  if (code === 13) return from + 2
  return code === 10 ? from + 1 : -1
}

/** One `name: value` line below `data:`; the value may be on the next line. */
function entryAt(text: string, line: number): Entry | undefined {
  const name = runEnd(text, line, blankSet, 16)
  const nameEnd = runEnd(text, name, keySet, 128)
  if (name === line || nameEnd === name || text.charCodeAt(nameEnd) !== 58) return undefined
  let start = runEnd(text, nameEnd + 1, blankSet, 8)
  const indicator = runEnd(text, start, indicatorSet, 3)
  if (indicator > start) {
    const below = pastBreak(text, indicator)
    if (below < 0) return undefined
    start = runEnd(text, below, blankSet, 24)
  }
  if (inSet(stringQuoteSet, text.charCodeAt(start))) start++
  const end = runEnd(text, start, base64PadSet, valueUnitsMax)
  const rest = inSet(stringQuoteSet, text.charCodeAt(end)) ? end + 1 : end
  const next = pastBreak(text, rest)
  if (end === start || (next < 0 && rest < text.length)) return undefined
  return { nameEnd, start, end, next: next < 0 ? text.length : next }
}

/** One `"name": "value"` of the data in JSON. Its `next` is past the comma, or at the closing bracket. */
function fieldAt(text: string, at: number): Entry | undefined {
  const name = runEnd(text, at, spaceSet, 48)
  if (text.charCodeAt(name) !== 34) return undefined
  const nameEnd = runEnd(text, name + 1, dottedNameSet, 128)
  const start = runEnd(text, nameEnd + 1, jsonJointSet, 4)
  if (text.charCodeAt(nameEnd) !== 34 || text.charCodeAt(start - 1) !== 34) return undefined
  const end = runEnd(text, start, base64PadSet, valueUnitsMax)
  return text.charCodeAt(end) === 34 && end > start
    ? { nameEnd, start, end, next: runEnd(text, end + 1, commaSet, 1) }
    : undefined
}
const jsonJointSet = charSet(' :"')
const commaSet = charSet(',')

/**
 * Whether the object whose data is in `[start, end)` says, before or behind it, that it is a secret. Neighbours in a
 * list and nested objects do not count, and reading ends at the data of another object.
 */
function isSecretAround(text: string, start: number, end: number): boolean {
  let depth = 0
  for (let i = start - 1; i >= 0 && start - i < kindUnitsMax && depth >= 0; i--) {
    const code = text.charCodeAt(i)
    if (code === 125) depth++
    else if (code === 123) depth--
    else if (code !== 34) continue
    else if (depth === 0 && isSecretKind(text, i)) return true
    else if (text.startsWith(jsonData, i)) break
  }
  // Reading starts within the data, whose bracket is still open.
  depth = 1
  const limit = Math.min(text.length, end + objectUnitsMax)
  for (let i = end; i < limit && depth >= 0; i++) {
    const code = text.charCodeAt(i)
    if (code === 123) depth++
    else if (code === 125) depth--
    else if (code !== 34) continue
    else if (depth === 0 && isSecretKind(text, i)) return true
    else if (text.startsWith(jsonData, i)) return false
  }
  return false
}
/** Room for the metadata that stands between. */
const objectUnitsMax = 4096

function isSecretKind(text: string, at: number): boolean {
  return text.startsWith('"kind": "Secret"', at) || text.startsWith('"kind":"Secret"', at)
}

/** `"data": { "name": "base64", ... }, "kind": "Secret"`, as `kubectl get -o json` prints it. */
function findFields(text: string, at: number): Match | undefined {
  const entries: Entry[] = []
  let next = runEnd(text, at + jsonData.length, jsonOpenSet, 4)
  while (entries.length < entriesMax) {
    const entry = fieldAt(text, next)
    if (entry === undefined) break
    entries.push(entry)
    next = entry.next
  }
  if (entries.length === 0 || !isSecretAround(text, at, next)) return undefined
  return chain(
    text,
    entries.filter((one) => isBase64(one)),
    true
  )
}
const jsonData = '"data"'
const jsonOpenSet = charSet(': {')

const plainData = 'stringData:'
/** Parts of names whose values are not secret: who signs in, and where. */
const openNames = ['user', 'host', 'name', 'url', 'port', 'region', 'bucket', 'database', 'email', 'from', 'type']
const linesMax = 24
const plainUnitsMax = 200

/** `NAME: value` lines below `stringData:`. Under any name, a value that is not a word is a secret. */
function findPlain(text: string, at: number, textNumber: number): Match | undefined {
  if (!isSecretBefore(text, at, textNumber)) return undefined
  const found: Match[] = []
  let line = pastBreak(text, runEnd(text, at + plainData.length, blankSet, 4))
  for (let count = 0; line >= 0 && count < linesMax; count++) {
    const name = runEnd(text, line, blankSet, 16)
    if (name > line && text.charCodeAt(name) === 35) {
      line = pastBreak(text, beforeNext(text, name, lineBreakSet, plainUnitsMax))
      continue
    }
    const nameEnd = runEnd(text, name, keySet, 128)
    if (name === line || text.charCodeAt(nameEnd) !== 58) break
    const { start, end } = scalarAt(text, runEnd(text, nameEnd + 1, blankSet, 8))
    line = pastBreak(text, beforeNext(text, end, lineBreakSet, plainUnitsMax))
    const written = text.slice(name, nameEnd).toLowerCase()
    if (openNames.some((one) => written.includes(one))) continue
    // The UUID of an id is not secret.
    if (
      isAdjacentSecret(text, start, end) ||
      (isUuid(text, start, end) && keyTails.some((one) => written.endsWith(one)))
    )
      found.push(contextMatch(start, end))
  }
  return chained(found)
}
/**
 * The scalar at `at`. Between quotes it may hold any character. Without them, one that holds marks of YAML, of a list or
 * of a URL ends before it begins.
 */
function scalarAt(text: string, at: number): { readonly start: number; readonly end: number } {
  const quote = text.charCodeAt(at)
  if (inSet(stringQuoteSet, quote)) {
    const end = quotedEnd(text, at + 1, quote, 0)
    return { start: at + 1, end: text.charCodeAt(end) === quote ? end : at + 1 }
  }
  const end = runEnd(text, at, plainSet, plainUnitsMax)
  const isWhole = end === text.length || inSet(spaceSet, text.charCodeAt(end))
  return { start: at, end: isWhole ? end : at }
}

/** Ends of the names of secrets. */
const keyTails = ['key', 'token', 'secret', 'password']

const plainSet = charSet('A-Z', 'a-z', '0-9', '_!@#$%^&*.+/=~-')

/** Whether a value is base64 in full groups of four, as few ordinary words of this length are. */
function isBase64({ start, end }: Entry): boolean {
  return (end - start) % 4 === 0 && end - start >= 8
}

/** Whether `kind: Secret` stands shortly before. */
function isSecretBefore(text: string, at: number, textNumber: number): boolean {
  const last = kinds.readLast(text, Math.max(0, at - kindUnitsMax), at, textNumber)
  if (last < 0) return false
  const from = kinds.place(last) + kindName.length
  const value = text.slice(from, Math.min(at, from + kindValueUnitsMax)).trimStart()
  return ['Secret\n', 'Secret\r', "'Secret'", '"Secret"'].some((one) => value.startsWith(one))
}
const kindName = 'kind:'
const kindValueUnitsMax = 19
const kinds = new Places((text, at) =>
  text.charCodeAt(at) === 107 && text.startsWith(kindName, at) ? true : undefined
)

function findAll(text: string, at: number, textNumber: number): Match | undefined {
  const before = text.charCodeAt(at - 1)
  if (at > 0 && before !== 10 && before !== 32 && before !== 9) return undefined
  let line = pastBreak(text, runEnd(text, at + 5, blankSet, 4))
  if (line < 0) return undefined
  const entries: Entry[] = []
  while (entries.length < entriesMax) {
    const entry = entryAt(text, line)
    if (entry === undefined) break
    entries.push(entry)
    line = entry.next
  }
  if (entries.length === 0) return undefined
  const known = isSecretBefore(text, at, textNumber)
  // kubectl prints the kind behind the data.
  if (!known && !(isBareObject(text, at) && entries.every((one) => isText(text, one)))) return undefined
  return chain(
    text,
    entries.filter((one) => isBase64(one)),
    known
  )
}

/** Whether an object opens right before, so that its kind may still follow. */
function isBareObject(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at)
  return before.includes('apiVersion: ') && !before.includes('kind:')
}

function isText(text: string, entry: Entry): boolean {
  return isBase64(entry) && decodePrintable(text, entry.start, entry.end) !== undefined
}

/**
 * `PRIVATE KEY` in base64, at each of the three offsets within a group of bytes. A certificate may have its key behind
 * it.
 */
const keyMarks = ['UFJJVkFURSBLRV', 'BSSVZBVEUgS0VZ', 'QUklWQVRFIEtFW']

function holdsKey(text: string, start: number, end: number): boolean {
  const value = text.slice(start, end)
  return keyMarks.some((mark) => value.includes(mark))
}

/** Whether the entry holds only a certificate, which is public: `tls.crt`, `ca.crt`. */
function holdsCertificate(text: string, nameEnd: number): boolean {
  return text.startsWith('.crt', text.charCodeAt(nameEnd - 1) === 116 ? nameEnd - 4 : nameEnd - 5)
}

function chain(text: string, entries: readonly Entry[], known: boolean): Match | undefined {
  return entries.reduceRight<Match | undefined>((next, { nameEnd, start, end }) => {
    if (holdsCertificate(text, nameEnd) && !holdsKey(text, start, end)) return next
    const decoded = decodePrintable(text, start, end)
    if (decoded !== undefined && (decoded.length < 4 || isReference(decoded, 0, decoded.length))) return next
    if (isPublicBlob(text, start, end) && !holdsKey(text, start, end)) return next
    const sample = !known || (decoded !== undefined && isDummyValue(decoded, 0, decoded.length))
    const match: Match = sample
      ? { start, end, confidence: 'medium', tier: 'medium' }
      : { start, end, confidence: decoded === undefined ? 'strong' : passwordConfidence(decoded, 0, decoded.length) }
    return withNext({ ...match, byContext: true }, next)
  }, undefined)
}

const first = ['bTRSOXYy', 'S2tQbHFX'].join('')
const second = ['ZGVwbG95', 'LXVzZXI3'].join('')
/** base64 of a certificate's frame, and of one with a key behind it. */
const frame = (type: string) => `LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t${type}${filler(60)}`
const body = (kind: string) => `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: db\ntype: Opaque\ndata:\n`

/** Requires an object to follow, in one line or several. */
const jsonGuard: Guard = { behind: jsonOpenSet, behindUnits: 2 }

export const kubernetesDetectors: readonly Detector[] = [
  {
    id: 'k8s_secret_yaml',
    label: 'K8S_SECRET',
    title: 'value of a Kubernetes secret',
    group: 'secret',
    tier: 'high',
    lengthMin: 16,
    anchors: [{ literal: 'data:' }, { literal: plainData }, { literal: jsonData, guard: jsonGuard }],
    match(text, at, { textNumber }) {
      if (text.charCodeAt(at) === 34) return findFields(text, at)
      return text.startsWith(plainData, at) ? findPlain(text, at, textNumber) : findAll(text, at, textNumber)
    },
    hits: () => [
      `${body('Secret')}  first: ${first}\n  second: ${second}\n`,
      `apiVersion: v1\ndata:\n  first: ${first}\nkind: Secret\n`,
      `{\n  "data": {\n    "app.ini": "${first}",\n    "user": "${second}"\n  },\n  "kind": "Secret"\n}`,
      `{"kind": "Secret", "metadata": {"name": "db", "labels": {}}, "data": {"app.ini": "${first}"}}`,
      `{"data": {"app.ini": "${first}", "empty": ""}, "kind": "Secret"}`,
      `[{"data": {"app.ini": "${first}"}, "metadata": {"labels": {"a": "b"}}, "kind":"Secret"}]`,
      `apiVersion: v1\nkind: Secret\nstringData:\n  SMTP_USER: news\n  SMTP_CRED: ${filler(12)}42\n`,
      `apiVersion: v1\nkind: Secret\nstringData:\n  HOOK: "https://acme.dev/hook"\n  CRED: "${filler(12)}:~4<2"\n`,
      `apiVersion: v1\nkind: Secret\nstringData:\n  # of the image proxy\n  CAMO_KEY: "${fillerUuid()}"\n`,
      `${body("'Secret'")}  first: |\n    ${first}\n`,
      `${body('Secret')}  tls.pem: ${frame(keyMarks[0] as string)}ab\n`
    ],
    misses: () => [
      `${body('ConfigMap')}  first: ${first}\n`,
      `${body('SealedSecret')}  first: ${first}\n`,
      `${body('Secret')}  first: {{ .Values.first }}\n`,
      'data:\n  name: test\n',
      `apiVersion: v1\nkind: Secret\nstringData:\n  TENANT: "${fillerUuid()}"\n`,
      `apiVersion: v1\nkind: Secret\nstringData:\n  SMTP_HOST: mail-${filler(8)}42\n  LEVEL: debug\n`,
      `${body('Secret')}  tls.crt: ${['VEVTVE', 'NFUlQx'].join('')}\n`,
      `{"data": {"app.ini": "${first}"}, "kind": "ConfigMap"}`,
      `{"items": [{"data": {}, "kind": "Secret"}, {"data": {"app.ini": "${first}"}, "kind": "ConfigMap"}]}`,
      `{"items": [{"data": {"app.ini": "${first}"}, "kind": "ConfigMap"}, {"kind": "Secret"}]}`,
      `{"data": {"app.ini": "${first}"}, "kind": "ConfigMap", "metadata": {"ownerReferences": [{"kind": "Secret"}]}}`,
      `${body('Secret')}  tls.crt: ${frame('Ck1JSU')}ab==\n`
    ],
    source: 'Kubernetes documentation, "Secrets".'
  }
]

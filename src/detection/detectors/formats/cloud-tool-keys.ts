/** Keys in the output and files of cloud and cluster tools, under names that say little or nothing. */
import { likelyName } from '../../values/key-names.ts'
import {
  base64Set,
  charSet,
  codeAt,
  consistsOf,
  hexSet,
  inSet,
  lowerHexSet,
  padSet,
  plainBlankSet,
  rightClear,
  runEnd,
  runStart,
  stringQuoteSet,
  wordSet
} from '../../text/chars.ts'
import { contextMatch, type Detector, type Match } from '../../detector.ts'
import { base64Letters, filler, hexLetters } from '../../sample-text.ts'
import { isSecretValue } from '../../values/generic-value.ts'
import { delimitedPassword } from '../../values/delimited-password.ts'

const gapSet = charSet(' "\':')

/** The quoted text behind a quoted name, escaped or not. */
function fieldValue(text: string, from: number): readonly [start: number, end: number] | undefined {
  const start = runEnd(text, from, gapSet, 6)
  if (start === from || !inSet(stringQuoteSet, codeAt(text, start - 1))) return undefined
  const end = runEnd(text, runEnd(text, start, base64Set, 400), padSet, 2)
  return inSet(stringQuoteSet, codeAt(text, end)) ? [start, end] : undefined
}

const azureNames = [
  '"primaryKey"',
  '"secondaryKey"',
  '"primaryMasterKey"',
  '"secondaryMasterKey"',
  '"primaryReadonlyMasterKey"'
]
/** Shorter values are names of records. */
const azureUnitsMin = 40

const azure: Detector = {
  id: 'azure_listed_key',
  label: 'AZURE_KEY',
  title: 'key of an Azure service, as its list of keys has it',
  group: 'secret',
  tier: 'medium',
  lengthMin: azureUnitsMin + 14,
  anchors: azureNames.map((literal) => ({ literal })),
  match(text, at): Match | undefined {
    const name = azureNames.find((one) => text.startsWith(one, at)) as string
    const [start, end] = fieldValue(text, at + name.length) ?? [0, 0]
    if (end - start < azureUnitsMin || consistsOf(text, start, end, hexSet)) return undefined
    return isSecretValue(text, start, end, likelyName, { quoted: true, doubtful: false })
      ? contextMatch(start, end)
      : undefined
  },
  hits: () => [
    `"primaryKey": "${filler(43, base64Letters)}=",`,
    `"secondaryMasterKey":"${filler(86, base64Letters)}=="`
  ],
  misses: () => [
    '"primaryKey": "id"',
    `"primaryKey": "${filler(20, base64Letters)}"`,
    `"primaryKey": "${filler(64, hexLetters)}"`,
    '"primaryKey": ["tenant", "id"]'
  ],
  source: 'Azure CLI reference, "az servicebus namespace authorization-rule keys list" and "az cosmosdb keys list".'
}

/** The base64 of `{"payload":"`. */
const ecrMark = ['eyJwYXls', 'b2FkIjoi'].join('')
const ecrUnitsMin = 200

const registry: Detector = {
  id: 'ecr_login_password',
  label: 'ECR_PASSWORD',
  title: 'password of an Amazon container registry',
  group: 'secret',
  tier: 'high',
  lengthMin: ecrUnitsMin,
  anchors: [{ literal: ecrMark }],
  match(text, at): Match | undefined {
    if (inSet(base64Set, codeAt(text, at - 1))) return undefined
    const end = runEnd(text, at, base64Set, 8192)
    return end - at < ecrUnitsMin ? undefined : { start: at, end: runEnd(text, end, padSet, 2), confidence: 'strong' }
  },
  hits: () => [`${ecrMark}${filler(400, base64Letters)}==`],
  misses: () => [ecrMark, `${ecrMark}${filler(40, base64Letters)}`],
  source: 'Amazon ECR user guide, "Private registry authentication": a token of twelve hours, base64 of JSON.'
}

/** Types of resources that are passwords, with the attribute that holds them. */
const stateTypes: readonly (readonly [type: string, attribute: string])[] = [
  ['"random_password"', 'result'],
  ['"azuread_application_password"', 'value'],
  ['"azuread_service_principal_password"', 'value'],
  ['"aws_iam_access_key"', 'secret']
]
const stateUnitsMax = 1200
const blanksMax = 40

/** Where the string of a member begins; -1 if there is none. `terraform show -json` prints no blank behind a colon. */
function memberString(block: string, name: string): number {
  const mark = [`"${name}": "`, `"${name}":"`].find((one) => block.includes(one))
  return mark === undefined ? -1 : block.indexOf(mark) + mark.length
}

/** The same on a line of its own, where `terraform show` lines up the equals signs: `    result      = "..."`. */
function attributeString(block: string, name: string): number {
  for (let at = block.indexOf(name); at >= 0; at = block.indexOf(name, at + 1)) {
    const line = runStart(block, at, plainBlankSet, blanksMax)
    const sign = runEnd(block, at + name.length, plainBlankSet, blanksMax)
    if (line < at && codeAt(block, line - 1) === 10 && block.startsWith(' = "', sign - 1)) return sign + 3
  }
  return -1
}

const state: Detector = {
  id: 'terraform_random_password',
  label: 'PASSWORD',
  title: 'password that Terraform made, in its state',
  group: 'secret',
  tier: 'medium',
  lengthMin: 40,
  anchors: stateTypes.map(([literal]) => ({ literal })),
  match(text, at): Match | undefined {
    const found = stateTypes.find(([type]) => text.startsWith(type, at))
    if (found === undefined) return undefined
    const [stateName, attribute] = found
    const from = at + stateName.length
    const isJson = codeAt(text, from) === 44
    if (!isJson && !text.startsWith(' "', from)) return undefined
    const window = text.slice(from, from + stateUnitsMax)
    const next = window.indexOf(isJson ? stateName : '\n}')
    const block = next < 0 ? window : window.slice(0, next)
    const offset = isJson ? memberString(block, attribute) : attributeString(block, attribute)
    if (offset < 0) return undefined
    const start = from + offset
    const end = text.indexOf('"', start)
    return end < 0 || end - start > 400 ? undefined : delimitedPassword(text, start, end)
  },
  hits: () => [
    `"type": "random_password",\n"instances": [{"attributes": {"length": 20, "result": "${filler(20)}", "special": true}}]`,
    `resource "random_password" "db" {\n    id          = "none"\n    length      = 24\n    result      = "${filler(24)}"\n}\n`,
    `"type":"azuread_application_password","values":{"display_name":"ci","value":"${filler(40)}"}`
  ],
  misses: () => [
    '"type": "random_password",\n"name": "db"',
    `resource "random_password" "db" {\n  length = 24\n}\noutput "x" {\n  result = "${filler(24)}"\n}\n`,
    `resource "random_password" "db" {\n      + result = (sensitive value)\n}\n`,
    `"type": "random_pet",\n"attributes": {"result": "${filler(20)}"}`
  ],
  source: 'Terraform, provider random, "random_password": the result stands in the state as it is.'
}

const joinMarks = ['::server:', '::node:']
const joinHeadUnits = 67

const join: Detector = {
  id: 'k3s_node_token',
  label: 'K3S_TOKEN',
  title: 'k3s token of a node',
  group: 'secret',
  tier: 'high',
  lengthMin: 90,
  anchors: joinMarks.map((literal) => ({ literal })),
  match(text, at): Match | undefined {
    const start = at - joinHeadUnits
    if (start < 0 || !text.startsWith('K10', start) || runEnd(text, start + 3, lowerHexSet, 65) !== at) return undefined
    const from = text.indexOf(':', at + 2) + 1
    const end = runEnd(text, from, wordSet, 200)
    return end - from >= 16 && rightClear(text, end, wordSet) ? { start, end, confidence: 'strong' } : undefined
  },
  hits: () => [`K10${filler(64, hexLetters)}::server:${filler(32, hexLetters)}`],
  misses: () => [`${filler(64, hexLetters)}::server:${filler(32, hexLetters)}`, 'K10::server:secret', 'a::node:b'],
  source: 'K3s documentation, "token": K10, the SHA-256 of the authority, the user and the password.'
}

export const printedKeyDetectors: readonly Detector[] = [azure, registry, state, join]

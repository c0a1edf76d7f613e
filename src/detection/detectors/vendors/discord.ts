/** Discord: tokens of bots, secrets of applications, addresses of webhooks. */
import {
  base62Set,
  base64UrlSet,
  charSet,
  codeAt,
  consistsOf,
  digitSet,
  foldCode,
  leftClear,
  runEnd,
  runStart,
  wordSet
} from '../../text/chars.ts'
import { decodePrintable } from '../../text/base64-text.ts'
import { matchContextForms, type ContextForm } from '../../keys/context-key.ts'
import type { Detector, Match } from '../../detector.ts'
import { guarded } from '../../keys/fixed-key.ts'
import { partsEnd } from '../../keys/key-shape.ts'
import { filler } from '../../sample-text.ts'

const lastUnitsMin = 27
const lastUnitsMax = 45
const discordParts = [
  [base62Set, 23, 28],
  '.',
  [base64UrlSet, 6, 7],
  '.',
  [base64UrlSet, lastUnitsMin, lastUnitsMax]
] as const
/** A decimal number in base64 begins with one of these: the digits `0` to `9` are 0x30 to 0x39. */
const discordStarts = charSet('MNO')
const discordSearchUnits = 64
const discordNames: ContextForm[] = [
  { names: ['discord'], set: base62Set, min: 32, max: 32 },
  { names: ['discord'], set: base62Set, min: 64, max: 64 }
]
const matchDiscordName = matchContextForms(discordNames)

/** The bot token that begins shortly behind `from`. */
function discordToken(text: string, from: number): Match | undefined {
  const limit = Math.min(text.length, from + discordSearchUnits)
  for (let at = from; at < limit; at++) {
    if (wordSet[text.charCodeAt(at)] !== 1) continue
    const end = discordStarts[text.charCodeAt(at)] === 1 ? partsEnd(text, at, discordParts) : -1
    if (end > 0) return guarded(text, { start: at, end, confidence: 'strong', byContext: true })
    at = runEnd(text, at, wordSet, limit - at)
  }
  return undefined
}

/**
 * The token whose last part begins at `at`, known by its first: the number of a bot, encoded. Three parts of such
 * lengths alone are also versions and names of files.
 */
function provenToken(text: string, at: number): Match | undefined {
  const middle = runStart(text, at - 1, base64UrlSet, 8)
  if (codeAt(text, middle - 1) !== 46) return undefined
  const start = runStart(text, middle - 1, base62Set, 29)
  if (partsEnd(text, start, discordParts) < 0 || !leftClear(text, start, base64UrlSet)) return undefined
  const number = decodePrintable(text, start, middle - 1)
  if (number === undefined || number.length < numberUnitsMin || !consistsOf(number, 0, number.length, digitSet))
    return undefined
  return guarded(text, { start, end: runEnd(text, at, base64UrlSet, lastUnitsMax), confidence: 'strong' })
}
const numberUnitsMin = 17
const lastUnits = Array.from({ length: lastUnitsMax - lastUnitsMin + 1 }, (_, i) => lastUnitsMin + i)

const sampleDiscord = () => `MT${filler(22)}.G${filler(5)}.${filler(38)}`

const discord: Detector = {
  id: 'discord_token',
  label: 'DISCORD_TOKEN',
  lengthMin: 40,
  title: 'Discord token',
  group: 'secret',
  tier: 'high',
  anchors: [
    { literal: 'discord', fold: true },
    { literal: 'Bot ' },
    { literal: '.login(' },
    { token: lastUnits, before: '.' }
  ],
  match(text, at, context) {
    if (context.by === 'token') return provenToken(text, at)
    const called = foldCode(text.charCodeAt(at)) === 100
    return discordToken(text, at + (called ? 7 : 4)) ?? (called ? matchDiscordName(text, at, context) : undefined)
  },
  hits: () => [
    `DISCORD_TOKEN=${sampleDiscord()}`,
    `client.login('${sampleDiscord()}')`,
    `Authorization: Bot ${sampleDiscord()}`,
    `discordClientSecret: "${filler(32)}"`,
    `look at ${['MTk4NjIyNDgz', 'NDcxOTI1MjQ4'].join('')}.G${filler(5)}.${filler(38)} please`
  ],
  misses: () => [
    'discord.js.org',
    'discord.gg/' + filler(10),
    'DISCORD_VERSION=1.22.333',
    sampleDiscord(),
    `TG9yZW0gaXBzdW0gZG9sb3Ig.G${filler(5)}.${filler(38)}`
  ],
  source: 'Discord documentation, "Authentication": the first of three parts is the number of the bot in base64.'
}

const discordHook = 'discord'
const webhookPath = '/api/webhooks/'

/** Behind the path stand the hook's number and its secret; only the secret is masked. */
function hookSecret(text: string, from: number): Match | undefined {
  const digits = runEnd(text, from, digitSet, 21)
  if (digits - from < 17 || digits - from > 20 || text.charCodeAt(digits) !== 47) return undefined
  const end = runEnd(text, digits + 1, base64UrlSet, 121)
  const length = end - digits - 1
  if (length < 60 || length > 120) return undefined
  return guarded(text, { start: digits + 1, end, confidence: 'strong', byContext: true })
}

const discordWebhook: Detector = {
  id: 'discord_webhook',
  label: 'DISCORD_WEBHOOK',
  lengthMin: 80,
  title: 'Discord webhook address',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: webhookPath }],
  match(text, at) {
    const host = text.slice(Math.max(0, at - 14), at).toLowerCase()
    if (!host.endsWith(discordHook + '.com') && !host.endsWith(discordHook + 'app.com')) return undefined
    return hookSecret(text, at + webhookPath.length)
  },
  hits: () => [`https://${discordHook}.com${webhookPath}${filler(18, '0123456789')}/${filler(68)}`],
  misses: () => [
    `https://${discordHook}.com${webhookPath}${filler(18, '0123456789')}/token`,
    `https://example.com${webhookPath}${filler(18, '0123456789')}/${filler(68)}`
  ],
  source: 'Discord documentation, "Webhook resource": id and token in the address.'
}

export const discordDetectors: readonly Detector[] = [discord, discordWebhook]

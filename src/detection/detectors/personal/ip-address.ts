/** IP addresses that are reachable from the Internet. Private, loopback and documentation ranges identify nobody. */
import {
  charSet,
  codeAt,
  digitSet,
  dottedDigitSet,
  hexSet,
  inSet,
  letterSet,
  runEnd,
  runStart,
  standsAt,
  wordSet
} from '../../text/chars.ts'
import type { Detector } from '../../detector.ts'

/** The four numbers of a dotted quad; undefined if one is empty, above 255 or has a leading zero. */
function octets(text: string, start: number, end: number): number[] | undefined {
  const parts: number[] = []
  let value = -1
  for (let i = start; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 46
    if (code === 46) {
      if (value < 0) return undefined
      parts.push(value)
      value = -1
    } else if (value === 0) return undefined
    else value = Math.max(value, 0) * 10 + code - 48
    if (value > 255) return undefined
  }
  return parts.length === 4 ? parts : undefined
}

/** Special-purpose ranges of the IANA registry, and multicast and reserved addresses, in CIDR notation. */
const specialRanges = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/16 192.168.0.0/16 198.18.0.0/15 ' +
  '198.51.100.0/24 203.0.113.0/24 224.0.0.0/3'
)
  .split(' ')
  .map((range) => {
    const [address, bits] = range.split('/') as [string, string]
    return { address: addressOf(address.split('.').map(Number)), mask: -1 << (32 - Number(bits)) }
  })

/** The four numbers of an address as one of 32 bits. */
function addressOf([a, b, c, d]: readonly number[]): number {
  return ((a as number) << 24) | ((b as number) << 16) | ((c as number) << 8) | (d as number)
}

/** Whether an address can be reached from anywhere on the Internet. */
function isPublic(parts: readonly number[]): boolean {
  const address = addressOf(parts)
  return specialRanges.every((range) => (address & range.mask) !== range.address)
}

/** Whether it is a version: `v1.2.3.4`, `version 1.2.3.4`, `cc_version=1.2.3.4`. */
function isVersion(text: string, start: number): boolean {
  const end = runStart(text, start, gapSet, versionGapMax)
  if (end === start || !inSet(letterSet, codeAt(text, end - 1))) return false
  if (versionWords.some((word) => standsAt(text, end - word.length, word))) return true
  return (codeAt(text, end - 1) | 32) === 118 && !inSet(letterSet, codeAt(text, end - 2))
}
const versionWords = ['version', 'ver', 'release', 'build']
const versionGapMax = 8
const gapSet = charSet(' :="\'>^~.')

const ipv4: Detector = {
  id: 'ipv4',
  label: 'IPV4',
  title: 'IPv4 address',
  group: 'network',
  tier: 'low',
  anchors: [{ dottedQuad: true }],
  match(text, at) {
    const start = runStart(text, at, dottedDigitSet, 14)
    const end = runEnd(text, at, digitSet, 4)
    const before = text.charCodeAt(start - 1)
    if (inSet(wordSet, before) || before === 45 || before === 43) return undefined
    if (inSet(wordSet, text.charCodeAt(end)) || text.charCodeAt(end) === 45) return undefined
    if (text.charCodeAt(end) === 46 && inSet(wordSet, text.charCodeAt(end + 1))) return undefined
    const parts = octets(text, start, end)
    return parts !== undefined && isPublic(parts) && !isVersion(text, start)
      ? { start, end, confidence: 'strong' }
      : undefined
  },
  hits: () => ['from 52.14.88.9 port 22', 'host=81.2.69.160:443', 'http://8.8.4.4/'],
  misses: () => [
    '10.0.0.1',
    '127.0.0.1',
    '192.168.1.1',
    '203.0.113.7',
    'v1.2.3.4',
    'version 1.2.3.4',
    'cc_version=1.2.3.4',
    '1.2.3.4.5',
    '1.2.3',
    '256.1.1.1',
    '1.3.6.1.4.1.311',
    '2.10.4.1-rc1'
  ],
  source: 'RFC 791; IANA IPv4 special-purpose address registry.'
}

const groupSet = charSet('0-9', 'a-f', 'A-F', ':')
const ipv6UnitsMax = 39
/** First groups of addresses that are in use, with their colon. */
const leads = (
  '2001 2003 2400 2401 2402 2403 2404 2405 2406 2407 2408 2409 240a 240b 240c 240d 240e 240f 2600 2601 2602 2603 ' +
  '2604 2605 2606 2607 2610 2620 2800 2801 2803 2804 2806 2a00 2a01 2a02 2a03 2a04 2a05 2a06 2a07 2a09 2a0a 2a0b ' +
  '2a0c 2a0d 2a0e 2a0f 2a10 2a11 2a12 2a13 2a14 2c0f'
).split(' ')

const ipv6: Detector = {
  id: 'ipv6',
  label: 'IPV6',
  lengthMin: 7,
  title: 'IPv6 address',
  group: 'network',
  tier: 'low',
  anchors: leads.map((lead) => ({ literal: lead + ':', fold: true })),
  match(text, at) {
    if (inSet(wordSet, text.charCodeAt(at - 1)) || text.charCodeAt(at - 1) === 58) return undefined
    let end = runEnd(text, at, groupSet, ipv6UnitsMax + 1)
    if (end - at > ipv6UnitsMax || inSet(wordSet, text.charCodeAt(end))) return undefined
    if (text.charCodeAt(end - 1) === 58 && text.charCodeAt(end - 2) !== 58) end--
    return isIpv6(text.slice(at, end)) ? { start: at, end, confidence: 'strong' } : undefined
  },
  hits: () => ['peer 2a02:26f0:3100::1737:a0c2 is up', '[2607:f8b0:4005:805:0:0:0:200e]:443'],
  misses: () => ['2001:db8::1', 'std::vector', '::1', 'fe80::1', '2001:30', '12:30:45', 'crate::module', 'fd00::1'],
  source: 'RFC 4291; IANA IPv6 global unicast allocations; RFC 3849 for the documentation range.'
}

function isIpv6(address: string): boolean {
  const groups = address.split(':')
  const gaps = address.split('::').length - 1
  if (gaps > 1 || address.includes(':::') || address.toLowerCase().startsWith('2001:db8:')) return false
  if (groups.some((group) => group.length > 4 || [...group].some((one) => !inSet(hexSet, one.charCodeAt(0)))))
    return false
  return gaps === 1 ? groups.length <= 8 && groups.length >= 3 : groups.length === 8 && !groups.includes('')
}

export const ipAddressDetectors: readonly Detector[] = [ipv4, ipv6]

/** Names, user names and places. These kinds are known but allowed by default, since only words identify them. */
import {
  charSet,
  digitSet,
  dottedDigitSet,
  dottedNameSet,
  inSet,
  letterSet,
  runEnd,
  upperSet
} from '../../text/chars.ts'
import type { Detector } from '../../detector.ts'
import { namedValue } from '../../values/named-value.ts'

const names = charSet('A-Z', 'a-z', "'-")
const personName = namedValue({
  id: 'person_name',
  label: 'NAME',
  title: 'name of a person',
  group: 'pii',
  tier: 'low',
  confidence: 'medium',
  names: ['my name is', 'full name', 'ich heisse', "je m'appelle", 'me llamo'],
  read(text, at) {
    if (!inSet(upperSet, text.charCodeAt(at))) return -1
    let end = runEnd(text, at, names, 30)
    for (let more = 0; more < 2; more++) {
      if (text.charCodeAt(end) !== 32 || !inSet(upperSet, text.charCodeAt(end + 1))) break
      end = runEnd(text, end + 1, names, 30)
    }
    return end - at > 2 ? end : -1
  },
  hits: () => ['my name is Jana Braun', 'Full name: Jana Maria Braun'],
  misses: () => ['my name is on it', 'the name is Jana'],
  source: 'Forms of introduction; names at large need a model and are not looked for.'
})

const pathUser: Detector = {
  id: 'username_in_path',
  label: 'USER_NAME',
  title: 'user name in a path',
  group: 'pii',
  tier: 'low',
  lengthMin: 8,
  anchors: [{ literal: '/' + 'home/' }, { literal: '/' + 'Users/' }, { literal: '\\Users\\' }],
  match(text, at) {
    const start = text.indexOf(text.charAt(at), at + 1) + 1
    const end = runEnd(text, start, dottedNameSet, 33)
    if (end - start < 2 || end - start > 32 || !inSet(slashSet, text.charCodeAt(end))) return undefined
    return commonUsers.has(text.slice(start, end).toLowerCase()) ? undefined : { start, end, confidence: 'medium' }
  },
  hits: () => ['/' + 'home/jbraun/x', '/' + 'Users/jana.braun/Library', 'C:\\Users\\' + 'jbraun\\x'],
  misses: () => [
    '/' + 'home/runner/work',
    '/' + 'home/user/x',
    '/' + 'Users/Shared/x',
    '/' + 'home/x',
    'at home/jbraun/'
  ],
  source: 'Filesystem Hierarchy Standard; Apple and Microsoft file system layouts.'
}
const slashSet = charSet('/\\')
const commonUsers = new Set(
  'user username runner ubuntu root admin node vscode codespace app www-data vagrant circleci gitpod jenkins public shared default ec2-user pi git docker appuser nobody you me yourname your-name your_name name build builder ci dev test example foo bar'.split(
    ' '
  )
)

const address = namedValue({
  id: 'postal_address',
  label: 'ADDRESS',
  title: 'postal address',
  group: 'pii',
  tier: 'low',
  confidence: 'medium',
  names: [
    'address',
    'my address is',
    'ship to',
    'lives at',
    'home address',
    'street address',
    'billing address',
    'adresse',
    'anschrift'
  ],
  read: streetEnd,
  hits: () => ['address: 1600 Amphitheatre Parkway', 'lives at 12 Baker Street, London'],
  misses: () => ['address: 10.0.0.1', 'address 0x7ffe', 'address: 12 bytes'],
  source: 'USPS Publication 28, street suffixes. From memory, not confirmed.'
})

const suffixes = new Set(
  'street st avenue ave road rd boulevard blvd lane ln drive dr court ct place pl square sq parkway pkwy way terrace highway hwy close crescent gardens'.split(
    ' '
  )
)

/** Past a house number, one to three capitalised words and a word for a street. */
function streetEnd(text: string, at: number): number {
  let i = runEnd(text, at, digitSet, 6)
  if (i === at || i - at > 5) return -1
  for (let word = 0; word < 4; word++) {
    if (text.charCodeAt(i) !== 32 || !inSet(upperSet, text.charCodeAt(i + 1))) return -1
    const end = runEnd(text, i + 1, letterSet, 24)
    if (word > 0 && suffixes.has(text.slice(i + 1, end).toLowerCase())) return end
    i = end
  }
  return -1
}

const postcode = namedValue({
  id: 'uk_postcode',
  label: 'POSTCODE',
  title: 'UK postcode',
  group: 'pii',
  tier: 'low',
  names: ['postcode', 'post code', 'postal code'],
  read(text, at) {
    let i = runEnd(text, at, upperSet, 3)
    if (i === at || i - at > 2 || !inSet(digitSet, text.charCodeAt(i))) return -1
    i++
    if (inSet(digitSet, text.charCodeAt(i)) || inSet(upperSet, text.charCodeAt(i))) i++
    if (text.charCodeAt(i) === 32) i++
    return inSet(digitSet, text.charCodeAt(i)) && runEnd(text, i + 1, upperSet, 3) === i + 3 ? i + 3 : -1
  },
  hits: () => ['postcode: SW1A 1AA', 'postal code EC1A 1BB'],
  misses: () => ['postcode: 12345', 'postcode SW1A'],
  source: 'Royal Mail, Programmer’s Guide to the Postcode Address File.'
})

const betweenSet = charSet(', ;')

/** Past an angle of at least four decimals; -1 if there is none. */
function coordinateEnd(text: string, at: number): number {
  const end = runEnd(text, at, dottedDigitSet, 14)
  const dot = runEnd(text, at, digitSet, 4)
  return text.charCodeAt(dot) !== 46 || dot > at + 3 || end - dot < 5 || Number(text.slice(at, end)) > 180 ? -1 : end
}

const coordinates = namedValue({
  id: 'gps_coordinates',
  label: 'COORDINATES',
  title: 'place on a map',
  group: 'pii',
  tier: 'low',
  confidence: 'medium',
  names: ['lat', 'latitude', 'lng', 'longitude', 'gps', 'coordinates'],
  read(text, at) {
    const end = coordinateEnd(text, at)
    if (end < 0) return -1
    // The longitude of a pair: `52.520008, -13.404954`.
    const next = runEnd(text, end, betweenSet, 3)
    const second = next === end ? -1 : coordinateEnd(text, text.charCodeAt(next) === 45 ? next + 1 : next)
    return Math.max(end, second)
  },
  hits: () => ['lat: 52.520008', 'longitude=13.404954', 'coordinates: 52.520008, -13.404954'],
  misses: () => ['lat: 52', 'latency 52.520008', 'lat: 952.520008'],
  source: 'WGS 84: degrees with four decimals and more. From memory, not confirmed.'
})

export const personalPlaceDetectors: readonly Detector[] = [personName, pathUser, address, postcode, coordinates]

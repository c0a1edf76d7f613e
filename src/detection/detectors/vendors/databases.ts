/** Databases, queues and message brokers as a service. */
import {
  anyBase64Set,
  base62Set,
  base64Set,
  base64UrlSet,
  charSet,
  hexSet,
  lowerDigitSet,
  lowerHexSet,
  paddedBase64UrlSet,
  uuidSet
} from '../../text/chars.ts'
import { uuidJudge } from '../../keys/context-key.ts'
import { looksGenerated } from '../../keys/generated.ts'
import type { Detector } from '../../detector.ts'
import { digitAndLetterJudge, isMixed, shapedOrNamedDetector, uuidParts, withDigit } from '../../keys/key-shape.ts'
import { filler, fillerUuid, hexLetters, upperDigitLetters } from '../../sample-text.ts'

const atlas = shapedOrNamedDetector(
  {
    id: 'mongodb_atlas_sa',
    label: 'MONGODB_ATLAS_SECRET',
    title: 'MongoDB Atlas secret',
    hits: () => [`ATLAS_PRIVATE_KEY=${fillerUuid()}`],
    misses: () => ['mdb_sa_sk_' + filler(20), 'mdb_sa_id_' + filler(24), fillerUuid()],
    source: 'MongoDB Atlas documentation, "Service accounts": mdb_sa_sk_ and 40 characters; API keys are UUIDs.'
  },
  [{ prefix: 'mdb_sa_sk_', parts: [[base64UrlSet, 40]] }],
  [
    {
      names: ['atlas_private', 'atlas_api', 'mongodb_atlas', 'mongodbatlas', 'mongodb'],
      set: uuidSet,
      min: 36,
      max: 36,
      judge: uuidJudge
    }
  ]
)

const warehouses = shapedOrNamedDetector(
  {
    id: 'confluent_clickhouse_cockroach',
    label: 'DATABASE_API_KEY',
    title: 'API key of a database service',
    hits: () => [`CONFLUENT_API_SECRET=${filler(64)}`, `confluent_api_key: "${filler(16, upperDigitLetters)}"`],
    misses: () => ['4b1d' + filler(20), '4b1d' + filler(38, 'abcdef0123456789'), 'CCDB1_' + filler(10), filler(64)],
    source: 'gitleaks rules clickhouse-cloud-api-secret-key and confluent-*; CockroachDB Cloud: CCDB1_, 22, 40.'
  },
  [
    {
      prefix: '4b1d',
      parts: [[base62Set, 38]],
      judge: (text, start, end) => (isMixed(text, start + 4, end) ? 'strong' : undefined)
    },
    { prefix: 'CCDB1_', parts: [[base62Set, 22], '_', [base62Set, 40]] },
    { prefix: 'cflt', parts: [[base64Set, 60]], judge: withDigit }
  ],
  [
    { names: ['confluent'], set: base64Set, min: 64, max: 64, judge: digitAndLetterJudge },
    { names: ['confluent'], set: base62Set, min: 16, max: 16 }
  ]
)

const storage = shapedOrNamedDetector(
  {
    id: 'database_vendor_key',
    label: 'DATABASE_VENDOR_KEY',
    title: 'key of a database or storage service',
    hits: () => [
      `INFLUXDB_TOKEN=${filler(86)}==`,
      `ELASTIC_API_KEY="${filler(58)}=="`,
      `AIVEN_TOKEN=${filler(372)}`,
      `capella_api_secret = ${filler(80)}`
    ],
    misses: () => [
      'essu_short',
      filler(86) + '==',
      'INFLUXDB_URL=http://localhost:8086',
      'AstraCS:x',
      `elasticsearch tls secret (https://git.acme.com/charts/commit/${filler(40, hexLetters)})`,
      `"https://api.acme.com/repos/elastic/elastic-transport-php/zipball/${filler(40, hexLetters)}"`
    ],
    source:
      'Elastic, InfluxDB, Aiven, Couchbase Capella, Upstash and Airbyte forms as in the betterleaks rules; ' +
      'DataStax documentation: AstraCS:<id>:<64 hexadecimal digits>.'
  },
  [
    { prefix: 'essu_', parts: [[paddedBase64UrlSet, 58, 90]], judge: withDigit },
    { prefix: 'AstraCS:', parts: [[base62Set, 24], ':', [lowerHexSet, 64]] },
    { prefix: 'AVNS_', parts: [[base64UrlSet, 19, 24]], judge: withDigit },
    { prefix: 'pnd_', parts: [[lowerHexSet, 40]] }
  ],
  [
    {
      names: ['influxdb', 'influx'],
      set: base64UrlSet,
      min: 86,
      max: 88,
      padding: 2,
      bare: true
    },
    {
      names: ['elasticsearch', 'elastic'],
      set: anyBase64Set,
      min: 54,
      max: 100,
      padding: 2,
      // A path within one of their packages.
      judge: (value) => (value.startsWith('/') || !looksGenerated(value) ? undefined : 'medium')
    },
    { names: ['aiven'], set: base64Set, min: 300, max: 400, padding: 2 },
    { names: ['capella', 'couchbase'], set: base64Set, min: 56, max: 100, padding: 2 }
  ]
)

const pubsub = shapedOrNamedDetector(
  {
    id: 'pubnub_pusher_ably',
    label: 'PUBSUB_KEY',
    title: 'key of a publish-and-subscribe service',
    tier: 'medium',
    hits: () => [
      `PUSHER_APP_SECRET=${filler(20, 'abcdef0123456789')}`,
      `ABLY_API_KEY=${filler(6)}.${filler(6)}:${filler(43)}`
    ],
    misses: () => ['pub-c-key', 'sec-c-', `pusher=${filler(21)}`],
    source:
      'PubNub documentation, "Keysets": pub-c-, sub-c- and a UUID, sec-c- and base64; Pusher: 20 digits; Ably: id:secret.'
  },
  [
    { prefix: 'sec-c-', parts: [[base64Set, 48, 64]] },
    { prefix: 'pub-c-', parts: uuidParts(hexSet) },
    { prefix: 'sub-c-', parts: uuidParts(hexSet) }
  ],
  [
    { names: ['pusher'], set: lowerHexSet, min: 20, max: 20, judge: digitAndLetterJudge },
    {
      names: ['ably'],
      set: charSet('A-Z', 'a-z', '0-9', '._:-'),
      min: 50,
      max: 64,
      judge: (value) => (value.includes('.') && value.includes(':') ? 'strong' : undefined)
    },
    { names: ['sendbird'], set: lowerHexSet, min: 24, max: 40, judge: digitAndLetterJudge },
    { names: ['sendbird'], set: uuidSet, min: 36, max: 36, judge: uuidJudge },
    { names: ['onesignal'], set: uuidSet, min: 36, max: 36, judge: uuidJudge },
    { names: ['messagebird'], set: lowerDigitSet, min: 25, max: 25 },
    { names: ['messagebird'], set: uuidSet, min: 36, max: 36, judge: uuidJudge },
    { names: ['plivo'], set: base62Set, min: 40, max: 40 },
    { names: ['vonage', 'nexmo'], set: base62Set, min: 16, max: 16 }
  ]
)

export const databaseDetectors: readonly Detector[] = [atlas, warehouses, storage, pubsub]

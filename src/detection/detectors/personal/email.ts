/** E-mail addresses. */
import {
  base62Set,
  charSet,
  consistsOf,
  constantSet,
  countOf,
  digitSet,
  domainSet,
  hexSet,
  inSet,
  labelSet,
  runEnd,
  runStart,
  standsAt,
  wordSet
} from '../../text/chars.ts'
import { WordSet } from '../../text/word-set.ts'
import type { Detector, Match } from '../../detector.ts'
import { documentationDomains, isOwnPlaceholder } from '../../values/placeholders.ts'

/** Top-level domains: those of ISO 3166, and the longer ones in which people have addresses. */
const countryDomains = (
  'ac ad ae af ag ai al am ao ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf ' +
  'cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf ' +
  'gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki ' +
  'km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx ' +
  'my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc ' +
  'sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us ' +
  'uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw'
).split(' ')
const genericDomains = (
  'com org net edu gov mil int info biz name pro aero coop museum jobs mobi travel tel cat asia post xxx app dev ' +
  'page cloud tech online store site website space shop blog club team work works email mail live life world today ' +
  'news media agency studio design digital solutions systems services software company group network global ' +
  'international center institute academy university school health care clinic law legal finance bank capital ' +
  'ventures partners consulting engineering energy eco green earth art music film photo video games social chat xyz ' +
  'top one plus vip fun icu link zone house land city berlin hamburg koeln bayern wien london paris nyc tokyo ' +
  'amsterdam brussels swiss scot wales cymru africa'
).split(' ')
/** How top-level domains in other scripts begin (RFC 5890). */
const punycode = 'xn--'
const topDomains = new WordSet([...countryDomains, ...genericDomains])
/** What people and programs save a message, a record or a key of somebody in, under the name of the address. */
const fileTypes = new WordSet(
  (
    'pdf doc docx odt rtf xls xlsx ods csv ppt pptx txt md log eml msg mbox pst ost ics vcf json xml html zip gz tar 7z png ' +
    'jpg jpeg key pem crt cer p12 pfx pub asc gpg'
  ).split(' ')
)

/** What languages and resolutions have files of, and how long their names are. */
const variantTypes = new WordSet('json xml html md txt png jpg jpeg'.split(' '))
const variantUnits = 2

const localSet = charSet('A-Z', 'a-z', '0-9', "._%+-'")
const localUnitsMax = 64
const domainUnitsMax = 253
/** How far before an address a URL scheme is looked for, in code units. */
const schemeUnitsMax = 128

/** Domains for documentation, and the hosts whose addresses agents put into every commit. */
const quietDomains = new WordSet([
  ...documentationDomains,
  'users.noreply.github.com',
  'users.noreply.gitlab.com',
  // In algorithm names of SSH.
  'tinyssh.org',
  'localhost'
])
const quietLocals = new WordSet('git cursoragent hg svn noreply no-reply donotreply do-not-reply'.split(' '))
const quietTail = '-noreply'

/** The end of the domain at `from`, or -1. Letters beyond ASCII count only if there is no domain without them. */
function domainEnd(text: string, from: number): number {
  const end = asciiEnd(text, from, runEnd(text, from, domainSet, domainUnitsMax))
  if (end >= 0) return end
  let i = from
  while (i < from + labelUnitsMax && (inSet(domainSet, text.charCodeAt(i)) || isLetterBeyond(text.charCodeAt(i)))) i++
  return i > from + 3 && i < from + labelUnitsMax ? asciiEnd(text, from, i) : -1
}
const labelUnitsMax = 64

/**
 * Whether a code is a Latin, Greek or Cyrillic letter or from a script of East Asia, and not punctuation or a wide
 * blank.
 */
function isLetterBeyond(code: number): boolean {
  return (code >= 0xc0 && code < 0x600) || (code >= 0x3041 && code < 0xd7a4)
}

/** The end of a domain in `[from, limit)` with a known top-level domain, or -1. */
function asciiEnd(text: string, from: number, limit: number): number {
  let end = limit
  while (end > from && !inSet(base62Set, text.charCodeAt(end - 1))) end--
  let dot = end - 1
  while (dot > from && text.charCodeAt(dot) !== 46) dot--
  if (dot <= from || !inSet(base62Set, text.charCodeAt(from)) || inSet(wordSet, text.charCodeAt(end))) return -1
  const isTop = topDomains.stands(text, dot + 1, end) || text.startsWith(punycode, dot + 1)
  // The address is the name of a file, but not that of a translation or an image: `lang@pt.br.json`, `icon@3x.de.png`.
  if (!isTop && fileTypes.stands(text, dot + 1, end))
    return text.indexOf('.', from) <= from + variantUnits && variantTypes.stands(text, dot + 1, end)
      ? -1
      : asciiEnd(text, from, dot)
  return !isTop || text.slice(from, end).includes('..') ? -1 : end
}

const sshDomains = new WordSet(['openssh.com', 'libssh.org', 'lysator.liu.se', 'ssh.com'])
const sshWords = new WordSet('zlib keepalive eow tun statvfs fstatvfs hardlink fsync lsetstat limits'.split(' '))
const dashSet = charSet('-')

/**
 * Whether it is an SSH algorithm or extension outside of the standard (RFC 4251, section 6):
 * `chacha20-poly1305@openssh.com`.
 */
function isOfSsh(text: string, start: number, at: number, end: number): boolean {
  if (!sshDomains.stands(text, at + 1, end)) return false
  return countOf(text, start, at, dashSet) > 0 || sshWords.stands(text, start, at)
}

/** Whether the address in `[start, end)`, whose sign stands at `at`, is nobody's. */
function isQuiet(text: string, start: number, at: number, end: number): boolean {
  if (quietLocals.stands(text, start, at) || isOfSsh(text, start, at, end)) return true
  if (at - start >= quietTail.length && standsAt(text, at - quietTail.length, quietTail)) return true
  for (let i = at; i < end; i++)
    if ((i === at || text.charCodeAt(i) === 46) && quietDomains.stands(text, i + 1, end)) return true
  return false
}

/** Whether what stands before `start` makes this the userinfo of a URL: `ssh://user@host`, `https://u:p@host`. */
function isUserInfo(text: string, start: number): boolean {
  if (text.charCodeAt(start - 1) === 47) return text.charCodeAt(start - 2) === 47
  // A password may contain characters that no address has: `https://u:p$w@host`.
  for (let i = start - 1; i > 2 && start - i < schemeUnitsMax; i--) {
    const code = text.charCodeAt(i)
    if (code === 47) return text.charCodeAt(i - 1) === 47 && text.charCodeAt(i - 2) === 58
    if (inSet(noUserInfoSet, code)) return false
  }
  return false
}

/** Characters that no userinfo contains. */
const noUserInfoSet = charSet(' \t\r\n"\'`<>?,')

const pathSet = charSet('A-Z', 'a-z', '0-9', '/~.')

/** Whether a path or port follows, so that this is a machine's address and not a person's: `user@host:path`. */
function isRemotePath(text: string, end: number): boolean {
  const code = text.charCodeAt(end)
  return code === 58 && inSet(pathSet, text.charCodeAt(end + 1))
}

const messageDigitsMin = 8
/** Fewer digits suffice if a name says that it is a message id, or other ids stand before it. */
const namedDigitsMin = 2
const listedDigitsMin = 5
const messageHeads = ['id:', '-to:', 'references:', 'cf.', 'msgid=', 'checking message']
const messageHeadUnits = 24

/**
 * Whether it is a message id: many digits with other characters, in the URL of an archive
 * (`https://lore.kernel.org/git/20220207190320.2960362-1-jane@acme.com/`), or in angle brackets behind `Message-ID:`
 * and the like.
 */
function isMessageId(text: string, start: number, at: number): boolean {
  const digits = countOf(text, start, at, digitSet)
  if (digits < namedDigitsMin || digits === at - start) return false
  if (text.charCodeAt(start - 1) === 47) return digits >= messageDigitsMin
  if (text.charCodeAt(start - 1) !== 60) return false
  // One of several ids in `References:`; addresses of people are separated by commas.
  if (digits >= listedDigitsMin && text.startsWith('> ', start - 3)) return true
  const before = text
    .slice(Math.max(0, start - messageHeadUnits), start - 1)
    .toLowerCase()
    .trimEnd()
  return messageHeads.some((head) => before.endsWith(head))
}

/** The length of an escape behind its backslash: `n`, `x3c`, `u003c`. */
function escapeUnits(text: string, at: number): number {
  const units = text.charCodeAt(at) === 117 ? 4 : text.charCodeAt(at) === 120 ? 2 : 0
  return units > 0 && runEnd(text, at + 1, hexSet, units) === at + 1 + units ? units + 1 : 1
}

/** How people write an address to hide it from programs: `jane [at] acme [dot] dev`. */
const disguises = ['[at]', '(at)', '{at}']
const dots = ['.', '[dot]', '(dot)', '{dot}', '[.]']

function disguised(text: string, at: number): Match | undefined {
  const localEnd = text.charCodeAt(at - 1) === 32 ? at - 1 : at
  const start = runStart(text, localEnd, localSet, localUnitsMax)
  if (start === localEnd || !inSet(wordSet, text.charCodeAt(start))) return undefined
  let i = text.charCodeAt(at + 4) === 32 ? at + 5 : at + 4
  let label = i
  for (let labels = 0; labels < 5; labels++) {
    label = i
    i = runEnd(text, i, labelSet, 40)
    const next = dotEnd(text, i)
    if (i === label || next < 0) break
    i = next
  }
  return label > at + 5 && topDomains.stands(text, label, i) ? { start, end: i, confidence: 'strong' } : undefined
}

/** The end of a written dot, with the blanks around it; -1 if there is none. */
function dotEnd(text: string, at: number): number {
  const from = text.charCodeAt(at) === 32 ? at + 1 : at
  const dot = dots.find((one) => text.slice(from, from + one.length).toLowerCase() === one)
  if (dot === undefined || (dot === '.' && from > at)) return -1
  const end = from + dot.length
  return dot !== '.' && text.charCodeAt(end) === 32 ? end + 1 : end
}

export const emailDetectors: readonly Detector[] = [
  {
    id: 'email_address',
    label: 'EMAIL',
    lengthMin: 6,
    title: 'e-mail address',
    group: 'contact',
    tier: 'medium',
    anchors: [
      { literal: '@', guard: { notBefore: localSet.map((bit) => 1 - bit) } },
      ...disguises.map((literal) => ({ literal, fold: true }) as const)
    ],
    match(text, at) {
      if (text.charCodeAt(at) !== 64) return disguised(text, at)
      const end = domainEnd(text, at + 1)
      if (end < 0) return undefined
      let start = runStart(text, at, localSet, localUnitsMax + 1)
      if (at - start > localUnitsMax) return undefined
      // An escape such as `\n` right before the address belongs to the text around it.
      if (text.charCodeAt(start - 1) === 92) start += escapeUnits(text, start)
      while (start < at && !inSet(wordSet, text.charCodeAt(start))) start++
      if (start >= at || text.charCodeAt(at - 1) === 46 || isUserInfo(text, start) || isRemotePath(text, end))
        return undefined
      if (isOwnPlaceholder(text, start, at) || isMessageId(text, start, at)) return undefined
      // A variable of a shell: `test$STAMP@acme.io`.
      if (text.charCodeAt(start - 1) === 36 && consistsOf(text, start, at, constantSet)) return undefined
      if (isQuiet(text, start, at, end)) return undefined
      return { start, end, confidence: 'strong' }
    },
    hits: () => [
      'write to jane.doe+lists@mail.acme.co.uk.',
      '<k.ito@acme.jp>',
      'mailto:a_b@acme.dev',
      'x\\nlee@acme.io',
      'big$lee@acme.io',
      '"by": "Lee \\u003clee@acme.io\\u003e"',
      'jane [at] acme [dot] dev',
      'k.ito(at)acme.co.jp',
      'lee@xn--d1acufc.xn--p1ai',
      'cv-lee@acme.io.pdf'
    ],
    misses: () => [
      'lang@pt.br.json',
      'icon@3x.de.png',
      'Message-ID: <87liy5ap00.fsf@yoom.acme.com>\nReferences: <20091117190054.GU3165@acme.com> <4C24A606.50401@acme.com>',
      'Ciphers aes128-gcm@openssh.com,chacha20-poly1305@openssh.com',
      'kex: curve25519-sha256@libssh.org, compression: zlib@openssh.com',
      'git@github.com:acme/x.git',
      'deploy@web1.acme.com:/srv/www',
      'lodash@4.17.21',
      '@scope/pkg@1.2.3',
      'jane@example.com',
      'noreply@anthropic.com',
      '123+bot@users.noreply.github.com',
      'icon@2x.png',
      'icon@main.png',
      '@decorator',
      'ssh://deploy@acme.com/x',
      'https://bob:Qx8*kd$kw@acme.com/x',
      'EMAIL="test$STAMP@acme.io"',
      'root@localhost',
      'arr[at] = x.y',
      'cursoragent@cursor.com',
      'see https://lore.kernel.org/git/20220207190320.2960362-1-jane@acme.com/',
      'Message-ID: <4c2a146145451_61ff157c4ec@mail.acme.com>',
      'sntrup4591761x25519-sha512@tinyssh.org',
      'a@b',
      '"foo\\t@acme.io"'
    ],
    source: 'RFC 5321 and RFC 5322; reserved names of RFC 2606.'
  }
]

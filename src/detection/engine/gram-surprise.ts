/** How rare three successive characters are in ordinary text, by the model that rates values (`values/rarity.ts`). */
import { classBits, gramCount } from './gram-classes.ts'
import type { LiteralList } from './literal-list.ts'
import {
  foreignClass,
  levelZero,
  rarityClassCount,
  rarityClassOf,
  unpackLevels,
  writtenSurprises
} from '../values/rarity.ts'
import { rarityLevelBits } from '../values/rarity-table.ts'

/** Levels per bit of surprise. */
const levelsOfBit = 1 / rarityLevelBits

/** Levels of a trigram's surprise per level of a pair's. */
export const pairSteps = 2

/**
 * The surprise of each pair of the model's classes, in {@link pairSteps}, written like the model: that of its
 * stationary distribution. A test recomputes it; at each start that would take longer than everything else here.
 */
export const pairSurprise: readonly string[] = [
  'D>@?AA@EC?HFCB@@@I??=ABBMIEFFHJIJKLMND:H',
  'BKCAAKFAPBLI?@?LBP?@>DGFGDLPNNOPPPOPPJCQ',
  'KDOLOANTKFDTCPUDPTGGNEXU[FWPPPPPQPPPQIES',
  'FAMGNANM@FSCCMS>JSCG?ESSLJTPOPOQQPPPPIFW',
  '@BHGE>IIKBNHFGJDHOFCHGKMNFVPONPPOPPPPG@S',
  '=@E??DAEJFJLAA>EBC<=>ICE@DNPNNOPPKPPPD>P',
  'ABOLNCFVQAWUHRKBQZDHHCYXWF[POOPPPPQNPLEU',
  'CGOMO@LHIDQUIJGJKTFFGFPQYMTYTTTWXYXV[JBT',
  'DBOLP>OSOBTTNKNCLSDKEGQQZNWXSOVXXZ[[ZKDS',
  'HEGBACBDRORIAB=?END?@ODTIWEXVXUXXXXXXHFS',
  'NM]TYDp_YO[U[aYJSZpDONMOap_aUUXZpaaaaVKX',
  'FKPKLBMPNFUQLMHMKTLFMLSOXNW]TTZp_[]Z]HDS',
  'CBGHD?KML@QMALMAHSGCCBHKYCXZUUVVWYWXXGAQ',
  'C@DJK@PQSBOQJGJCCTLCLFMQUIWXRRWYYX[Z[JDR',
  '?ALA@@E@MCNFEHDAEPH?>BELVGSTSRTXVXSXXFAQ',
  'CGCC@HCEOEIEAA<BAW=DBAECJKOWTUUVXVUXWIFR',
  'F@OLH?OMKCXQBLO@EU@EBCLRTMYSQMUUXWZZYJEV',
  'SXUYZ[_]WQ]]K_aZTYVTZB]U]a^aa]a^_a]p_TKa',
  'A@HDE<EEL@QFEDB>ISAA@CFKTDRWPQTVWWWWVE@R',
  '>BLBG>HMDBQIGIHAAKI@=BLIUETXSQTTPVVUXG>P',
  '>@IDH=HL>>ONGHI?CN?ACBLIJ@USNONSVPUNWD>N',
  'JFGFFAGGUEXUAC@ODZABANSXQWUQWTXZZZYXZVMV',
  'MAYSX@UQTDZXSRSFX]UPTQSV]YYLKMNKSMSPWQIR',
  'EDQOPESOEDYRNQFEQpGFNSSMVWp]Y[UpY^Z]^NHY',
  'IJQJQHQVQIYVMQQOBXNNDVSSPKXQRQRUMUTTYKF_',
  'BKJJKJNROITOIHEHAULFGPNIXTSXTTX[]Zp[[HAT',
  'PHYYYFa[WLpVQVVD[apOaO]Z_NQR]^ZXaaa][SEZ',
  'HPPPPPP[Zp]Y`TTTV`ZWY`YYM`TGKJMLNNNMKIC[',
  'HPPPOPPpV_a]pWVZW]TVTZX[WZZIKILLLKMMLMDZ',
  'JOPOPPP]XXpYUXTUT_TPVXpbU[YIMLJLKKMMMNF_',
  'KPPOPPPYdd_d`WXdW_UWUd_[UYYKMLMLNNNNMPGd',
  'JOPPPPPYXW^XXUURUYUTUOpYRcZJMLNNNNNNNNGZ',
  'LPPPPOPdZdd^dUYdT_]XVddpXZpJNNNNLMNONNH^',
  'LOPPQPP]p[pYUVVYW^pZ]d_[W`pMNNNJNNNNNNHp',
  'MPPPPPPe[]eeeX[eZp]^T[]`Z_^NNNNNNNNNNRIe',
  'LMPPPPQW[_epYXTZVe[X[e_p^e_MNONNONONNQI_',
  'MNPOPQP_XYe]eZZbZeW_S]]Q[W]NNNOONNONNNJe',
  'FGHEHGILJFOLHHHHGOGEFIIKPUJKELOOORSOMEIT',
  '8ADACCCEDBEFDCDCBKBAAEEFJOEDFGIIJKLLME:J',
  'HSXWSQpU]R^TQTQTVaQLRVXV_TWpZ[ZpY_a]_WJC'
]
const pairs = unpackLevels(pairSurprise)

/** Levels to subtract for a digit: identifiers and times are full of them, more than the model says. */
const digitCost = 2 * levelsOfBit

/** The model's class of each byte of a block. */
const rarityOfByte = new Uint8Array(256).fill(foreignClass)
rarityOfByte.set(rarityClassOf)
/** For each class of the model, the cost if it is the class of digits. */
const costOf = new Uint8Array(rarityClassCount).fill(digitCost, rarityClassOf[48], (rarityClassOf[57] as number) + 1)

/** The result for a literal with fewer than three characters. */
export const noGram = -1
/** Less than any gram is worth. */
const worthless = -0xffff
/** What an ASCII gram is worth if such are the last choice. */
const barredLevels = -10_000

/**
 * Extra levels for a gram with another character of the literal before it: the search can check four characters before
 * it compares anything. With two bits, the places to check grow faster than the comparisons fall.
 */
const fourLevels = 1.5 * levelsOfBit

/**
 * Two to this many literals of one gram make it worth a level less. A gram that is searched for anyway adds no place to
 * check, and the fourth character keeps most of its literals apart. With a bit for each literal, later ones took ever
 * more common grams, and over a quarter of the places to check were theirs. Without any cost, fifty would share one.
 */
const sharesBits = 1

/**
 * Chooses for each literal its rarest gram, taking into account what sharing a gram would cost. It runs at each start,
 * before any code is compiled, so each character is read once, in one loop.
 * @param bytes the concatenated literals, as a block has their lower-case form
 * @param classOf the class of each byte
 * @param byWide makes ASCII grams the last choice
 * @returns for each literal, its gram and how many characters follow it
 */
export function rarestGrams(
  { from, like }: LiteralList,
  bytes: Uint8Array,
  classOf: Uint8Array,
  byWide: boolean
): { readonly grams: Int32Array; readonly tails: Uint16Array } {
  const grams = new Int32Array(like.length).fill(noGram)
  const tails = new Uint16Array(like.length)
  const taken = new Uint16Array(gramCount)
  like.forEach((known, id) => {
    const at = from[id] as number
    const to = from[id + 1] as number
    if (to - at < 3) return
    // A text that occurs several times is searched for at one place.
    if (known === undefined) rarestAt(bytes, at, to, classOf, taken, byWide)
    else {
      chosen.tail = tails[known] as number
      chosen.gram = grams[known] as number
    }
    tails[id] = chosen.tail
    grams[id] = chosen.gram
    taken[chosen.gram] = (taken[chosen.gram] as number) + 1
  })
  return { grams, tails }
}

/** The last choice: its gram, and the characters behind it. */
const chosen = { gram: 0, tail: 0 }

/** Chooses a gram of `[from, to)`. */
function rarestAt(
  bytes: Uint8Array,
  from: number,
  to: number,
  classOf: Uint8Array,
  taken: Uint16Array,
  byWide: boolean
): void {
  let before = bytes[from] as number
  let last = bytes[from + 1] as number
  let classes = ((classOf[before] as number) << classBits) | (classOf[last] as number)
  let first = rarityOfByte[before] as number
  let second = rarityOfByte[last] as number
  let most = worthless
  for (let at = from + 2; at < to; at++) {
    const next = bytes[at] as number
    const third = rarityOfByte[next] as number
    const pair = first * rarityClassCount + second
    classes = ((classes << classBits) | (classOf[next] as number)) & (gramCount - 1)
    const level =
      byWide && (before | last | next) < 128
        ? barredLevels
        : pairSteps * ((pairs[pair] as number) - levelZero) +
          (writtenSurprises[pair * rarityClassCount + third] as number) -
          levelZero -
          ((costOf[first] as number) + (costOf[second] as number) + (costOf[third] as number))
    const worth = level - ((taken[classes] as number) >> sharesBits) + (at > from + 2 ? fourLevels : 0)
    if (worth > most) {
      most = worth
      chosen.gram = classes
      chosen.tail = to - 1 - at
    }
    before = last
    last = next
    first = second
    second = third
  }
}

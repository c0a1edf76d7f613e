/** How rare three characters in a row are in ordinary text, by the model that rates values. */
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

/** So many levels of a surprise are one bit. */
export const levelsOfBit = 1 / rarityLevelBits

/** Levels of a surprise that one level of a pair is. */
export const pairSteps = 2

/**
 * The surprise of each two classes of the model in a row, in {@link pairSteps}, written as the model is: what it comes to
 * when the model is led on from anywhere. A test does that; at each start it would take longer than all else here.
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

/** Levels by which a digit tells less than the model says: identifiers and times are full of them. */
const digitCost = 2 * levelsOfBit

/** By byte of a block, the class of the model. */
const rarityOfByte = new Uint8Array(256).fill(foreignClass)
rarityOfByte.set(rarityClassOf)
/** By class of the model, what it costs that it is a digit. */
const costOf = new Uint8Array(rarityClassCount).fill(digitCost, rarityClassOf[48], (rarityClassOf[57] as number) + 1)

/** Of a literal that is too short for three characters. */
export const noGram = -1
/** Less than any three characters are worth. */
const worthless = -0xffff
/** What three characters in ASCII are worth where such are the last choice. */
const barredLevels = -10_000

/**
 * So much more three characters tell that have another one of the literal before them: where they stand, the search asks
 * for all four before it compares anything. With two bits the places to ask at grow faster than what is compared falls.
 */
const fourLevels = levelsOfBit

/**
 * Of each literal the three characters that tell most, less what the others that have them would cost. It runs at each
 * start, when no code is compiled yet, so each character is looked at once, in one loop.
 * @param bytes the literals one behind the other, as a block has their small letters
 * @param classOf the class of each byte
 * @param byWide makes three characters in ASCII the last choice
 * @returns by literal, their classes, and how many characters stand behind the three
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
    // One text that stands several times is looked for at one place.
    if (known === undefined) rarestAt(bytes, at, to, classOf, taken, byWide)
    else {
      chosen.tail = tails[known] as number
      chosen.gram = grams[known] as number
    }
    tails[id] = chosen.tail
    grams[id] = chosen.gram
    taken[chosen.gram] = (taken[chosen.gram] as number) + levelsOfBit
  })
  return { grams, tails }
}

/** What was chosen last: its classes, and the characters behind it. */
const chosen = { gram: 0, tail: 0 }

/** Chooses three characters of `[from, to)`. */
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
    const worth = level - (taken[classes] as number) + (at > from + 2 ? fourLevels : 0)
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

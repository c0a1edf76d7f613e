/** How rare three characters in a row are in ordinary text, by the model that rates values. */
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

/**
 * The surprise of each three codes in a row, in levels, by the place of the first; the last two tell nothing. It is one
 * loop, since it runs at each start, when no code is compiled yet.
 */
export function gramSurprises(codes: Uint16Array): Int16Array {
  const levels = new Int16Array(codes.length)
  let first = 0
  let second = 0
  let digits = 0
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number
    const third = code < 128 ? (rarityClassOf[code] as number) : foreignClass
    // Three bits, one for each of the three.
    digits = ((digits << 1) & 7) | (code > 47 && code < 58 ? 1 : 0)
    const pair = first * rarityClassCount + second
    if (i > 1)
      levels[i - 2] =
        pairSteps * ((pairs[pair] as number) - levelZero) +
        (writtenSurprises[pair * rarityClassCount + third] as number) -
        levelZero -
        digitCost * ((digits & 1) + ((digits >> 1) & 1) + (digits >> 2))
    first = second
    second = third
  }
  return levels
}

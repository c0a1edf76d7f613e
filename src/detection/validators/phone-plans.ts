/** Numbering plans: country codes with the lengths of their numbers, and the North American plan. */

/** Country code and the lengths of the national number, `code:min-max`. */
export const countryCodes = new Map(
  (
    '1:10 7:10 20:8-10 27:9 30:10 31:9 32:8-9 33:9 34:9 36:8-9 39:8-11 40:9 41:9 43:7-13 44:9-10 45:8 46:7-10 47:8 ' +
    '48:9 49:7-12 51:8-9 52:10 53:8-10 54:10-11 55:10-11 56:9 57:10 58:10 60:8-10 61:9 62:7-12 63:8-10 64:8-10 65:8 ' +
    '66:8-9 81:9-10 82:8-10 84:9-10 86:10-11 90:10 91:10 92:9-10 93:9 94:9 95:7-10 98:10 211:9 212:9 213:8-9 216:8 ' +
    '218:8-9 220:7-9 221:9 222:8 223:8 224:8-9 225:10 226:8 227:8 228:8 229:8-10 230:7-8 231:7-9 232:8 233:9 234:8-10 ' +
    '235:8 236:8 237:8-9 238:7 239:7 240:9 241:7-8 242:9 243:7-10 244:9 245:7-9 248:7 249:9 250:8-9 251:9 252:7-9 253:8 254:9 ' +
    '255:9 256:9 257:8 258:8-9 260:9 261:9 262:9 263:9 264:8-9 265:7-9 266:8 267:7-8 268:8 269:7 291:7 297:7 298:6 ' +
    '299:6 350:8 351:9 352:6-11 353:7-10 354:7-9 355:8-9 356:8 357:8 358:6-11 359:7-9 370:8 371:8 372:7-8 373:8 374:8 ' +
    '375:9 376:6-9 377:8-9 378:6-10 380:9 381:8-10 382:8 383:8-9 385:8-9 386:8 387:8-9 389:8 420:9 421:9 423:7-9 500:5 ' +
    '501:7 502:8 503:8 504:8 505:8 506:8 507:7-8 509:8 590:9 591:8 592:7 593:8-9 594:9 595:7-9 596:9 597:6-7 598:8 ' +
    '599:7-8 670:7-8 673:7 675:7-8 676:5-7 677:5-7 679:7 850:8-10 852:8 853:8 855:8-9 856:8-10 880:8-10 886:8-9 960:7 961:7-8 ' +
    '962:8-9 963:8-9 964:8-10 965:8 966:9 967:7-9 968:8 970:8-9 971:8-9 972:8-9 973:8 974:8 975:7-8 976:8 977:8-10 992:9 ' +
    '993:8 994:9 995:9 996:9 998:9 246:7 247:4-5 290:4-5 508:6-9 672:6 674:7 678:5-7 680:7 681:6 682:5 683:4-7 685:5-7 686:5-8 ' +
    '687:6 688:5-7 689:6-8 690:4-7 691:7 692:7'
  )
    .split(' ')
    .map((entry) => {
      const [code, range] = entry.split(':') as [string, string]
      const [min, max = min] = range.split('-') as [string, string?]
      return [code, { min: Number(min), max: Number(max) }] as const
    })
)

/**
 * Whether it is valid in the North American plan: area code and exchange begin with 2 to 9, and it is not one of
 * 555-01xx, which are reserved for fiction.
 */
export function isNorthAmerican(national: string): boolean {
  return (
    national.length === 10 &&
    national.charAt(0) >= '2' &&
    national.charAt(3) >= '2' &&
    !(national.slice(3, 8) === '55501') &&
    // Test numbers of Twilio: +1 500 555 0006.
    !national.startsWith('50055500')
  )
}

/** Whether digits are a country code and as many digits as its numbers have. */
export function isInternational(digits: string): boolean {
  for (let length = 1; length <= 3; length++) {
    const plan = countryCodes.get(digits.slice(0, length))
    if (plan === undefined) continue
    const national = digits.slice(length)
    // Some countries keep the trunk zero in international calls; in others people leave it in: +49 (0)30 ...
    const count = national.length
    const isCut = national.startsWith('0') && length > 1 && fits(plan, count - 1)
    return (
      (isCut || fits(plan, count)) &&
      (length > 1 || digits.charAt(0) !== '1' || isNorthAmerican(national)) &&
      !isFlatNumber(digits)
    )
  }
  return false
}

function fits(plan: { readonly min: number; readonly max: number }, count: number): boolean {
  return count >= plan.min && count <= plan.max
}

/** The greatest numbers of 32 bits. The first ones would be telephones in Texas. */
const limits = new Set(['2147483647', '2147483648', '4294967295', '4294967296'])

/** Whether all digits behind the first three are the same, or it is a limit of 32 bits. */
export function isFlatNumber(digits: string): boolean {
  if (limits.has(digits)) return true
  return [...digits.slice(3)].every((one) => one === digits.charAt(3))
}

/** Whether digits are a country code and about as many digits as its numbers have. */
export function isAbroad(digits: string): boolean {
  for (let length = 1; length <= 3; length++) {
    const plan = countryCodes.get(digits.slice(0, length))
    const count = digits.length - length
    if (plan !== undefined) return length === 1 ? count === plan.max : count >= plan.min - 1 && count <= plan.max + 2
  }
  return false
}

/** Generated personal numbers of Europe, with the check digits that their issuers define. */
import {
  birthOf,
  capitals,
  countdown,
  dayFirst,
  digits,
  from,
  laidOut,
  numberOf,
  two,
  untilMade,
  weighted,
  withLuhn,
  yearFirst
} from './check-digits.ts'
import type { Maker } from './secret-values.ts'

const belgian: Maker = (random) => {
  const body = yearFirst(random) + String(from(random, 100, 900))
  return laidOut('##.##.##-###.##', body + two(97 - (Number(body) % 97)))
}

const danish: Maker = (random) =>
  untilMade(() => {
    const body = dayFirst(random) + random.text('0123', 1) + random.text(digits, 2)
    const check = (11 - (weighted(body, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
    return check === 10 ? undefined : laidOut('######-####', body + String(check))
  })

const norwegian: Maker = (random) =>
  untilMade(() => {
    const body = dayFirst(random) + String(from(random, 100, 499))
    const first = (11 - (weighted(body, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11
    const second = (11 - (weighted(body + String(first), [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
    return first === 10 || second === 10 ? undefined : `${body}${first}${second}`
  })

const finnish: Maker = (random) => {
  const [birth, serial] = [dayFirst(random), String(from(random, 100, 899))]
  return `${birth}-${serial}${'0123456789ABCDEFHJKLMNPRSTUVWXY'.charAt(Number(birth + serial) % 31)}`
}

const czech: Maker = (random) =>
  untilMade(() => {
    const { year, month, day } = birthOf(random)
    const body = year + two(Number(month) + from(random, 0, 1) * 50) + day + random.text(digits, 3)
    const check = Number(body) % 11
    return check === 10 ? undefined : laidOut('######/####', body + String(check))
  })

const portuguese: Maker = (random) => {
  const body = random.text('12', 1) + random.text(digits, 7)
  const check = 11 - (weighted(body, countdown(9)) % 11)
  return body + String(check > 9 ? 0 : check)
}

const greekTax: Maker = (random) => {
  const body = random.text('01', 1) + random.text(digits, 7)
  return body + String((weighted(body, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10)
}

const romanian: Maker = (random) => {
  const body = random.text('12', 1) + yearFirst(random) + two(from(random, 1, 40)) + String(from(random, 100, 999))
  const check = weighted(body, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11
  return body + String(check === 10 ? 1 : check)
}

const bulgarian: Maker = (random) => {
  const body = yearFirst(random) + random.text(digits, 3)
  return body + String((weighted(body, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10)
}

const hungarianTax: Maker = (random) =>
  untilMade(() => {
    const body = `8${from(random, 32_000, 48_000)}${random.text(digits, 3)}`
    const check = weighted(body, [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11
    return check === 10 ? undefined : body + String(check)
  })

const hungarianHealth: Maker = (random) => {
  const body = numberOf(random, 8)
  return laidOut('### ### ###', body + String(weighted(body, [3, 7]) % 10))
}

const ukrainian: Maker = (random) => {
  const body = `${from(random, 21_000, 36_000)}${random.text(digits, 4)}`
  return body + String((((weighted(body, [-1, 5, 7, 9, 4, 6, 10, 5, 7]) % 11) + 11) % 11) % 10)
}

const russianPension: Maker = (random) => {
  const body = numberOf(random, 9)
  const check = weighted(body, countdown(9)) % 101
  return laidOut('###-###-### ##', body + two(check === 100 ? 0 : check))
}

const russianTax: Maker = (random) => {
  const region = random.pick(['77', '78', '50', '66'])
  const body = region + random.text(digits, 8)
  const first = body + String((weighted(body, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10)
  return first + String((weighted(first, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10)
}

const swiss: Maker = (random) => {
  const body = `756${random.text(digits, 9)}`
  return laidOut('###.####.####.##', body + String((10 - (weighted(body, [1, 3]) % 10)) % 10))
}

const austrian: Maker = (random) =>
  untilMade(() => {
    const [serial, birth] = [numberOf(random, 3), dayFirst(random)]
    const check = weighted(serial + birth, [3, 7, 9, 5, 8, 4, 2, 1, 6]) % 11
    return check === 10 ? undefined : `${serial}${check} ${birth}`
  })

const irish: Maker = (random) => {
  const body = numberOf(random, 7)
  const second = random.text('AB', 1)
  const sum = weighted(body, countdown(8)) + 9 * (capitals.indexOf(second) + 1)
  return `${body}${`W${capitals}`.charAt(sum % 23)}${second}`
}

const estonian: Maker = (random) => {
  const body = random.text('34', 1) + yearFirst(random) + random.text(digits, 3)
  const [first, second] = [
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 1],
    [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]
  ].map((weights) => weighted(body, weights) % 11) as [number, number]
  return body + String(first < 10 ? first : second % 10)
}

/** ISO 7064, mod 11,10. */
const croatian: Maker = (random) => {
  const body = numberOf(random, 10)
  let product = 10
  for (const digit of body) product = (((Number(digit) + product) % 10 || 10) * 2) % 11
  return body + String((11 - product) % 10)
}

const serbian: Maker = (random) =>
  untilMade(() => {
    const { year, month, day } = birthOf(random)
    const body = `${day}${month}9${year}${from(random, 70, 79)}${from(random, 100, 499)}`
    const check = (11 - (weighted(body, [7, 6, 5, 4, 3, 2]) % 11)) % 11
    return check === 10 ? undefined : body + String(check)
  })

const germanPension: Maker = (random) => {
  const letter = random.text('ABEFGHKLMNPRSTW', 1)
  const { year, month, day } = birthOf(random)
  const [area, serial] = [two(from(random, 10, 29)), two(from(random, 10, 49))]
  const body = `${area}${day}${month}${year}${two(capitals.indexOf(letter) + 1)}${serial}`
  const sum = Array.from(body).reduce((total, digit, i) => {
    const product = Number(digit) * [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1][i]!
    return total + Math.floor(product / 10) + (product % 10)
  }, 0)
  return `${area} ${day}${month}${year} ${letter} ${serial}${sum % 10}`
}

const spanishForeigner: Maker = (random) => {
  const [head, body] = [random.text('XYZ', 1), random.text(digits, 7)]
  return `${head}${body}${'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(`${'XYZ'.indexOf(head)}${body}`) % 23)}`
}

const spanishSocial: Maker = (random) => {
  const body = random.pick(['28', '08', '41']) + numberOf(random, 8)
  return `${body.slice(0, 2)}/${body.slice(2)}/${two(Number(body) % 97)}`
}

/** The generators by the name of their slot. */
export const europeanMakers: Readonly<Record<string, Maker>> = {
  be_nrn: belgian,
  dk_cpr: danish,
  no_fnr: norwegian,
  fi_hetu: finnish,
  cz_rc: czech,
  pt_nif: portuguese,
  gr_afm: greekTax,
  gr_amka: (random) => withLuhn(dayFirst(random) + random.text(digits, 4)),
  ro_cnp: romanian,
  bg_egn: bulgarian,
  hu_tax: hungarianTax,
  hu_taj: hungarianHealth,
  ua_rnokpp: ukrainian,
  ru_snils: russianPension,
  ru_inn: russianTax,
  ru_passport: (random) => `45 ${two(from(random, 2, 19))} ${random.text('123456789', 6)}`,
  ch_ahv: swiss,
  at_svnr: austrian,
  ie_pps: irish,
  ee_ik: estonian,
  hr_oib: croatian,
  rs_jmbg: serbian,
  de_rvnr: germanPension,
  es_nie: spanishForeigner,
  es_nuss: spanishSocial
}

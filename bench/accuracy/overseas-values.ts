/** Generated personal numbers from outside Europe, with the check digits that their issuers define. */
import {
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

const southAfrican: Maker = (random) =>
  withLuhn(`${yearFirst(random)}${random.text(digits, 4)}${random.text('01', 1)}8`)

const australianTax: Maker = (random) =>
  untilMade(() => {
    const body = numberOf(random, 8)
    // The weight of the check digit is 10, which is -1 modulo 11.
    const check = weighted(body, [1, 4, 3, 7, 5, 8, 6, 9]) % 11
    return check === 10 ? undefined : laidOut('### ### ###', body + String(check))
  })

const medicare: Maker = (random) => {
  const body = random.text('23456', 1) + random.text(digits, 7)
  return laidOut('#### ##### #', `${body}${weighted(body, [1, 3, 7, 9]) % 10}${from(random, 1, 4)}`)
}

const canadian: Maker = (random) => laidOut('### ### ###', withLuhn(random.text('1234567', 1) + random.text(digits, 7)))

const curpLetters = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'
const curp: Maker = (random) => {
  const name = `${random.text('BCDFGHLMNPRST', 1)}${random.text('AEIOU', 1)}${random.text('BCDFGHLMNPRST', 2)}`
  const rest = `${random.text('HM', 1)}${random.pick(['DF', 'JC', 'NL', 'MC'])}${random.text('BCDFGLMNPRST', 3)}`
  const body = `${name}${yearFirst(random)}${rest}${random.text(digits, 1)}`
  const sum = Array.from(body).reduce((total, letter, i) => total + curpLetters.indexOf(letter) * (18 - i), 0)
  return body + String((10 - (sum % 10)) % 10)
}

const rfcLetters = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'
const rfc: Maker = (random) => {
  const name = `${random.text('BCDFGHLMNPRST', 1)}${random.text('AEIOU', 1)}${random.text('BCDFGHLMNPRST', 2)}`
  const body = `${name}${yearFirst(random)}${random.text(capitals.slice(0, 14) + digits, 2)}`
  const sum = Array.from(body).reduce((total, letter, i) => total + rfcLetters.indexOf(letter) * (13 - i), 0)
  return body + ['0', ...Array.from(digits.slice(1)), 'A'][(11 - (sum % 11)) % 11]!
}

const argentine: Maker = (random) =>
  untilMade(() => {
    const body = random.pick(['20', '27', '23']) + numberOf(random, 8)
    const check = (11 - (weighted(body, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
    return check === 10 ? undefined : laidOut('##-########-#', body + String(check))
  })

const chilean: Maker = (random) => {
  const body = String(from(random, 7_000_000, 21_000_000))
  const sum = weighted(Array.from(body).toReversed().join(''), [2, 3, 4, 5, 6, 7])
  return `${Number(body).toLocaleString('de-DE')}-${'0K987654321'.charAt(sum % 11)}`
}

const korean: Maker = (random) => {
  const body = yearFirst(random) + random.text('12', 1) + random.text(digits.slice(0, 9), 1) + random.text(digits, 4)
  const check = (11 - (weighted(body, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10
  return laidOut('######-#######', body + String(check))
}

const japanese: Maker = (random) => {
  const body = numberOf(random, 11)
  const rest = weighted(body, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return body + String(rest <= 1 ? 0 : 11 - rest)
}

const taiwanese: Maker = (random) => {
  const letter = random.pick(['A', 'B', 'D', 'E', 'F', 'H'])
  const value = 10 + 'ABCDEFGH'.indexOf(letter)
  const body = random.text('12', 1) + random.text(digits, 7)
  const sum = Math.floor(value / 10) + (value % 10) * 9 + weighted(body, countdown(8))
  return `${letter}${body}${(10 - (sum % 10)) % 10}`
}

const hongKong: Maker = (random) => {
  const letter = random.text('ACDGHKMPRVYZ', 1)
  const body = random.text(digits, 6)
  const sum = 36 * 9 + (capitals.indexOf(letter) + 10) * 8 + weighted(body, countdown(7))
  return `${letter}${body}(${'0123456789A'.charAt((11 - (sum % 11)) % 11)})`
}

const singaporean: Maker = (random) => {
  const body = random.text('6789', 1) + random.text(digits, 6)
  return `S${body}${'JZIHGFEDCBA'.charAt(weighted(body, [2, 7, 6, 5, 4, 3, 2]) % 11)}`
}

const malaysian: Maker = (random) => `${yearFirst(random)}-${random.pick(['14', '10', '07'])}-${random.text(digits, 4)}`

const thai: Maker = (random) => {
  const body = random.text('135', 1) + random.text(digits, 11)
  return laidOut('#-####-#####-##-#', body + String((11 - (weighted(body, countdown(13)) % 11)) % 10))
}

const indonesian: Maker = (random) =>
  `${random.pick(['317401', '327306', '357801'])}${dayFirst(random)}000${from(random, 1, 9)}`

const vietnamese: Maker = (random) => {
  const place = random.pick(['001', '079', '048'])
  return `${place}${random.text('01', 1)}${two(from(random, 60, 99))}${random.text(digits, 6)}`
}

const pakistani: Maker = (random) => laidOut('#####-#######-#', `3${numberOf(random, 11)}${from(random, 1, 9)}`)

const kazakh: Maker = (random) =>
  untilMade(() => {
    const body = yearFirst(random) + random.text('34', 1) + random.text(digits, 4)
    const first = weighted(body, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) % 11
    const check = first === 10 ? weighted(body, [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2]) % 11 : first
    return check === 10 ? undefined : body + String(check)
  })

const iranian: Maker = (random) => {
  const body = numberOf(random, 9)
  const rest = weighted(body, countdown(10)) % 11
  return body + String(rest < 2 ? rest : 11 - rest)
}

const emirati: Maker = (random) =>
  laidOut('###-####-#######-#', withLuhn(`784${from(random, 1960, 2001)}${random.text(digits, 7)}`))

const brazilianPis: Maker = (random) => {
  const body = `1${random.text(digits, 9)}`
  const check = 11 - (weighted(body, [3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)
  return laidOut('###.#####.##-#', body + String(check > 9 ? 0 : check))
}

const itin: Maker = (random) => `9${random.text(digits, 2)}-${from(random, 70, 88)}-${random.text('123456789', 4)}`

const medicareUs: Maker = (random) => {
  const letters = 'ACDEFGHJKMNPQRTUVWXY'
  const part = (kinds: string): string =>
    Array.from(kinds, (kind) => random.text(kind === 'A' ? letters : kind === '1' ? '123456789' : digits, 1)).join('')
  return `${part('1A0')}${part('0')}-${part('A00')}-${part('AA00')}`
}

const aba: Maker = (random) => {
  const body = `0${random.text('123456789', 1)}${random.text(digits, 6)}`
  return body + String((10 - (weighted(body, [3, 7, 1]) % 10)) % 10)
}

/** The generators by the name of their slot. */
export const overseasMakers: Readonly<Record<string, Maker>> = {
  il_id: (random) => withLuhn(random.text('0123', 1) + random.text(digits, 7)),
  za_id: southAfrican,
  au_tfn: australianTax,
  au_medicare: medicare,
  ca_sin: canadian,
  mx_curp: curp,
  mx_rfc: rfc,
  ar_cuit: argentine,
  cl_rut: chilean,
  co_cc: (random) => Number(numberOf(random, 10)).toLocaleString('de-DE'),
  ec_ci: (random) => withLuhn(two(from(random, 1, 24)) + random.text('012345', 1) + random.text(digits, 6)),
  pe_dni: (random) => numberOf(random, 8),
  kr_rrn: korean,
  jp_mynumber: japanese,
  tw_id: taiwanese,
  hk_id: hongKong,
  sg_nric: singaporean,
  my_nric: malaysian,
  th_id: thai,
  id_nik: indonesian,
  vn_cccd: vietnamese,
  pk_cnic: pakistani,
  kz_iin: kazakh,
  ir_id: iranian,
  sa_id: (random) => withLuhn(random.text('12', 1) + random.text(digits, 8)),
  ae_id: emirati,
  br_pis: brazilianPis,
  us_itin: itin,
  us_mbi: medicareUs,
  us_aba: aba,
  in_pan: (random) =>
    `${random.text(capitals, 3)}P${random.text(capitals, 1)}${random.text(digits, 4)}${random.text(capitals, 1)}`,
  ng_nin: (random) => numberOf(random, 11)
}

/** National identifiers of Central and South America, and of Mexico. */
import type { Detector } from '../../detector.ts'
import { idNumber, type IdRow } from '../../numbers/id-number.ts'
import * as check from '../../validators/americas.ts'

const rows: readonly IdRow[] = [
  {
    id: 'br_cpf',
    label: 'BR_CPF',
    title: 'Brazilian CPF number',
    ways: [
      {
        forms: ['999.999.999-99', '999 999 999 99', '999999999-99', '99999999999'],
        check: check.brCpf,
        proof: 'written'
      }
    ],
    words: ['cpf', 'cadastro de pessoa', 'número do cpf', 'cpf/mf'],
    valid: ['075.864~.261-04'],
    invalid: ['529.982~.247-24', '111.111~.111-11'],
    source: 'Receita Federal: two check digits modulo 11.'
  },
  {
    id: 'br_pis',
    label: 'BR_PIS',
    title: 'Brazilian social insurance number',
    ways: [
      {
        forms: ['999.99999.99-9', '999.999.999-9', '999.99999-99-9', '99999999999'],
        check: check.brPis,
        proof: 'none'
      }
    ],
    words: ['pis', 'pasep', 'nis', 'nit', 'pis/pasep', 'nº do pis', 'inscrição do trabalhador'],
    valid: ['120.5493~8.67-1'],
    invalid: ['120.5493~8.67-3', '111.11111~.11-1'],
    source: 'Caixa Econômica Federal: weights 3 2 9 8 7 6 5 4 3 2, modulo 11. From memory, not confirmed.'
  },
  {
    id: 'br_cnpj',
    label: 'BR_CNPJ',
    title: 'Brazilian CNPJ number',
    ways: [
      { forms: ['99.999.999/9999-99', '99999999/9999-99', '99999999999999'], check: check.brCnpj, proof: 'written' },
      { forms: ['????????????99', '??.???.???/????-99'], check: check.brCnpj, proof: 'loose' }
    ],
    words: ['cnpj', 'cadastro nacional', 'cgc', 'cgc mf'],
    valid: ['99.631.21~0/0001-45', '12.ABC.34~5/01DE-35'],
    invalid: ['16.727~.230/0001-98'],
    source: 'Receita Federal: two check digits modulo 11; letters from July 2026 by their code less 48.'
  },
  {
    id: 'mx_curp',
    label: 'MX_CURP',
    title: 'Mexican population code',
    ways: [{ forms: ['@@@@999999@@@@@@?9'], check: check.mxCurp, proof: 'tight' }],
    words: ['curp', 'clave única', 'clave unica', 'registro de población'],
    valid: ['HEGG56042~7MVZRRL96'],
    invalid: ['BOXW~310820HNERXN08'],
    source: 'RENAPO, "Instructivo normativo para la asignación de la CURP": weights 18 to 2, modulo 10.'
  },
  {
    id: 'mx_rfc',
    label: 'MX_RFC',
    title: 'Mexican tax number',
    ways: [
      {
        forms: [
          '@@@@999999???',
          '@@@999999???',
          '@@@-999999-???',
          '@@@@-999999-???',
          '@@@ 999999 ???',
          '@@@@ 999999 ???'
        ],
        check: check.mxRfcLettered,
        proof: 'tight'
      },
      { forms: ['@@@@999999???', '@@@999999???', '@@@@ 999999 ???'], check: check.mxRfc, proof: 'loose' },
      { forms: ['&&&999999???', '&&&&999999???'], check: check.mxRfc, proof: 'loose' },
      { forms: ['@@@@999999'], check: check.mxRfcShort, proof: 'loose' }
    ],
    words: ['rfc', 'registro federal', 'registro federal de contribuyentes'],
    valid: ['GODE561~231GR5', 'GODE-561~231-GR5', 'Ñ&B~130705QH4', 'PEÑ~990214KA7'],
    invalid: ['GODE~561331GR8'],
    others: ['gene (LOC~100724838), mRNA', 'bonds,2003,0,ALS~200307150,NL'],
    source: 'Servicio de Administración Tributaria: date of birth or foundation, homoclave, check character modulo 11.'
  },
  {
    id: 'ar_cuit',
    label: 'AR_CUIT',
    title: 'Argentine tax number',
    ways: [{ forms: ['99-99999999-9', '99999999999'], check: check.arCuit, proof: 'written' }],
    words: ['cuit', 'cuil', 'clave única', 'cdi'],
    valid: ['20-0455~7269-3'],
    invalid: ['20-123456~78-5'],
    source: 'AFIP, RG 2854: weights 5 4 3 2 7 6 5 4 3 2, modulo 11.'
  },
  {
    id: 'ar_dni',
    label: 'AR_DNI',
    title: 'Argentine identity number',
    ways: [{ forms: ['99999999', '99.999.999'], check: (value) => value.charCodeAt(0) > 48, proof: 'none' }],
    words: ['dni', 'documento nacional', 'documento', 'documento nacional de identidad'],
    valid: ['27.18~3.446'],
    invalid: ['00.123~.456'],
    source: 'RENAPER: seven or eight digits without a check digit.'
  },
  {
    id: 'co_nit',
    label: 'CO_NIT',
    title: 'Colombian tax number',
    ways: [
      { forms: ['999.999.999-9', '9.999.999.999-9', '99.999.999-9'], check: check.coNit, proof: 'written' },
      {
        forms: ['999999999-9', '9999999999-9', '99999999-9'],
        check: check.coNit,
        proof: 'loose'
      },
      { forms: ['9999999999', '99999999999', '999999999'], check: check.coNit, proof: 'ambiguous' }
    ],
    words: ['nit', 'rut', 'nit número', 'identificación tributaria', 'identificacion tributaria'],
    valid: ['927.796~.418-3'],
    invalid: ['213.123~.432-2'],
    source: 'DIAN, Orden administrativa 4 de 1989: prime weights from 3, modulo 11.'
  },
  {
    id: 'co_cedula',
    label: 'CO_CEDULA',
    title: 'Colombian identity number',
    ways: [
      {
        forms: ['9999999999', '99999999', '9.999.999.999', '99.999.999'],
        check: (value) => value.charCodeAt(0) > 48,
        proof: 'none'
      }
    ],
    words: [
      'cédula de ciudadanía',
      'cedula de ciudadania',
      'cédula',
      'cedula',
      'c.c.',
      'cc:',
      'cc"',
      'cc nº',
      'cc n°',
      'cc núm',
      'número de cédula',
      'nuip',
      'tarjeta de identidad'
    ],
    valid: ['96209~75988'],
    invalid: ['012345~6789'],
    source: 'Registraduría Nacional del Estado Civil: six to ten digits without a check digit.'
  },
  {
    id: 'pe_ruc',
    label: 'PE_RUC',
    title: 'Peruvian tax number',
    ways: [{ forms: ['99999999999'], check: check.peRuc, proof: 'loose' }],
    words: ['ruc', 'registro único', 'registro unico'],
    valid: ['204621~93450'],
    invalid: ['20512333~798'],
    source: 'SUNAT: weights 5 4 3 2 7 6 5 4 3 2, modulo 11; first digits 10, 15, 16, 17 or 20.'
  },
  {
    id: 'pe_dni',
    label: 'PE_DNI',
    title: 'Peruvian identity number',
    ways: [
      { forms: ['99999999-9', '99999999-@', '99999999@', '999999999'], check: check.peCui, proof: 'loose' },
      { forms: ['99999999'], proof: 'none' }
    ],
    words: ['dni', 'cui', 'documento nacional', 'documento nacional de identidad'],
    valid: ['57885~253-6'],
    invalid: ['10117410~3'],
    source: 'RENIEC: eight digits; check digit or letter by weights 3 2 7 6 5 4 3 2, modulo 11.'
  },
  {
    id: 'ec_cedula',
    label: 'EC_CEDULA',
    title: 'Ecuadorian identity number',
    ways: [{ forms: ['9999999999', '999999999-9'], check: check.ecCedula, proof: 'loose' }],
    words: ['cédula', 'cedula', 'c.i.', 'ci:', 'ci"', 'ci nº', 'ci n°', 'ci no', 'cédula de identidad'],
    valid: ['17314~78507'],
    invalid: ['171430710~4'],
    source: 'Registro Civil del Ecuador: province, weights 2 and 1, modulo 10.'
  },
  {
    id: 'ec_ruc',
    label: 'EC_RUC',
    title: 'Ecuadorian tax number',
    ways: [{ forms: ['9999999999999', '9999999999-999'], check: check.ecRuc, proof: 'loose' }],
    words: ['ruc', 'registro único', 'registro unico'],
    valid: ['1761506~886001'],
    invalid: ['1763154690~001', '1790085783~000'],
    source: 'Servicio de Rentas Internas: identity number and 001, or companies modulo 11.'
  },
  {
    id: 'uy_ci',
    label: 'UY_CI',
    title: 'Uruguayan identity number',
    ways: [
      { forms: ['9.999.999-9', '9.999.9999'], check: check.uyCi, proof: 'written' },
      { forms: ['9999999-9', '999999-9'], check: check.uyCi, proof: 'loose' },
      // The letters before it also end company names.
      { forms: ['99999999', '9999999'], check: check.uyCi, proof: 'ambiguous' }
    ],
    words: ['cédula', 'cedula', 'cédula de identidad', 'c.i.'],
    valid: ['3.219.~753-6'],
    invalid: ['1.234.567~-3'],
    others: ['c.6626-1.2376 3.2156 2.3292 5.205.8667 7.6577 0 10.3122 0'],
    source: 'Dirección Nacional de Identificación Civil: weights 2 9 8 7 6 3 4, modulo 10.'
  },
  {
    id: 'do_cedula',
    label: 'DO_CEDULA',
    title: 'Dominican identity number',
    ways: [
      { forms: ['999-9999999-9'], check: check.doCedula, proof: 'written' },
      { forms: ['99999999999'], check: check.doCedula, proof: 'loose' }
    ],
    words: ['cédula', 'cedula', 'cédula de identidad'],
    valid: ['382-331~6694-1'],
    invalid: ['001139182~04'],
    source: 'Junta Central Electoral: Luhn; an official list of exceptions exists.'
  },
  {
    id: 'cr_cedula',
    label: 'CR_CEDULA',
    title: 'Costa Rican identity number',
    ways: [
      { forms: ['99-9999-9999', '9-9999-9999', '999999999'], check: check.crCedula, proof: 'loose' },
      { forms: ['9-999-999999', '9999999999'], check: check.crJuridica, proof: 'loose' },
      { forms: ['0999999999'], check: (value) => check.crCedula(value.slice(1)), proof: 'loose' },
      { forms: ['199999999999', '1999-99999999'], proof: 'loose' }
    ],
    words: ['cédula', 'cedula', 'cédula física', 'cédula jurídica', 'dimex'],
    valid: ['1-0932~-0417'],
    invalid: ['30-1234~-1234'],
    source: 'Tribunal Supremo de Elecciones and Registro Nacional de Costa Rica: no check digit.'
  },
  {
    id: 'gt_nit',
    label: 'GT_NIT',
    title: 'Guatemalan tax number',
    ways: [
      {
        forms: ['9999999-9', '9999999-K', '999999-9', '999999-K', '99999-9', '99999-K', '9-99999-9'],
        check: check.gtNit,
        proof: 'loose'
      },
      { forms: ['99999999', '9999999K', '9999999'], check: check.gtNit, proof: 'ambiguous' },
      // The identity card number: serial and check, department, town.
      { forms: ['9999 99999 9999', '9999999999999'], check: check.gtCui, proof: 'none' }
    ],
    words: [
      'nit',
      'identificación tributaria',
      'identificacion tributaria',
      'dpi',
      'cui',
      'código único de identificación',
      'documento personal de identificación'
    ],
    valid: ['39041~58-1', '2824~ 59162 0101'],
    invalid: ['576937~-1'],
    source: 'Superintendencia de Administración Tributaria de Guatemala: weights from 2, modulo 11.'
  },
  {
    id: 'sv_dui_nit',
    label: 'SV_NIT',
    title: 'Salvadoran identity or tax number',
    ways: [
      { forms: ['9999-999999-999-9'], check: check.svNit, proof: 'tight' },
      { forms: ['99999999999999'], check: check.svNit, proof: 'loose' },
      { forms: ['99999999-9', '999999999'], check: check.svDui, proof: 'loose' }
    ],
    words: [
      'nit',
      'dui',
      'documento único',
      'documento unico',
      'identificación tributaria',
      'identificacion tributaria',
      'documento único de identidad'
    ],
    valid: ['0614-0507~85-139-6'],
    invalid: ['0614-050707~-104-9'],
    source: 'Ministerio de Hacienda and RNPN of El Salvador: weights modulo 11 (NIT) and modulo 10 (DUI).'
  },
  {
    id: 'py_ruc',
    label: 'PY_RUC',
    title: 'Paraguayan tax number',
    ways: [
      {
        forms: ['99999999-9', '9999999-9', '999999-9', '99999-9', '9999-9', '999999999', '99999999'],
        check: check.pyRuc,
        proof: 'loose'
      }
    ],
    words: ['ruc', 'registro único', 'registro unico'],
    valid: ['04704~914-6'],
    invalid: ['80028061~-1'],
    // One in eleven identity numbers of other countries passes.
    others: ['cédula: 3197~1911'],
    source: 'Subsecretaría de Estado de Tributación: weights from 2, modulo 11.'
  },
  {
    id: 've_rif',
    label: 'VE_RIF',
    title: 'Venezuelan tax number',
    ways: [
      { forms: ['@-99999999-9', '@999999999', '@-999999999'], check: check.veRif, proof: 'loose' },
      // The identity card number alone, of a citizen or a foreigner.
      { forms: ['V-99.999.999', 'V-9.999.999', 'V99999999', 'E-99.999.999', 'V-99999999'], proof: 'none' }
    ],
    words: ['rif', 'registro único', 'registro de información', 'cédula', 'c.i.', 'c.i', 'cédula de identidad'],
    valid: ['V9686~60060', 'V-12.85~1.306'],
    invalid: ['V1147028~78'],
    source: 'SENIAT: letter by weight, weights 3 2 7 6 5 4 3 2, modulo 11.'
  },
  {
    id: 'bo_ci',
    label: 'BO_CI',
    title: 'Bolivian identity number',
    ways: [
      {
        forms: ['9999999@@', '99999999@@', '9999999-@@', '99999999-@@', '9999999 @@', '99999999 @@'],
        check: check.boDepartment,
        proof: 'loose'
      }
    ],
    words: [
      'cédula de identidad',
      'cedula de identidad',
      'c.i.',
      'carnet de identidad',
      'ci:',
      'ci"',
      'ci nº',
      'ci n°',
      'ci no',
      'cédula'
    ],
    valid: ['48372~61LP', '42378~21 LP'],
    invalid: ['1234567~XX'],
    source: 'SEGIP: five to eight digits and the letters of a department; no check digit.'
  }
]

export const americasIdDetectors: readonly Detector[] = rows.map(idNumber)

/** National identifiers of Germany. */
import type { Detector } from '../../detector.ts'
import { idNumber, type IdRow } from '../../numbers/id-number.ts'
import * as check from '../../validators/europe-west.ts'

const rows: readonly IdRow[] = [
  {
    id: 'de_steuer_id',
    label: 'DE_STEUER_ID',
    title: 'German tax identification number',
    ways: [
      { forms: ['99 999 999 999', '99 999999999'], check: check.deSteuerId, proof: 'written' },
      { forms: ['99999999999', '9999999999 9'], check: check.deSteuerId, proof: 'loose' },
      { forms: ['99999999999'], check: check.deSteuerIdLoose, proof: 'none' }
    ],
    words: [
      ...['steuer-id', 'steuer id', 'steuer idnr', 'steuernummer', 'idnr', 'id-nr', 'identifikationsnummer'],
      ...['steueridentifikationsnummer', 'tin', 'steuerliche identifikationsnummer'],
      ...['persönliche identifikationsnummer', 'bzst', 'steuerid', 'tax id', 'tax no', 'tax number'],
      ...['steuerliche id', 'steuer-identnr', 'steuer identnr', 'steueridentnr', 'steuer identnummer'],
      ...['identnummer', 'steuerliche ident'],
      'ident nr',
      'identnr'
    ],
    valid: ['73 456 ~881 907'],
    invalid: ['0609574~2719', '860957~427180'],
    source: 'Bundeszentralamt fuer Steuern: ISO 7064 MOD 11,10 and the rule of repeated digits.'
  },
  {
    id: 'de_steuernummer',
    label: 'DE_STEUERNUMMER',
    title: 'German tax number',
    ways: [
      {
        forms: [
          '999/999/99999',
          '99/999/99999',
          '999/9999/9999',
          '999 999 99999',
          '999/9999/999',
          '99 999 99999',
          '99/999/9999'
        ],
        proof: 'loose'
      },
      { forms: ['9999999999999'], check: check.deTaxNumber, proof: 'loose' },
      // The ten or eleven digits of the federal states, without slashes.
      { forms: ['9999999999', '99999999999'], proof: 'none' }
    ],
    words: ['steuernummer', 'steuer nr', 'st.-nr', 'stnr', 'st nr', 'st.nr', 'steuernr', 'steuernr.', 'finanzamt'],
    valid: ['095/040~/98406'],
    invalid: ['12/34/~5'],
    source:
      'Bundesfinanzministerium, "Struktur der Steuernummer": forms of the states and the thirteen digits of ELSTER.'
  },
  {
    id: 'de_sozialversicherung',
    label: 'DE_SVNR',
    title: 'German social insurance number',
    ways: [
      {
        forms: ['99999999@999', '99 999999 @ 999', '99 999999 @999'],
        check: check.deSozialversicherung,
        proof: 'tight'
      }
    ],
    words: [
      'sv nummer',
      'rvnr',
      'sozialversicherungsnummer',
      'rentenversicherungsnummer',
      'versicherungsnummer',
      'svnr',
      'rvnummer',
      'sozialversicherung',
      'sozialversicherungsausweis',
      'sozialversicherungsnr',
      'rentenausweis',
      'rentenversicherung',
      'drv',
      'vers.-nr',
      'rv-nummer',
      'rentenversicherungsnr',
      'sv nr',
      'sv-nr',
      'rv nr',
      'rv nummer'
    ],
    valid: ['151203~85S040'],
    invalid: ['65070803~A018', '15990649~C103'],
    source: 'Deutsche Rentenversicherung: weights 2 1 2 5 7 1 2 1 2 1 2 1 with cross sums, modulo 10.'
  },
  {
    id: 'de_personalausweis',
    label: 'DE_AUSWEIS',
    title: 'German identity card or passport number',
    ways: [
      { forms: ['@????????9', '@999999999'], check: check.deDocument, proof: 'loose' },
      { forms: ['@????????'], check: check.deSerial, proof: 'loose' },
      { forms: ['@99999999'], check: check.deSerial, proof: 'loose' }
    ],
    words: [
      'ausweis',
      'personalausweis',
      'ausweisnummer',
      'perso',
      'reisepass',
      'pass-nr',
      'passnummer',
      'reisepassnummer',
      'personalausweisnummer',
      'ausweisdokument',
      'dokumentennummer',
      'ausweis nr'
    ],
    valid: ['L01X0~0T471', 'C8K4X~9T2R'],
    invalid: ['B01X0~0T478', 'L01A0~0T478'],
    source: 'Bundesdruckerei and ICAO Doc 9303: characters without vowels, weights 7-3-1.'
  },
  {
    id: 'de_krankenversicherung',
    label: 'DE_KVNR',
    title: 'German health insurance number',
    tier: 'medium',
    group: 'pii',
    ways: [{ forms: ['@999999999'], check: check.deHealthInsurance, proof: 'loose' }],
    words: [
      'kvnr',
      'krankenkasse',
      'krankenversicherung',
      'versichertennummer',
      'krankenversichertennummer',
      'egk',
      'krankenversicherungsnummer',
      'gesundheitskarte',
      'versichertenkarte',
      'versichertenausweis',
      'versicherten nr',
      'kv nummer',
      'kv nr',
      'kv-nr.'
    ],
    valid: ['K4509~88507'],
    invalid: ['A1234~56781'],
    source: 'GKV-Spitzenverband, "Krankenversichertennummer": letter as two digits, weights 1 and 2, modulo 10.'
  }
]

export const germanIdDetectors: readonly Detector[] = rows.map(idNumber)

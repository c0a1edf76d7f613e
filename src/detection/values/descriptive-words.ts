/**
 * What sentences say about a password without stating it: wrong, expired, required, correct. In 8 GB of documentation
 * and sources some 230 different words follow "the password is", nearly all of them participles, which their endings
 * reveal (decision 144).
 */
import { spellingsOf } from '../text/plain-letters.ts'
import { WordSet } from '../text/word-set.ts'

const words = (list: string): WordSet => new WordSet(list.split(' ').flatMap(spellingsOf))

const descriptiveWords = words(
  // English: adjectives, participles without an ending, adverbs, and words that continue the sentence.
  'wrong weak strong safe secure insecure empty blank null nil none undefined unset set reset correct incorrect valid invalid right ' +
    'bad good fine okay ok best better worse worst new old current same different similar long longer short shorter simple simpler ' +
    'complex common unique random secret private public personal confidential sensitive plain plaintext cleartext clear text string ' +
    'required optional mandatory necessary needed visible invisible hidden shown known unknown forgotten lost gone stolen broken ' +
    'given taken written proven chosen frozen made kept sent held found left told seen read put cut hit built bound stuck spelt ' +
    'present popular send absent dependent independent missing available unavailable active inactive alphanumeric numeric lowercase uppercase numbers letters digits ' +
    'falsy truthy nullish arbitrary zero down up running grant grants flow flows mode rotation recovery strength used need needs ended said rewritten hashes pair pairs prompts attempts combination combinations managers comparison details fields ' +
    'properties parameter parameters argument arguments components strategy generate generator otherwise policies reuse spraying guesses lists column input box entry ' +
    'ascii hex binary base64 temporary permanent temp static dynamic constant final fixed initial first second third last next ' +
    'previous prior important critical crucial vital useful useless pointless irrelevant relevant obvious dangerous obsolete stale ' +
    'outdated robust resilient expired due overdue ready fresh live real true false yes no not never always also only even just really very too so ' +
    'quite still already now then here there below above inside outside nearby elsewhere somewhere anywhere about like unlike than ' +
    'what who which that this these those when where why how whatever because since until unless if as at by for from in into of ' +
    'off on onto out over to under up upon with within without via per a an the one two my your his her its our their mine yours ' +
    'hers ours theirs him them it me you us any some all both each every either neither other another nothing something anything ' +
    'everything someone anyone everyone nobody and or but nor being been be is was were are am will would shall should can could ' +
    'may might must do does did done have has had get got gets going key optional-ish case-sensitive case-insensitive sensitive ' +
    'insensitive secondary primary default standard normal usual typical special specific generic strictly part able unable likely ' +
    'unlikely possible impossible easy hard difficult free open closed locked unlocked full half double single own enough less more ' +
    'most least much many few little big small large high low late early soon later once twice again back ahead off-limits up-to-date ' +
    'mandatory idempotent consistent inconsistent persistent transparent equivalent identical equal unequal compliant non-compliant ' +
    'vulnerable exposed leaked harmless meaningless worthless timeless case masked redacted omitted nullable immutable writeonly ' +
    'write-only read-only readonly authentic authoritative effective ineffective infeasible workable dead alive bogus fake dummy ' +
    'pretty rather hardly wrongly truncated intact complete incomplete partial perfect acceptable unacceptable sufficient insufficient adequate ' +
    'inadequate appropriate inappropriate legit legitimate illegal forbidden taboo mutable opaque symmetric asymmetric internal ' +
    'external local remote global universal trivial nontrivial non-trivial crackable guessable rubbish garbage crap terrible horrible ' +
    'great nice cool awesome perfect bland funny weird strange odd off poor strict lax tight loose unsafe unsound untrusted trusted ' +
    'managed expire match mismatch whatever percent encryption authentication protection login logon prompt field policy hash method ' +
    'complexity criteria entropy regex history length rules rule format settings hint help security expiry lifetime age size count ' +
    'factor factors authenticator custom label icon toggle link page screen modal dialog button handling storage lockout change changes update updates screens pages ' +
    'string file manager encoder functionality combination authenticated synced async blocked protected password passphrase username ' +
    // German, Dutch, Scandinavian languages.
    'nötig notwendig falsch richtig korrekt inkorrekt ungültig gültig leer schwach stark sicher unsicher kurz lang lange abgelaufen vergessen geheim fehlt ikkje ikke inte ' +
    'nicht kein zu bereits schon noch nur sehr unbekannt bekannt weg hier da dort fout verkeerd juist onjuist geldig ongeldig leeg ' +
    'zwak sterk kort verlopen vergeten niet geen geheim onbekend bekend bijna al nog fel felaktigt tom svagt ugyldig ogiltigt ' +
    // French, Spanish, Portuguese, Italian.
    'faux incorrect incorrecte correct correcte valide invalide vide faible fort forte trop court courte pas le la un une très mal ' +
    'bon bonne secret secrète inconnu privé public perdu sûr sure requis obligatoire facultatif le los las muy no una segura seguro ' +
    'débil fuerte corta corto larga largo vacía secreta nueva nula nulo válida válido fraca fraco forte curta curto vazia longa ' +
    'não muito secreta errada errado certa certo nova sbagliata errata debole corta lunga vuota nuova scaduta scaduto sicura non troppo ' +
    'molto poco richiesto richiesta richiesti condivisa condiviso necessario necessari obbligatorio stata stato già ' +
    'segreta giusta corretta scorretta valida importante diferente demasiado necesaria necessaria necessária igual uguale única unica ' +
    // Slavic languages, Turkish.
    'неверный неверен верный верен правильный неправильный слишком не был уже простой сложный пустой слабый надёжный секретный ' +
    'złe dobre poprawne niepoprawne błędne nieprawidłowe prawidłowe za zbyt nie puste słabe silne wymagane krótkie tajne špatné ' +
    'znovu správné neplatné prázdné slabé krátké příliš yanlış doğru hatalı zayıf gerekli zorunlu geçersiz eksik kısa unut povinné povinný ' +
    // Scandinavian languages, Hungarian, Romanian, Greek.
    'krävs obligatoriskt saknas påkrævet påkrevd udløbet utløpt mangler vaaditaan pakollinen virheellinen väärä puuttuu kötelező hibás hiányzik ' +
    'obligatoriu incorectă greșită necesară lipsește vereist verplicht requise richiesta obbligatoria erforderlich pflichtfeld ' +
    // Required, wrong and invalid in Serbian, Bulgarian, Greek, Armenian, Georgian, Hebrew, Arabic, Persian.
    'обавезна обавезно погрешна неважећа задължителна задължително грешна невалидна υποχρεωτικός υποχρεωτικό απαιτείται λάθος ' +
    'εσφαλμένος εσφαλμένο άκυρος άκυρο պարտադիր սխալ անվավեր აუცილებელია სავალდებულოა არასწორია חובה נדרשת נדרש שגויה שגוי ' +
    'مطلوبة مطلوب خاطئة إلزامية الزامی اشتباه نامعتبر ' +
    // Optional and standard in these, and in Russian, Azerbaijani, Albanian, Galician, Spanish.
    'опционо необавезно подразумевана незадължителна προαιρετικό προαιρετικός προεπιλεγμένο կամընտրական არასავალდებულო ' +
    'אופציונלי اختياري اختیاری необязательно необязателен məcburi məcburidir opsional detyrueshëm opcional predeterminado ' +
    'predefinida obrigatorio ' +
    // Indonesian and Malay, Lithuanian, Estonian, Albanian, Icelandic, Afrikaans, Catalan.
    'wajib perlu diperlukan dibutuhkan harus salah benar lemah kuat pendek panjang kosong rahasia tidak sudah belum terlalu hilang berbeda sama ' +
    'neteisingas neteisinga privalomas privaloma būtinas silpnas trumpas per ne slaptas vale kohustuslik liiga nõrk lühike tühi nõutav ' +
    'gabuar pasaktë saktë shumë shkurtër dobët kërkohet rangt rétt veikt stutt of ekki nauðsynlegt nodig vereis swak massa obligatòria incorrecta ' +
    'pilihan opsioneel verpligtend valfrjálst valfrjáls valikuline neprivalomas neprivaloma fakultative ' +
    // Romanian.
    'obligatorie opțional opţional opțională opţională invalidă greșit incorectă incorecta gresita slabă scurtă nouă veche nulă prea'
)

/** Endings of participles and adjectives, in the languages in which sentences about passwords are recognised. */
const endings = [
  ...[
    'ed',
    'ing',
    'able',
    'ible',
    'less',
    'ful',
    'ous',
    'tive',
    'ization',
    'isation',
    'ation',
    'ized',
    'ically',
    '-based'
  ],
  ...['oerd', 'igd', 'zigd', 'erkt', 'teld', 'ieerd', 'olen', 'iven'],
  ...['lich', 'bar', 'los', 'iert', 'ändert', 'etzt', 'ichert', 'errt', 'olgt', 'ig', 'ziehen', 'ieren'],
  ...[
    'ado',
    'ada',
    'ido',
    'ida',
    'orio',
    'oria',
    'ório',
    'ória',
    'ecto',
    'ecta',
    'reto',
    'reta',
    'ato',
    'ata',
    'uta',
    'ile'
  ],
  ...[
    'ário',
    'ária',
    'ível',
    'ável',
    'ente',
    'ré',
    'né',
    'fié',
    'tré',
    'gé',
    'ssé',
    'oire',
    'aire',
    'able',
    'cée',
    'isé',
    'isée',
    'fiée',
    'trée',
    'ssée'
  ],
  ...['ый', 'ий', 'ен', 'ан', 'ян', 'ён', 'ает', 'ит', 'owe', 'ony', 'one', 'any', 'ane', 'ny', 'né', 'ý']
]
const endingWordUnitsMin = 5
const adverbUnitsMin = 7

const infinitives = words(
  'confirm stay continue authenticate use access encrypt unlock sign cancel break decrypt log connect provide check prevent change ' +
    'start open associate try generate encode add update ensure return validate restore derive protect avoid get execute wake ' +
    'verify bind make create request replace upload proceed apply assign save query fetch expose delete enable become load allow ' +
    'clean require copy retrieve establish support boot contain include let estimate cause exclude hand register complete expire ' +
    'comply meet work pass fail match login reset clipboard'
)

/** Whether a word behind `to` is a verb rather than a value: `changed the password to comply`. */
export const isInfinitive = (word: string): boolean => infinitives.has(word)

/** Whether a lower-case word is listed as one that describes a password. Tests write these in place of one as well. */
export const isListedDescriptiveWord = (word: string): boolean => descriptiveWords.has(word)

/** Whether a lower-case word describes a password, or continues the sentence. */
export function isDescriptiveWord(word: string): boolean {
  if (descriptiveWords.has(word) || (word.length > 4 && word.endsWith("n't"))) return true
  if (word.length < endingWordUnitsMin) return false
  if (word.length >= adverbUnitsMin && word.endsWith('ly') && !word.endsWith('fly')) return true
  return endings.some((ending) => word.endsWith(ending))
}

/** Passwords, tokens and keys that nothing but their name gives away: `DB_PASSWORD=...`, `"apiKey": "..."`. */
import type { Guard } from '../engine/anchor-guard.ts'
import { isServiceKey, isVariable, namesToken, signsIn } from '../assignments/assigned-names.ts'
import { operators, type Operator } from '../assignments/operators.ts'
import { behindAssigned, endsText } from '../assignments/steps.ts'
import { Assignment, changesTo } from '../assignments/assignments.ts'
import { isListed, isOther, isWordList } from '../assignments/misread.ts'
import { isPlainSetting } from '../assignments/settings.ts'
import { codeAt, countOf, upperSet } from '../text/chars.ts'
import type { Anchor, Detector, Match, MatchContext } from '../detector.ts'
import { isOrdinary, isSecretValue, isUncommonSecret, type ValueForm } from '../values/generic-value.ts'
import { faintName, isNamePart, likelyName, noName, plainName, rateName, type NameRating } from '../values/key-names.ts'
import { filler, fillerUuid, hexLetters } from '../sample-text.ts'
import { wholeEnd } from '../assignments/value-end.ts'

/** The telling words, without regard to case. Each is short, so what stands beside it is read before anything else. */
const words = [
  'pass',
  'pwd',
  'pswd',
  'psw',
  'psswd',
  'psk',
  'pasword',
  'secret',
  'token',
  'jwt',
  'key',
  'auth',
  'credential',
  'salt',
  'senha',
  'contrase',
  'sifre',
  'haslo',
  'jelszo',
  'lozinka',
  '_pw',
  'pw=',
  'pw =',
  'pw:',
  'pw"',
  "pw']",
  "pw':",
  '_pat=',
  '_pat =',
  '_pat:',
  '_pat"',
  '-pat"',
  "-pat'",
  'x-amz-sig',
  'x-goog-sig'
]
const guard: Guard = { behindName: behindAssigned }
/** Where names of secrets may stand, in assignments and in fields. */
export const anchors: readonly Anchor[] = words.map((literal) => ({
  literal,
  fold: true,
  // Some of the words hold what stands behind the name as well.
  guard: isNamePart(literal) ? guard : undefined
}))

const assignment = new Assignment()

/** The shortest of the words; the name is read to its end from there. */
const wordUnits = 2

/**
 * The value that was read last, by the number of its text, its place and its operator. Several words of one name lead to one
 * value, which is read once for all of them.
 */
const seen = {
  textNumber: 0,
  start: 0,
  end: 0,
  operator: operators.none as Operator,
  /** Where it ends if a sign that cut it off is a part of it. */
  whole: 0,
  /** Whether it is nobody's secret, whatever its name is. */
  isOrdinary: false,
  /** Whether there is nothing more to say of it: it was found, or no name makes a secret of it. */
  isDone: false
}

function look(text: string, textNumber: number): void {
  const { operator, start, end, quoted } = assignment
  if (textNumber === seen.textNumber && start === seen.start && end === seen.end && operator === seen.operator) return
  const whole = quoted ? end : wholeEnd(text, end)
  seen.textNumber = textNumber
  seen.start = start
  seen.end = end
  seen.operator = operator
  seen.whole = whole
  seen.isOrdinary = isOrdinary(text, start, end)
  seen.isDone = seen.isOrdinary && (whole === end || isOrdinary(text, start, whole))
}

export function find(
  text: string,
  at: number,
  { textNumber }: MatchContext,
  wanted: (operator: Operator) => boolean
): Match | undefined {
  if (!assignment.read(text, at, wordUnits, wanted, textNumber)) return undefined
  look(text, textNumber)
  if (seen.isDone) return plainSetting(text, at)
  const { start, end } = assignment
  const { whole } = seen
  const rated = rateName(text, assignment.nameStart, assignment.nameEnd, at + headUnits(text, at))
  const name = rated === likelyName && signsIn(text, assignment) ? plainName : rated
  if (name === noName || isOther(text, assignment) || isListed(text, assignment)) return undefined
  const form = formOf(text, assignment, name)
  // What a sign cuts off a password may be too little to tell it by.
  const isFound =
    (name === faintName && isServiceKey(text, assignment)) ||
    (!seen.isOrdinary && isUncommonSecret(text, start, end, name, form)) ||
    (whole > end && name === plainName && isSecretValue(text, start, whole, name, form))
  if (!isFound) return name === plainName ? plainSetting(text, at) : undefined
  seen.isDone = true
  const match: Match = { start, end: whole, confidence: 'medium', byContext: true }
  const isFirst = assignment.listed || (assignment.quoted && changesTo(text, end + 2))
  const next = isFirst ? restOfList(text, name, form) : undefined
  return next === undefined ? match : { ...match, next }
}

/** What stands at the place of a password and is a plain word; it is one there and nowhere else, so it is not known again. */
function plainSetting(text: string, at: number): Match | undefined {
  if (!mayTellPlain(text, at)) return undefined
  const { nameStart, nameEnd, start, end } = assignment
  if (!isPlainSetting(text, assignment)) return undefined
  if (rateName(text, nameStart, nameEnd, at) !== plainName || isOther(text, assignment)) return undefined
  return { start, end, confidence: 'medium' }
}

/** Whether the word at `at` names a password, and what follows begins like a word; nearly all of program text ends here. */
function mayTellPlain(text: string, at: number): boolean {
  return (codeAt(text, at) | 32) === 112 && assignment.end - assignment.start >= 4
}

/** How much of a word that calls stands before the one that tells: `x-amz-` of `x-amz-sig`. */
function headUnits(text: string, at: number): number {
  if (codeAt(text, at + 1) !== 45) return 0
  return text.indexOf('-', at + 2) + 1 - at
}

/** What tells of a value beside its name; of a name that promises next to nothing the half. */
function formOf(text: string, assigned: Assignment, name: NameRating): ValueForm {
  const { operator, quoted, wrapped, below } = assigned
  const isOfList = isWordList(text, assigned)
  const doubtful =
    operator === operators.call ||
    operator === operators.beside ||
    operator === operators.cell ||
    wrapped ||
    below ||
    isOfList
  if (name === faintName) return { quoted, doubtful }
  const uuids = !isOfList && namesToken(text, assigned)
  const literal = !quoted && isVariable(text, assigned)
  const digits =
    uuids && (literal || operator === operators.colon || operator === operators.option || isTight(text, assigned))
  return { quoted, doubtful, uuids, literal, digits }
}

const elementsMax = 8

/** The further elements of a list whose first one is a secret. */
function restOfList(text: string, name: NameRating, form: ValueForm): Match | undefined {
  const found: { start: number; end: number }[] = []
  while (found.length < elementsMax && assignment.readNext(text)) {
    const { start, end } = assignment
    if (!isSecretValue(text, start, end, name, form)) break
    found.push({ start, end })
  }
  return found.reduceRight<Match | undefined>(
    (next, place) => ({ ...place, confidence: 'medium', byContext: true, ...(next && { next }) }),
    undefined
  )
}

/** `password=84736251`, `password = 84736251` on a line of its own in a file of settings. */
function isTight(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  const isJoined = start === nameEnd + 1 && text.charCodeAt(nameEnd) === 61
  return isJoined || (countOf(text, nameStart, nameEnd, upperSet) === 0 && endsText(text, end))
}

const fields = new Set<Operator>([operators.colon, operators.element, operators.cell, operators.tagged])
export const isField = (operator: Operator) => fields.has(operator)
const isAssignment = (operator: Operator) => !isField(operator) && operator !== operators.is

/** A plain word, which is a password by its place alone. */
const plain = ['sun', 'shine'].join('')
const word = (length: number) => filler(length, 'bcdfghjkmnpqrtvwxz')

export const assignedSecretDetectors: readonly Detector[] = [
  {
    id: 'env_assignment_secret',
    label: 'SECRET',
    title: 'assigned secret',
    group: 'secret',
    tier: 'medium',
    lengthMin: 9,
    anchors,
    match: (text, at, context) => find(text, at, context, isAssignment),
    hits: () => [
      'DB_PASSWORD=' + filler(14),
      'export API_TOKEN=' + filler(32, '0123456789abcdef'),
      `const clientSecret = '${filler(24)}'`,
      `client_secret := "${filler(24)}"`,
      `api_token <- "${filler(24)}"`,
      `config.set("db.password", "${filler(16)}")`,
      `password=${word(9)}`,
      `pass_phrase=${filler(14)}`,
      `wpa2-pre-shared-key=${['violet', '8841'].join('')}`,
      `factory :user do\n  password { "${filler(12)}" }\nend`,
      `parser.add_argument('-p', '--passwd', type=str, default='${filler(12)}', help='x')`,
      `#account{user = <<"4711">>, secret = <<"${['ember', 'falcon', '92'].join('-')}">>}.`,
      `"https://tiles.acme.dev/3/4/2.pbf?key=${filler(32, hexLetters)}"`,
      `motDePasse = "${filler(12)}", dbSifre = "${filler(12)}"`,
      `{ _user = Just "ops", _password = Just "${filler(12)}" }`,
      `03 STORE-PWD   PIC X(30)\n   VALUE "${filler(12)}".`,
      `gc_psk  TYPE string VALUE '${filler(12)}'.`,
      `document.getElementById('user_pass').value = '${filler(12)}'`,
      `$('input[name=password]').val("${filler(12)}")`,
      `"ParameterKey": "DBPassword",\n"ParameterValue": "${filler(14)}"`,
      `mysql --password ${filler(12)}`,
      `setPassword('${filler(12)}')`,
      `var signingKey string = "${filler(40)}"`,
      `$secret_key = '${filler(20)}';`,
      `os.getenv("APP_SECRET", "${filler(20)}")`,
      `process.env.JWT_SECRET || '${filler(20)}'`,
      `<add key="Password" value="${filler(12)}"/>`,
      `buildConfigField "String", "API_KEY", "\\"${filler(32)}\\""`,
      `buildConfigField 'String' , 'API_KEY' , '"${filler(32)}"'`,
      `\\set DB_PASS ${filler(10)}`,
      `- "WLS_PW=${filler(10)}"`,
      'REACT_APP_AUTH_PASS=' + word(9),
      `login_password = "${['this', 'Is', 'Dog', '11'].join('')}"`,
      `todo_secret_do_not_commit = ${filler(30)}`,
      `public string ApiKey { get; set; } = "${filler(24)}";`,
      `variable "api_key" {\n  type = string\n  default = "${filler(24)}"\n}`,
      `gh secret set API_TOKEN --body "${filler(24)}"`,
      `props.put("api.key", "${filler(32, hexLetters)}");`,
      `client.setAuthToken("${fillerUuid()}")`,
      `DB_PASSWORD=${['8473', '6251'].join('')}`,
      `password = "${['violet', 'canyon', 'lantern', 'pepper'].join(' ')}"`,
      `admin_password = "${['Violet', 'Canyon', 'Lantern', '73'].join('')}"`,
      `admin_password = "${['violet', '8841'].join('')}"`,
      `pass="${['violet', '8841'].join('')}" (no dot at the end)`,
      `admin_password = "${['Violet', '4821canyon'].join(' ')}"`,
      `"DB_PASSWORD=${filler(6)}(${filler(7)}"`,
      `ACMEWORKS_KEY=${filler(32, hexLetters)}`,
      `["password"]=>\n  string(14) "${filler(14)}"`,
      `["password":"Config":private]=>\n  string(14) "${filler(14)}"`,
      `    [password:protected] => ${filler(14)}\n`,
      `s:8:"password";s:14:"${filler(14)}";`,
      `[{user,"app"},{password,"${filler(14)}"}].`,
      `"password" "${filler(14)}"`,
      `if request.headers.get("X-Admin-Token") != "${filler(24)}":`,
      `MAIL_FROM       shop@acme.dev     project\nMAIL_SECRET     ${filler(24)}    project\n`,
      `if ($_POST['pw'] == '${filler(14)}') {`,
      `static const uint8_t *psk = (const uint8_t *)"${filler(14)}";`,
      `[password] ${filler(14)}\n`,
      `Key         Value\n---         -----\npassword    ${filler(14)}\nusername    app\n`,
      `1) "requirepass"\n2) "${filler(14)}"\n`,
      `Content-Disposition: form-data; name="password"\r\n\r\n${filler(14)}\r\n--b--`,
      `?X-Amz-Expires=60&X-Amz-Signature=${filler(64, hexLetters)}`,
      `"rawHeaders": [\n  "X-Api-Key",\n  "${filler(32)}",\n]`,
      `{"line":"DB_PASSWORD=${filler(14)}\\n"}`,
      `[-DB_PASSWORD=${filler(14)}-]{+DB_PASSWORD=${filler(14, undefined, 3)}+}`,
      `2026-11-12T10:22:31.1062010Z   DEPLOY_PASSWORD=${filler(6)}(${filler(7)}\n`,
      `MYSQL_ROOT_PASSWORD=${plain}`,
      `export PGPASSWORD=${plain}`,
      `PGPASSWORD=${plain} psql -h db.acme.dev -U app shop`,
      `      - DB_PASS=${['maple', 'dragon'].join('-')}`,
      `DB_PASSWORD="${['maple', 'dragon'].join(' ')}"`,
      `docker run -e MYSQL_ROOT_PASSWORD=${['ti', 'ger'].join('')} -d mysql:8`,
      `ENV DB_PASSWORD ${plain}`,
      `$env:DB_PASSWORD = "x"\n$env:DB_PASSWORD="${plain}"`,
      `password=${plain}`,
      `[client]\nhost = db.acme.dev\nuser = ops\npassword = ${plain}\n`,
      `connect(host="db.acme.dev", user="ops", password="${plain}")`,
      `mount -t cifs //nas/share /mnt -o username=ops,password=${plain}`,
      `wget --user=ops --password=${plain} https://files.acme.dev/x`,
      `ALTER USER ops WITH PASSWORD '${plain}';`,
      `final String password = "${['obi', 'rows', 'lY'].join('')}";`,
      `~ auth_token = "${filler(32)}" -> "${filler(32, undefined, 3)}"`
    ],
    misses: () => [
      'PASSWORD=$DB_PASSWORD',
      `add_argument('--password', type=str)\nadd_argument('--name', default='${filler(12)}')`,
      'password { "password" }',
      'DB_USERNAME=homer\nDB_PASSWORD=homer',
      'POSTGRES_USER=shop\nPOSTGRES_PASSWORD=postgres\nPOSTGRES_DB=shop',
      'POSTGRES_PASSWORD=my' + 'secretpassword',
      'GRAFANA_PASSWORD=grafana',
      'ALLOW_EMPTY_PASSWORD=yes',
      'KEYSTORE_PASSWORD=changeit',
      'LOGIN_PASSWORD=Kennwort',
      'mysql -u root -ppassword shop',
      `connect(user="ops", password="${plain}")`,
      'host: db\nuser: string\npassword: text\n',
      '  passwd = begin\n    read_user\n  user: host: x',
      `password = "${plain}"`,
      `DB_PASSWORD=DB_PASSWORD_7Q2MKX4TAB`,
      'PASSWORD=${DB_PASSWORD:-}',
      'password = os.environ["DB_PASSWORD"]',
      'const token = await getToken(session)',
      'token = user.accessToken',
      'MAX_TOKENS=100',
      'API_KEY=your_api_key_here',
      'SECRET_FILE=/run/secrets/db',
      'KEY_ID=' + filler(20),
      'PUBLIC_KEY=' + filler(40),
      `{name: "ops", secret: "${['ember', 'falcon', '92'].join('-')}"}`,
      'sort_key = "' + filler(20) + '"',
      'csrf_token = "' + filler(32) + '"',
      'password = ""',
      'PASSWORD=********',
      'secret = config.secret',
      'token = abc123',
      `["pushd", "pwd",\n "pyargs", "quit"]`,
      `SECRET_FILE_NAME=${filler(30)}`,
      'PASSWORD=changeme',
      'Provider.wrongPassword=Ung\\u00FCltige Anmeldedaten',
      '["PT", "PW", "P1Y1W", "~P1Y"]',
      `authenticity_token = "${filler(32)}"`,
      'ADMIN_PASSWORD=administrator',
      'set password for the user',
      'tearDown, originalSecret := setupQXv2Test(t, client)',
      'qxldap_pass=qxldappass',
      'bindQxPass = bindQxPass;',
      'append(env(), "PWD="+tc.qx9dir)',
      "{'_qx_pass': 'pass',\n '_qxrm_kwargs': {}}",
      'MACHINE_FUNCTION_PASS("qx-bqp", Allocator, ())',
      'CRYPTO_KEY = "TR31_M6_CMAC_KEY"',
      `field('GoogleDlpV2CryptoKey')`,
      'access_token: pplx-',
      'public string ApiKey { get; set; } = null;',
      'variable "api_key" {\n  type = string\n}',
      'gh secret set API_TOKEN --body "$TOKEN"',
      `cache.put("sort.key", "${filler(32, hexLetters)}");`,
      `findToken("${fillerUuid()}")`,
      `pass=${['8473', '6251'].join('')}`,
      `STATUS_NULL_PASSWORD = ${['8473', '6251'].join('')}`,
      'password = "enter your new one here"',
      "hashPassword('correct horse battery staple')",
      'password = "my-release-postgresql-admin"',
      'password = "PlainHashedSha256"',
      'password = "PlainText2"',
      'password = "step1234"',
      'docker build --secret id=npmrc,src=$HOME/.npmrc .',
      'password = "staging-postgres-02"',
      'password = "contains SHA256 digests"',
      'char password[] = {0};',
      'cconvert->pub.start_pass = rgb_ycc_start;',
      'pw = *ppwStart;   /* time is spent here */',
      'token = tkSEMI;',
      'password = """\n  some text"""',
      '"--password=$(cat file)"',
      `ENV GPG_KEY=${filler(40, '0123456789ABCDEF')}`,
      `CACHE_KEY=${filler(32, hexLetters)}`,
      `key=${filler(32, hexLetters)}`,
      'aws ssm put-parameter --name /app/db_password --type SecureString --value "$VALUE"',
      `[\n  "libqsecret-1-0",\n  "libvpx9-${word(9)}"\n]`,
      `existingSecret=${word(9)}-keys`,
      'password    The password of the user\n',
      '  token     string\n',
      '["password"]=>\n  NULL\n',
      '1) "password"\n2) "email"\n',
      '"password" "confirm"',
      '[token] expired\n',
      'name="password"\r\n\r\n\r\n--b--',
      `const {token,${word(9)}} = load()`,
      "addFormatToken('MMMM', 0, 0, function (format) {",
      'new_token = xstrdup (message.token);',
      'const char *test_ca_pwd = test_ca_pwd_rsa;',
      'api_key = %[4]q',
      'pwd = pw_name ? getpwnam (pw_name) : getpwuid (euid);',
      '"filters","tokens","soFarq","cached"',
      'data "nsx_credentials" "nsx-ds7q" {',
      "'password' => 'crwdns6846:0crwdne6846:0',",
      '\tFgr_passwd   uintptr\n',
      'type TLOCATOR_FREE_PASSWORD = uintptr\n',
      'kpasswd\t\t464/tcp\n',
      'fi # $pass = dlpreopen\n',
      'ls->lookahead.token = TK_EOS;  /* and discharge it */',
      'WithHardTokens("MTLS_S2A")',
      '"TRIPLE_DES_3KEY","RC4_128"',
      '__m256i const data_key    = _mm256_xor_si256     (data, key)',
      '("pw_name", "pw_passwd", "pw_uid", "pw_gid")',
      'self._make_token("PPPRAGMA", "pragma")',
      `--client-request-token "${fillerUuid()}"`,
      `$storageKey = '_sf2_flashes'`,
      'stylesheetToken = "lwc-4auqus00epa"',
      `prometheus.ssl.password = encrypted:${filler(60)}`,
      'smtp_password[] = "334 UGFzc3' + 'dvcmQ6"',
      'ServiceURL("users", userID, "credentials", "OS-EC2")',
      "Credential = 'Domain02\\Admin01'",
      "'/bin/ls -l /etc/passwd -> r:-rw-r--qx'",
      "'PWD'  => \\&PWD_ftqx,",
      'settings.gpgPassphrase = savedGpgPass',
      '(`c_password`, `c_cqxn`, `c_mail`)',
      '\\"line1_check\\":\\"pass\\",\\"address_postal_code_check\\":\\"pass\\",\\"cvc',
      "$labels['key4096'] = '4096 bitów - bardziej bezpiecznie'",
      'https://app.acme.dev/#/add?amount=2&token=0x42456d7084eacf4083f1140d3229471bba2949a8&to=1',
      '(Campaign Verify tokens) or \\u201CAEGIS\\u201D\\',
      'Set-Value @params -Credential jdqoe',
      '  --key-passphrase  SFTQ private key passphrase',
      "'ldap_pw' => 'Cache LDAP Passwords',\n    'ldap_pw_sync_xq'   => 'Uncheck this box'"
    ],
    source: 'Conventions of environment files, shells and program text; the name is the evidence.'
  }
]

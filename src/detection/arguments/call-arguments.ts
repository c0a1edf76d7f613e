/**
 * Which argument of a call is a password or key, by the documentation of its library. Only for calls whose names do not
 * say that they grant access (`values/access-names.ts`), or whose values need not look like secrets. A form has a word
 * for each argument: `*` the secret, a string literal; `?` any; `#` a number; `P` a literal that names a password
 * field.
 */
import { NameIndex } from '../text/name-index.ts'

/** How much the form promises: `sure` if nothing else can stand there, `likely` if other calls have the same name. */
type Sureness = 'sure' | 'likely'

const table: readonly (readonly [callees: string, forms: string, promise: Sureness])[] = [
  // A user and a password.
  ['login(|log_in(|logon(|signin(|sign_in(|login_user(|authenticate(|authenticator(', '? *', 'likely'],
  ['auth(|auth=(|auth =(|auth=[|auth": [|auth": (|auth\': [|auth\': (', '? *', 'sure'],
  ['auth.basic(|auth().basic(|preemptive().basic(|credentials.basic(', '? *', 'sure'],
  ['basic_auth |basic_auth(|basic_authentication(|basicauthentication(|withbasicauth(', '? *', 'sure'],
  ['basicauthenticator(|basicauthinterceptor(|basicauthcredentials(', '? *', 'sure'],
  ['networkcredential(|passwordcredentials(|passwordcredential(|basiccredentials(|plaincredentials(', '? *', 'sure'],
  ['passwordauthentication(|passwordauthenticator(|passwordauthenticationtoken(|pscredential(', '? *', 'sure'],
  ['plainauth(|authplain(|add_auth(|create_user(|create_superuser(|createuser(', '? ? *', 'sure'],
  ['userwithemailandpassword(|inwithemailandpassword(', '? ? *', 'sure'],
  ['keyring.set_password(', '? ? *', 'sure'],
  ['wifi.begin(|wifi.softap(|wlan.connect(|sta_if.connect(|wifi.connect(|username_pw_set(', '? *', 'sure'],
  ['basic_auth=(|http_auth=(', '? *', 'sure'],
  ['unsafeplaintext(', '*', 'sure'],
  ['rest::client.new(', '? *', 'sure'],
  ['rcon(', '? # *|? *', 'likely'],
  ['.sendline(', '*', 'likely'],
  ['sp_addlogin |sp_password ', '? *', 'sure'],
  ['sp_addlinkedsrvlogin ', '? ? ? ? *', 'sure'],
  ['usermanager.createasync(|addpasswordasync(|checkpasswordasync(|passwordsigninasync(', '? *', 'sure'],
  // Databases, directories, hosts.
  [
    'getconnection(|mysqli(|mysqli_connect(|mysql_connect(|real_connect(|pdo(|pdo->__construct(|mysqli->__construct(|sequelize(',
    '? ? *',
    'sure'
  ],
  ['racle.connect(|oci_connect(|oci_pconnect(', '? *', 'sure'],
  ['ftp_login(|ssh2_auth_password(|imap_open(|odbc_connect(|dbi->connect(|directoryentry(', '? ? *', 'sure'],
  ['mysql_real_connect(', '? ? ? *', 'sure'],
  ['url.create(|load_cert_chain(', '? ? *', 'sure'],
  ['twilio(', '? *', 'sure'],
  ['account.from_key(|purchasesconfiguration(', '*', 'sure'],
  ['constanttimecompare(|compare_digest(|hash_equals(|secure_compare(', '*|? *', 'likely'],
  ['simple_bind(|simple_bind_s(', '? *', 'sure'],
  ['security_credentials,', '*', 'sure'],
  // Program keys.
  ['algoliasearch(|pusher(', '? *', 'sure'],
  // Signing and encryption.
  ['jwt.sign(|jwt.verify(|jwt.encode(|jwt.decode(|jwt::encode(|jwt::decode(', '? *', 'sure'],
  ['.hmac256(|.hmac384(|.hmac512(|signedstring(|hmacshakeyfor(|setsigningkey(', '*', 'sure'],
  ['createhmac(|createcipheriv(|createdecipheriv(|hmac.hexdigest(', '? *', 'sure'],
  // What is kept in the keychain of Apple's systems.
  ['ksecvaluedata as string: ', '*', 'sure'],
  ['xhr.open(', '? ? ? ? *', 'sure'],
  ['webhooks.constructevent(', '? ? *', 'sure'],
  ['openssl_pkey_get_private(', '? *', 'sure'],
  ['hash_hmac(|openssl_encrypt(|openssl_decrypt(', '? ? *', 'sure'],
  // The password, and a salt that names its place.
  ['= crypt(|, crypt(|(crypt(', '*', 'likely'],
  ['pgp_sym_encrypt(|pgp_sym_decrypt(|aes_encrypt(|aes_decrypt(', '? *', 'sure'],
  ['aes.encrypt(|aes.decrypt(|hmacsha256(', '? *', 'sure'],
  ['hmac.new(', '*|? *', 'sure'],
  ['ethers.wallet(|privatekeytoaccount(', '*', 'sure'],
  ['fernet(|aes.new(|aes.new(bytes.fromhex(|aes.new(binascii.unhexlify(|secretkeyspec(|cookieparser(', '*', 'sure'],
  // Password hashing.
  [
    'hash::make(|hashpw(|bcrypt.hash(|bcrypt.hashsync(|await hash(|await argon2.hash(|bcrypt.compare(|password_hash(|password_verify(',
    '*',
    'sure'
  ],
  ['pbkdf2sync(|scryptsync(|argon2.hash(|passwordencoder.encode(', '*', 'sure'],
  ['check_password_hash(', '? *', 'sure'],
  // Filling in forms.
  ['fill_in |fill_in(', 'P *', 'sure'],
  ['.type(|.fill(|.setvalue(|.sendkeys(|.typetext(|.entertext(', 'P *', 'sure']
]

export interface CallForm {
  /** How many arguments precede the secret. */
  readonly place: number
  /** What each of them is. */
  readonly arguments: string
  readonly promise: Sureness
}

const formsByCallee = new Map<string, CallForm[]>()
for (const [callees, forms, promise] of table)
  for (const callee of callees.split('|')) {
    const known = formsByCallee.get(callee) ?? []
    for (const form of forms.split('|')) {
      const written = form.replaceAll(' ', '')
      known.push({ place: written.indexOf('*'), arguments: written, promise })
    }
    formsByCallee.set(callee, known)
  }

/** The names of the calls with the character behind them, in lower case. */
export const callees: readonly string[] = [...formsByCallee.keys()]

const index = new NameIndex(formsByCallee)

/** The longest callee at `at`, and its forms. */
export function calleeAt(text: string, at: number): readonly [callee: string, forms: readonly CallForm[]] | undefined {
  return index.at(text, at)
}

/** Words of values that were made up, and names of what is no secret, where a secret is expected. */
import { WordList } from '../text/word-list.ts'
import { WordSet } from '../text/word-set.ts'

/** Ciphers with their mode, as OpenSSL, SSH and XML Encryption name them: `aes128-cbc`, `aes-256-gcm`. */
const ciphers = ['aes', 'camellia', 'aria'].flatMap((cipher) =>
  ['128', '192', '256'].flatMap((size) =>
    ['cbc', 'ctr', 'gcm', 'ccm', 'cfb', 'ofb', 'ecb', 'xts', 'ocb'].flatMap((mode) => [
      `${cipher}${size}-${mode}`,
      `${cipher}-${size}-${mode}`
    ])
  )
)

/** Whole values: samples, words for a password, curves and algorithms (RFC 7518 names those of JWTs). */
export const sampleValues = new WordSet([
  ...ciphers,
  ...(
    'qwerty qwertz asdf asdfgh asdfasdf foo bar baz quux qux dummy foobar barfoo foobaz bazqux xyzzy plugh hunter2 ' +
    'letmein welcome sekrit s3kr1t s3cr3t secr3t p4ssw0rd passw0rd p@ssw0rd p@ssword pa55word pa$$word pa$$w0rd p@$$w0rd lorem ipsum ' +
    'xoxb xoxp xapp hardcoded ' +
    'mypwd newpwd oldpwd userpwd secretpwd pswrd rootpwd somepwd aduserpwd aeiou zxcvbnm ' +
    'wachtwoord wachtwurd wagwoord adgangskode passord lösenord salasana heslo geslo lozinka zaporka parool parole haslo hasło ' +
    'jelszo jelszó slaptazodis slaptažodis sifre şifre şifrə parola sandi senha contraseña contrasinal contrasenya tajný tajné tajne ' +
    'a128kw a192kw a256kw a128gcm a192gcm a256gcm a128gcmkw a192gcmkw a256gcmkw a128cbc-hs256 a192cbc-hs384 a256cbc-hs512 ' +
    'pbes2-hs256+a128kw pbes2-hs384+a192kw pbes2-hs512+a256kw ecdh-es+a128kw ecdh-es+a192kw ecdh-es+a256kw ' +
    'hs256 hs384 hs512 rs256 rs384 rs512 es256 es384 es512 es256k ps256 ps384 ps512 rsa-oaep-256 ' +
    'curve25519 ed25519 x25519 secp256k1 secp256r1 secp384r1 prime256v1 nistp256 chacha20 chacha7539 poly1305 ' +
    'pasahitza nenosiri katalaluan suojakoodi kodkalimi fjalëkalimi kupuhipa okwuntughe paasiwaadi pasiwedhi ' +
    'des-ede3-cbc tripledes-cbc chacha20-poly1305'
  ).split(' ')
])

/** Words within values. */
export const dummyParts = new WordList([
  '...',
  '***',
  '\u2022\u2022\u2022',
  '\u25cf\u25cf\u25cf',
  '_xxx',
  '-xxx',
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'username',
  'removed',
  'hidden',
  'omitted',
  'masked',
  'yourstrong',
  'filtered',
  'censored',
  'notused',
  'undefined',
  'lorem',
  'ipsum',
  '1234567',
  'abcdef',
  'qwerty',
  // A sample made popular by a comic.
  'horse battery',
  'horse-battery',
  'horse_battery',
  'horsebattery',
  'horse%20battery',
  // The boundary of multipart forms, and the password prompt of a mail server in base64.
  'formboundary',
  'ugfzc3dvcmq6',
  'my-',
  'my_',
  'some-',
  'some_',
  'todo',
  'fixme',
  'testing',
  'default',
  'required',
  'optional',
  'string',
  'pasvort',
  // The prefix of a vendor before a word, as tests write it.
  'ghp_test',
  'gho_test',
  'xoxb-test',
  'glpat-test'
])

/** Names of PINs, door codes and sign-in codes, in the languages in which people write about them. */

const english = [
  ...['pin', 'puk', 'pin code', 'alarm code', 'door code', 'gate code', 'access code', 'entry code', 'entrance code'],
  ...[
    'unlock code',
    'lock code',
    'safe code',
    'user code',
    'keypad code',
    'installer code',
    'installercode',
    'master code'
  ],
  ...['padlock code', 'locker code', 'lockbox code', 'lock box code', 'key box code', 'keybox code', 'key safe code'],
  ...['lockbox', 'key safe', 'release code', 'voicemail code', 'host key', 'disarm with', 'arm with', 'disarm code'],
  ...[
    'mastercode',
    'garage code',
    'pairing code',
    'your code',
    'building code',
    'shed code',
    'passcode',
    'keypad',
    'authenticator',
    'tan'
  ],
  ...['verification code', 'one-time code', 'one-time password', 'one-time passcode', 'login code', 'sign-in code'],
  ...['alarm_code', 'door_code', 'gate_code', 'lock_code', 'unlock_code', 'access_code', 'doorcode', 'gatecode'],
  ...['alarmcode', 'lockcode', 'unlockcode', 'accesscode', 'sim_pin', 'security code', 'confirmation code'],
  ...['digit code', 'pincode van', 'pincode is', 'pincode voor', 'onderhoudscode', 'kluiscode', 'entry pin'],
  ...['sms code', 'sms-code', '2fa code', 'mfa code', 'otp code', 'otp', 'authenticator code', 'two-factor code']
]

const european = [
  ...["code d'accès", 'code de vérification', 'digicode', 'code de la porte', 'code du portail', "code d'entrée"],
  ...["code de l'alarme", 'code de sécurité', 'code secret', 'code de confirmation', 'code du coffre'],
  ...[
    'código de acceso',
    'código de verificación',
    'código de la puerta',
    'código de seguridad',
    'código de la alarma'
  ],
  ...['código de verificação', 'código de acesso', 'código da porta', 'código de segurança', 'código do alarme'],
  ...['codice di verifica', 'codice di accesso', 'codice pin', 'codice del portone', "codice dell'allarme"],
  ...['bestätigungscode', 'sicherheitscode', 'türcode', 'torcode', 'zugangscode', 'verifizierungscode', 'tresorcode'],
  ...[
    'safe-code',
    'schlüsselsafe-code',
    'tresor-code',
    'tür-code',
    'haustürcode',
    "code de l'immeuble",
    'code du garage'
  ],
  ...['verificatiecode', 'toegangscode', 'deurcode', 'alarmkode', 'dørkode', 'portkod', 'dörrkod', 'pinkod', 'pinkode'],
  ...['engangskode', 'engångskod', 'ovikoodi', 'kod do drzwi', 'kod do bramy', 'kod weryfikacyjny', 'kod pin'],
  ...['kód na dveře', 'kód od dveří', 'ověřovací kód', 'doğrulama kodu', 'kapı kodu', 'kode verifikasi', 'mã xác minh']
]

/** Names beyond ASCII, whose case is not folded. They are also listed with the capital that begins a sentence. */
const others = [
  ...['код от двери', 'код двери', 'код домофона', 'код подтверждения', 'код подъезда', 'пин-код', 'пинкод', 'пин'],
  ...['Код от двери', 'Код двери', 'Код домофона', 'Код подтверждения', 'Код подъезда', 'Пин-код', 'Пин', 'ПИН'],
  ...[
    '验证码',
    '驗證碼',
    '门禁密码',
    '支付密码',
    '取款密码',
    '交易密码',
    '门禁码',
    '门锁密码',
    '인증번호',
    '현관 비밀번호',
    '도어락',
    '認証コード',
    '認証番号',
    '確認コード',
    '暗証番号',
    'קוד הכניסה',
    'رمز التحقق'
  ]
]

/** Names of codes, ASCII ones in lower case. */
export const codeNames: readonly string[] = [...english, ...european, ...others]

/** What announces the number behind such a name. */
export const codeLeads: readonly string[] = [
  ...[
    ' is',
    ' was',
    ' to',
    ' now',
    '=',
    ':',
    ' be',
    " it's",
    ' its',
    ' with',
    ' enter',
    ' →',
    ' um',
    ' simply',
    ' are',
    ' shows',
    ' says',
    ' wants',
    ' takes'
  ],
  ...[
    ' ist',
    ' lautet',
    ' zwar',
    ' est',
    ' es',
    ' é',
    ' è',
    ' jest',
    ' är',
    ' er',
    ' on',
    ' je',
    ' este',
    ' là',
    ' olan',
    ' est le',
    ' es el',
    ' é o',
    ' è il',
    " c'est",
    ' c’est'
  ],
  ...['是', '为', '為', '：', '는', '은', 'は', ' это', ' adalah', ' هو', ' הוא']
]

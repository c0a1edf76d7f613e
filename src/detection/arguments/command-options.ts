/**
 * Where commands take a password or token on their command line, according to their manuals. A form describes what
 * follows the name of the command, word by word:
 * - `-p *`: the word behind `-p` is the secret. `-p=` and a value in the same word count as well.
 * - `-p*`: the value is glued to `-p`.
 * - `-U ?%*`: in the word behind `-U`, the secret follows the first `%`. A character behind the star ends it.
 * - `? ? *`: the third word that is not an option. `-b ... *`: the last word, if `b` is among the short options.
 * - `/ *`: any word that is neither an option nor a path. `?/*@`: in any word, the part between the separators.
 * - `NAME *`: the word behind the name of a secret, as in `setx API_TOKEN ...`.
 * - A command name that ends in ` -` counts only with an option behind it.
 */
import { NameIndex } from '../text/name-index.ts'

const table: readonly (readonly [commands: string, forms: string])[] = [
  // Registries of images and packages.
  ['docker login|podman login|buildah login|nerdctl login|skopeo login|oras login|crane auth login', '-p *|-p*'],
  ['helm registry login|az acr login|twine upload', '-p *'],
  ['skopeo copy', '--src-creds ?:*|--dest-creds ?:*'],
  ['dotnet nuget push', '-k *'],
  ['nuget setapikey|cargo login', '*'],
  ['npm config set|pnpm config set|yarn config set|pulumi config set|poetry config', 'NAME *'],
  ['poetry config http-basic|composer config http-basic', '? ? *'],
  ['poetry config pypi-token|pulumi config set --secret', '? *'],
  // Platforms.
  ['oc login|cf login', '-p *'],
  ['cf auth', '? *'],
  ['conan remote login|conan user', '-p *'],
  ['az login|az sql|az postgres|az mysql|az vm user|ibmcloud login', '-p *'],
  ['bw unlock', '*'],
  ['bw login', '? *'],
  ['mc alias set|mc config host add', '? ? ? *'],
  ['kubeadm join|kubeadm init', '--certificate-key *'],
  ['vault login|snyk auth|ngrok authtoken|ngrok config add-authtoken', '*'],
  ['doctl auth init|codecov', '-t *'],
  ['sonar-scanner', '-Dsonar.login=*|-Dsonar.token=*'],
  ['gh secret set', '-b *|-b*'],
  // Databases and queues.
  [
    `mysql |mysql",|mysql',|mysqldump|mysqladmin|mysqlimport|mysqlsh|mysqlbinlog|mariadb|mariadb-dump|mariadb-admin`,
    '-p*'
  ],
  ['mongo |mongosh|mongodump|mongorestore|mongoexport|mongoimport|mongostat|mongotop', '-p *|-p*'],
  ['redis-cli|redis-benchmark', '-a *'],
  ['influx ', '-t *'],
  ['sqlcmd|bcp |osql|isql|tsql|freebcp', '-P *|-P*'],
  ['isql', '? ? *'],
  ['sqlplus|expdp|impdp|sqlldr|rman |sqlcl', '?/*@'],
  ['cqlsh|cypher-shell|rabbitmqadmin', '-p *'],
  ['rabbitmqctl add_user|rabbitmqctl change_password', '? *'],
  ['mosquitto_pub|mosquitto_sub|mosquitto_rr', '-P *'],
  // Directories, shares and other hosts.
  ['ldapsearch|ldapmodify|ldapadd|ldapdelete|ldapwhoami|ldapcompare|ldapmodrdn', '-w *'],
  ['ldappasswd', '-w *|-s *|-a *'],
  ['smbclient|rpcclient|smbget|smbcacls|net rpc|net ads', '-U ?%*|--user ?%*|-U?%*'],
  ['smbmap|psexec|rdesktop|racadm|yt-dlp|youtube-dl', '-p *'],
  // With a hash they sign in like with a password.
  ['crackmapexec|netexec|nxc |evil-winrm', '-p *|-H *'],
  ['hydra |medusa ', '-p *'],
  [
    'secretsdump.py|psexec.py|wmiexec.py|smbexec.py|atexec.py|dcomexec.py|mssqlclient.py|getuserspns.py',
    '?:*@|-hashes ?:*'
  ],
  ['impacket-secretsdump|impacket-psexec|impacket-wmiexec|impacket-smbexec|impacket-mssqlclient', '?:*@|-hashes ?:*'],
  ['xfreerdp|wlfreerdp', '/p:*'],
  ['net use', '/ *'],
  ['schtasks', '/rp *'],
  ['winrs ', '-p:*'],
  ['dsadd user|dsmod user', '-pwd *'],
  ['plink|pscp|psftp', '-pw *'],
  ['sshpass', '-p *|-p*'],
  ['lftp', '-u ?,*'],
  ['ncftpget|ncftpput|ncftp ', '-p *'],
  ['ipmitool', '-P *'],
  ['snmpwalk|snmpget|snmpset|snmpbulkwalk|snmpbulkget|snmptrap|snmpinform', '-A *|-X *|-c *'],
  ['radtest', '? *'],
  ['wpa_passphrase', '? *'],
  ['networksetup -setairportnetwork', '? ? *'],
  ['cloudflared service install', '*'],
  ['swaks', '-ap *|--auth-password *'],
  ['llm keys set', '--value *'],
  // Clients of HTTP; curl has a kind of its own.
  ['http -|https -|xh -|xhs -', '-a ?:*|--auth ?:*|bearer ? *'],
  ['ab -', '-A ?:*'],
  // Archives, documents, keys, accounts.
  ['zip -|unzip -', '-P *'],
  ['7z |7za |7zz |7zr ', '-p*'],
  ['unrar|rar a|rar x', '-p*|-hp*'],
  ['qpdf', '--encrypt *|--encrypt ? *'],
  ['pdftk', 'input_pw *|owner_pw *|user_pw *'],
  ['openssl', '-k *|pass:*'],
  ['nmcli ', 'password *'],
  ['openssl passwd', '*'],
  ['oathtool', '-b *'],
  ['ssh-keygen', '-N *|-P *'],
  ['security unlock-keychain|security create-keychain', '-p *'],
  ['security import', '-P *'],
  ['security add-generic-password|security add-internet-password', '-w *'],
  ['signtool sign', '/p *'],
  ['certutil', '-p *'],
  ['htpasswd -|mosquitto_passwd -', '-b ... *'],
  ['rclone obscure', '*'],
  ['rclone config create|rclone config update', 'pass *|password *|key *|secret_access_key *'],
  ['az keyvault secret set', '--value *'],
  ['aws secretsmanager create-secret|aws secretsmanager put-secret-value', '--secret-string *'],
  ['useradd', '-p *'],
  // Environment variables.
  ['setx ', 'NAME *'],
  ['setenv ', 'NAME *']
]

/** How the words of a form are matched. */
export interface OptionForm {
  /** The option, the letter of a short one (`last`), or empty if words are counted. */
  readonly option: string
  /** How many words stand between the option, or the command, and the secret. */
  readonly skipped: number
  readonly where: 'option' | 'glued' | 'place' | 'last' | 'any' | 'named'
  /** The secret begins behind the first of these within its word. */
  readonly after: string
  /** It ends before the last of these. */
  readonly before: string
}

/** Forms are parsed when their command first occurs. */
const none: readonly OptionForm[] = []
const formsByCommand = new Map<string, string>()
for (const [commands, forms] of table)
  for (const command of commands.split('|')) {
    const known = formsByCommand.get(command)
    formsByCommand.set(command, known === undefined ? forms : `${known}|${forms}`)
  }

/** The names of the commands, in lower case. */
export const commandNames: readonly string[] = [...formsByCommand.keys()]

const index = new NameIndex([...formsByCommand].map(([name, forms]) => [name, { forms, parsed: none }]))

/** The longest command name at `at`, in lower case, and its forms. */
export function commandAt(text: string, at: number): { name: string; forms: readonly OptionForm[] } | undefined {
  const found = index.at(text, at)
  if (found === undefined) return undefined
  const [name, entry] = found
  if (entry.parsed === none) entry.parsed = entry.forms.split('|').map(parseForm)
  return { name, forms: entry.parsed }
}

function parseForm(form: string): OptionForm {
  const words = form.split(' ')
  const last = words.at(-1) as string
  const star = last.indexOf('*')
  const before = last.slice(star + 1)
  const first = words[0] as string
  const isPair = last.startsWith('?')
  const plain = { option: '', skipped: 0, after: isPair ? last.slice(1, star) : '', before }
  if (words[1] === '...') return { ...plain, option: first.slice(1), where: 'last' }
  if (first === '/' || (isPair && words.length === 1)) return { ...plain, where: 'any' }
  if (first === 'NAME') return { ...plain, where: 'named' }
  if (words.length === 1 && star > 0 && !isPair) {
    const [option = '', after = ''] = last.slice(0, star).split('?')
    return { ...plain, option, after, where: 'glued' }
  }
  if (first === '?' || words.length === 1) return { ...plain, skipped: words.length - 1, where: 'place' }
  return { ...plain, option: first, skipped: words.length - 2, where: 'option' }
}

/** The API keys of the upstreams, read at the start and whenever their files change. */
import { unwatchFile, watchFile, type Stats } from 'node:fs'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { SecretFile } from '../config/reader.ts'
import type { Secret } from '../config/secret.ts'
import type { UpstreamName } from '../protocol/ingress-routes.ts'
import type { UpstreamKeys } from '../upstream/targets.ts'

/** As for the certificate: polling also sees a file behind a symbolic link that is swapped (`tls.ts`). */
const lookEveryMs = 2000

const variableOf = { chat: 'UPSTREAM_CHAT_API_KEY_FILE', messages: 'UPSTREAM_MESSAGES_API_KEY_FILE' } as const

/**
 * Follows the files of the keys. Calls that have begun keep their key; if a new file cannot be used, that is logged
 * without its content and the key before it stays in use.
 * @param onNew called with each key that replaces another
 * @param undo ends the watching
 */
export function followUpstreamKeys(
  { upstream }: Pick<Config, 'upstream'>,
  log: Pick<Logger, 'info' | 'warn'>,
  onNew: (key: Secret) => void,
  undo: AsyncDisposableStack
): UpstreamKeys {
  const keys: Record<UpstreamName, Secret | undefined> = { chat: upstream.chat.key, messages: upstream.messages.key }

  function follow(name: UpstreamName, file: SecretFile): void {
    const variable = variableOf[name]
    const reload = (now: Stats, before: Stats): void => {
      if (now.mtimeMs === before.mtimeMs && now.ino === before.ino && now.size === before.size) return
      const read = file.read()
      if (!read.ok) {
        log.warn({ variable, rule: read.rule }, 'the new API key cannot be used; the old one stays in use')
      } else if (read.value.reveal() !== keys[name]?.reveal()) {
        keys[name] = read.value
        onNew(read.value)
        log.info({ variable }, 'the API key was read again')
      }
    }
    watchFile(file.path, { interval: lookEveryMs, persistent: false }, reload)
    undo.defer(() => unwatchFile(file.path, reload))
  }

  for (const name of ['chat', 'messages'] as const) {
    const { keyFile } = upstream[name]
    if (keyFile) follow(name, keyFile)
  }
  return (name) => keys[name]
}

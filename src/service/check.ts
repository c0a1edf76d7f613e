/** `sluice serve --check`: tries a configuration without starting anything, so that a service in use can keep running. */
import { X509Certificate } from 'node:crypto'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Check } from '../config/check.ts'
import type { Config } from '../config/config.ts'
import { fileHint } from '../config/file-hint.ts'
import { assertMasterKeyKnown, findMasterKey, masterKeyFile } from '../config/master-key.ts'
import { openExisting } from '../store/open.ts'
import { createUpstreamDispatcher } from '../upstream/client.ts'
import { upstreamTargets } from '../upstream/targets.ts'
import { readTls, type TlsFiles } from './tls.ts'
import { checkUpstreams } from './upstream-check.ts'

/**
 * Checks everything that a start needs but the port, which the running service has. Changes nothing and never rejects;
 * each upstream with a key gets one request, for its models.
 */
export async function checkService(config: Config): Promise<readonly Check[]> {
  const { tls } = config.listen
  return [
    await checkOf('data', () => findWritable(config.dataDir)),
    await checkOf('database', () => findDatabase(config)),
    ...(tls ? [await checkOf('certificate', async () => readCertificate(tls, Date.now()))] : []),
    ...(await askUpstreams(config))
  ]
}

/** @param find gives the sentence if all is well, and throws one otherwise */
async function checkOf(name: string, find: () => Promise<string>): Promise<Check> {
  try {
    return { name, isGood: true, sentence: await find() }
  } catch (error) {
    return { name, isGood: false, sentence: (error as Error).message }
  }
}

/** A folder that is missing is created at the start, so what counts is the nearest one that exists. */
async function findWritable(dataDir: string): Promise<string> {
  for (let folder = dataDir; ; folder = dirname(folder)) {
    // With the dot, a file is an error: it may be written to, but not into.
    const error = await access(`${folder}/.`, constants.W_OK).then(
      () => undefined,
      ({ code }: NodeJS.ErrnoException) => code ?? 'unknown error'
    )
    if (error === undefined) return folder === dataDir ? `${dataDir} is writable` : `${dataDir} will be created`
    if (error !== 'ENOENT' || dirname(folder) === folder)
      throw new Error(`${dataDir} is not writable (${error}).${fileHint(error)}`)
  }
}

/** With the master key, without which a database is useless. */
async function findDatabase(config: Config): Promise<string> {
  const { dataDir } = config
  const masterKey = await findMasterKey({ configured: config.masterKey?.reveal(), dataDir })
  await using database = await openExisting(config)
  if (!database) return 'a new one will be created'
  const due = await database.stepsDue()
  if (due === undefined) return 'it is empty; a start makes its tables'
  if (masterKey) await assertMasterKeyKnown(database, masterKey)
  else throw new Error(`the master key of the database is missing: restore the file ${masterKeyFile(dataDir)}`)
  if (due === 0) return 'it is up to date and fits the master key'
  return `it fits the master key; a start brings it up to date in ${due === 1 ? '1 step' : `${due} steps`}: back it up first`
}

/** @param now milliseconds since 1970 */
function readCertificate(files: TlsFiles, now: number): string {
  const { validFromDate, validToDate } = new X509Certificate(readTls(files).cert)
  const [begin, end] = [validFromDate.toISOString(), validToDate.toISOString()]
  if (validFromDate.getTime() > now) throw new Error(`it is not valid before ${begin}`)
  if (validToDate.getTime() <= now) throw new Error(`it expired on ${end}`)
  return `it fits its key and is valid until ${end}`
}

/** What has no key is among the warnings of the configuration. */
async function askUpstreams(config: Config): Promise<Check[]> {
  const dispatcher = createUpstreamDispatcher(config)
  try {
    const checked = await checkUpstreams(upstreamTargets(config), dispatcher)
    return checked
      .filter(({ state }) => state !== 'not_configured')
      .map(({ dialect, state, message, origin }) => ({
        name: `upstream of ${dialect}`,
        isGood: state === 'ok',
        sentence: `${origin}: ${message}`
      }))
  } finally {
    await dispatcher.destroy()
  }
}

/** `sluice backup`: copies the embedded database while it is in use, and verifies such a copy. */
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { KeyObject } from 'node:crypto'
import type { Command } from 'commander'
import { auditPublicKey } from '../config/audit-key.ts'
import type { Config } from '../config/config.ts'
import { assertMasterKeyKnown, findMasterKey, masterKeyFile } from '../config/master-key.ts'
import { reportBody } from '../service/readings/audit-bodies.ts'
import { verifyAudit } from '../store/audit/verify.ts'
import type { DatabaseCopy } from '../store/sqlite/check.ts'
import { databaseFile } from '../store/sqlite/database-file.ts'
import { rowsMax } from '../store/store.ts'
import { describeReport } from './audit-verify.ts'
import { readConfiguration } from './configuration.ts'
import { UsageError } from './usage-error.ts'
import { exists, withExistingStore } from './with-store.ts'

interface BackupOptions {
  readonly withKeys?: boolean
  readonly check?: boolean
  readonly json?: boolean
}

export function registerBackup(program: Command, exit: (status: number) => void): void {
  program
    .command('backup')
    .description(
      'Copies the database while the service runs, or checks a copy. Exit status of a check: 0 intact, 1 broken.'
    )
    .argument('<file>', 'a new file for the copy; with --check, the copy to check')
    .option('--with-keys', 'makes a folder with the copy and the master key: everything a restore needs, so protect it')
    .option('--check', 'checks the structure of a copy and the audit of every workspace in it')
    .option(
      '--json',
      'the result of --check, one JSON object per workspace, or one that names the faults of the structure'
    )
    .action(async (file: string, options: BackupOptions) => {
      if (options.check && options.withKeys) throw new UsageError('--check and --with-keys cannot be used together')
      if (options.check) exit(await check(resolve(file), options))
      else await backup(resolve(file), options)
    })
}

async function backup(target: string, { withKeys = false }: BackupOptions): Promise<void> {
  const config = readConfiguration()
  if (config.database) {
    throw new UsageError('the database is PostgreSQL; use its own backup tools, as docs/backup.md shows')
  }
  if (await exists(target)) throw new UsageError('the target already exists; name a new one')
  await withExistingStore(async ({ store, masterKey }) => {
    const file = withKeys ? databaseFile(target) : target
    if (withKeys) await mkdir(target, { mode: 0o700 })
    try {
      if (withKeys) await writeKey(target, masterKey)
      await store.backup(file, process.stderr.isTTY ? showProgress : undefined)
    } catch (error) {
      if (withKeys) await rm(target, { recursive: true, force: true })
      throw error
    }
    const { size } = await stat(file)
    process.stderr.write(`${process.stderr.isTTY ? '\r\u001B[K' : ''}${sentence(file, size, withKeys, config)}\n`)
  })
}

/** Written like in a data directory, so that the folder can be used as one. */
async function writeKey(folder: string, masterKey: KeyObject): Promise<void> {
  const path = masterKeyFile(folder)
  await mkdir(join(path, '..'), { mode: 0o700 })
  await writeFile(path, `${masterKey.export().toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
}

const showProgress = (done: number): void => void process.stderr.write(`\rcopied ${Math.round(done * 100)} %`)

function sentence(file: string, bytes: number, withKeys: boolean, config: Config): string {
  const copy = `The copy is ${file} (${(bytes / 1e6).toFixed(1)} MB, readable by its owner alone).`
  if (withKeys)
    return `${copy}\nThe master key is next to it: anyone who has this folder has everything. To restore, set SERVICE_DATA_DIR to it.`
  const key = config.masterKey ? 'SERVICE_MASTER_KEY' : `the file ${masterKeyFile(config.dataDir)}`
  return `${copy}\nThe master key is NOT in it, and the copy is useless without the key. Keep ${key} too, in another place.`
}

async function check(target: string, { json }: BackupOptions): Promise<number> {
  const isFolder = await stat(target).then(
    (found) => found.isDirectory(),
    () => {
      throw new UsageError('there is no copy at this path')
    }
  )
  const file = isFolder ? databaseFile(target) : target
  // Loaded here, so that other commands and help need not wait for the engine.
  const { openDatabaseCopy } = await import('../store/sqlite/check.ts')
  await using copy = await openDatabaseCopy(file)
  const faults = await copy.structuralFaults()
  if (faults.length > 0) {
    const named = faults.map((fault) => `- ${fault}\n`).join('')
    process.stdout.write(
      json ? `${JSON.stringify({ ok: false, faults })}\n` : `The structure of the database is BROKEN.\n${named}`
    )
    return 1
  }
  if (!json) process.stdout.write('The structure of the database is sound.\n')
  const masterKey = await keyOf(copy, isFolder ? [target] : [])
  const { auditDays } = readConfiguration().retention
  // Retention is judged by the time at which the copy was made.
  const checking: Checking = { copy, masterKey, auditDays, now: (await stat(file)).mtimeMs, json }
  let isWhole = true
  for (let after: string | undefined; ;) {
    const page = await copy.listWorkspaces({ limit: rowsMax, after })
    for (const { id } of page) isWhole = (await checkWorkspace(id, checking)) && isWhole
    after = page.at(-1)?.id
    if (after === undefined) return isWhole ? 0 : 1
  }
}

/** The configured key, or the one beside the copy, or that of the data directory; never a new one. */
async function keyOf(copy: DatabaseCopy, folders: readonly string[]): Promise<KeyObject> {
  const config = readConfiguration()
  const configured = config.masterKey?.reveal()
  for (const dataDir of [...folders, config.dataDir]) {
    const masterKey = await findMasterKey({ configured, dataDir })
    if (masterKey === undefined) continue
    await assertMasterKeyKnown(copy, masterKey)
    return masterKey
  }
  throw new UsageError('the master key is needed to check the audit: set SERVICE_MASTER_KEY or SERVICE_DATA_DIR')
}

interface Checking {
  readonly copy: DatabaseCopy
  readonly masterKey: KeyObject
  readonly auditDays: number
  readonly now: number
  readonly json: boolean | undefined
}

async function checkWorkspace(id: string, { copy, masterKey, auditDays, now, json }: Checking): Promise<boolean> {
  const publicKey = auditPublicKey(masterKey, id)
  const report = await verifyAudit({ store: copy, workspaceId: id, publicKey, auditDays, now })
  process.stdout.write(json ? `${JSON.stringify(reportBody(id, report))}\n` : describeReport(id, report))
  const isOfDays = report.issues.some(({ fault }) => fault === 'rows_missing' || fault === 'rows_unaccounted')
  if (!json && isOfDays && report.unsealed.rows > 0)
    process.stdout.write(
      `SERVICE_AUDIT_RETENTION_DAYS is ${auditDays} here. Where the service has less, set it as there.\n`
    )
  return report.ok
}

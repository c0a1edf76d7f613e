import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { assertMasterKeyFits, deriveKey, loadMasterKey, masterKeyFile, MasterKeyError } from './master-key.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-key-'))
after(() => rmSync(root, { recursive: true, force: true }))
const freshDir = (): string => join(mkdtempSync(join(root, 'case-')), 'data')
const load = (configured: string) => loadMasterKey({ configured, dataDir: freshDir() })

describe('a configured master key', () => {
  it('is read as hex and as base64 in its usual forms', async () => {
    const bytes = randomBytes(32)
    const base64 = bytes.toString('base64')
    const forms = [
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      base64,
      base64.slice(0, 43),
      bytes.toString('base64url')
    ]
    for (const form of [...forms, `${base64}\n`]) assert.deepEqual((await load(form)).export(), bytes)
  })

  it('is refused in any other form, by its name and rule, without a character of it', async () => {
    const secretive = 'Zq9'.repeat(40)
    for (const text of [
      '',
      ' ',
      secretive,
      secretive.slice(0, 42),
      secretive.slice(0, 45),
      'g'.repeat(64),
      `${'A'.repeat(42)}B=`,
      'ab'.repeat(31)
    ]) {
      await assert.rejects(load(text), (error: Error) => {
        assert.ok(error instanceof MasterKeyError)
        assert.match(error.message, /SERVICE_MASTER_KEY must be 32 bytes, as 64 hexadecimal characters or as base64/)
        assert.ok(text.trim() === '' || !inspect(error).includes(text.slice(0, 8)))
        return true
      })
    }
    await assert.rejects(load('00'.repeat(32)), /same byte/)
  })
})

describe('a master key in the data directory', () => {
  it('is created once, for its owner only, and found again', async () => {
    const dataDir = freshDir()
    const made = await loadMasterKey({ dataDir })
    assert.deepEqual((await loadMasterKey({ dataDir })).export(), made.export())
    assert.equal(statSync(masterKeyFile(dataDir)).mode & 0o777, 0o600)
    assert.equal(statSync(join(dataDir, 'keys')).mode & 0o777, 0o700)
    assert.deepEqual(readdirSync(join(dataDir, 'keys')), ['master'])
    assert.equal(readFileSync(masterKeyFile(dataDir), 'utf8'), `${made.export().toString('hex')}\n`)
    assert.notDeepEqual((await loadMasterKey({ dataDir: freshDir() })).export(), made.export())
  })

  it('is the same for all processes that start at once', async () => {
    const dataDir = freshDir()
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadMasterKey({ dataDir })))
    assert.equal(new Set(keys.map((key) => key.export().toString('hex'))).size, 1)
    assert.deepEqual(readdirSync(join(dataDir, 'keys')), ['master'])
  })

  it('is refused if others can read it or it is not a key', async () => {
    const dataDir = freshDir()
    await loadMasterKey({ dataDir })
    chmodSync(masterKeyFile(dataDir), 0o640)
    await assert.rejects(loadMasterKey({ dataDir }), /can be read by others; run "chmod 600"/)
    chmodSync(masterKeyFile(dataDir), 0o600)
    writeFileSync(masterKeyFile(dataDir), 'abc')
    await assert.rejects(loadMasterKey({ dataDir }), /The key file .* must be 32 bytes/)
  })
})

describe('derived keys', () => {
  const master = createSecretKey(Buffer.alloc(32, 'k'))
  const hex = (...options: Parameters<typeof deriveKey>): string =>
    deriveKey(...options)
      .export()
      .toString('hex')

  it('differ by purpose, workspace and master key, and are stable otherwise', () => {
    const other = createSecretKey(Buffer.alloc(32, 'l'))
    const keys = [
      hex(master, 'placeholder'),
      hex(master, 'token-hash'),
      hex(master, 'placeholder', 'acme'),
      hex(master, 'placeholder', 'acme/b'),
      hex(other, 'placeholder', 'acme')
    ]
    assert.equal(new Set(keys).size, keys.length)
    assert.equal(hex(master, 'placeholder', 'acme'), keys[2])
    assert.equal(keys[0]?.length, 64)
    assert.throws(() => deriveKey(master, 'placeholder', ''), RangeError)
  })

  it('never change between versions', () => {
    assert.equal(hex(master, 'token-hash'), '31adcfb3e233532ea23972809ed27f377922f91e2bc121f1f625d72f0874c61b')
  })

  it('reveal nothing of themselves', () => {
    const key = deriveKey(master, 'cookie')
    const shown = inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key) + String(key)
    for (const form of ['hex', 'base64'] as const) assert.ok(!shown.includes(key.export().toString(form)))
  })
})

describe('the fingerprint of the master key', () => {
  const memory = () => {
    const values = new Map<string, string>()
    return {
      values,
      putMetaIfAbsent: async (key: string, value: string): Promise<string> => {
        if (!values.has(key)) values.set(key, value)
        return values.get(key) as string
      }
    }
  }

  it('is recorded at the first start, and any other key is refused from then on', async () => {
    const store = memory()
    const master = createSecretKey(randomBytes(32))
    await assertMasterKeyFits(store, master)
    await assertMasterKeyFits(store, master)
    await assert.rejects(assertMasterKeyFits(store, createSecretKey(randomBytes(32))), (error: Error) => {
      assert.ok(error instanceof MasterKeyError)
      assert.match(error.message, /does not match this database/)
      for (const value of store.values.values()) assert.ok(!error.message.includes(value))
      return true
    })
    assert.ok(![...store.values.values()].includes(master.export().toString('hex')))
  })
})

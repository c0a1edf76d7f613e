import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { PinStore } from './pin-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-pins-'))
after(() => rmSync(folder, { recursive: true, force: true }))

describe('pins of tools', () => {
  it('that could not be written are written by the next attempt, although none is new', async () => {
    const dir = join(folder, 'pins')
    const warnings: string[] = []
    const open = () => new PinStore('server', { dir, token: 'token', onWarning: (code) => warnings.push(code) })
    const pins = open()
    await pins.load()
    pins.trust('read', { description: 'a' })
    writeFileSync(dir, 'no folder')
    await pins.save()
    assert.deepEqual(warnings, ['pins_not_written'])
    rmSync(dir)
    await pins.save()
    const next = open()
    await next.load()
    assert.deepEqual(next.of('read'), { description: 'a' })
  })
})

/** The package that `npm test` has packed, or, for a test file that runs on its own, one packed for it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack, packedIn, type Packed } from '../../scripts/pack.ts'
import { packedFolder } from './command.ts'

/** Do not change its content: other tests read it at the same time. */
export async function packedPackage(): Promise<Packed & AsyncDisposable> {
  if (packedFolder !== undefined) return { ...(await packedIn(packedFolder)), [Symbol.asyncDispose]: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'sluice-packed-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    return { ...(await pack(folder)), [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

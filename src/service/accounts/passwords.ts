/**
 * Password hashes: argon2id with OWASP's parameters (19 MiB, 2 passes, 1 lane), a salt for each, and a pepper from the
 * master key, so that a copied database alone does not allow guessing.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
import { argon2, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import { deriveKey } from '../../config/master-key.ts'
import { Refused } from '../../ingress/refusal/refused.ts'

export interface Passwords {
  /** @returns a string in PHC format, https://github.com/P-H-C/phc-string-format */
  hash(password: string): Promise<string>
  /**
   * Takes equally long for a user who does not exist, or has no password.
   * @param stored a result of {@link hash}; null if there is no password
   */
  verify(password: string, stored: string | null): Promise<boolean>
}

interface Cost {
  /** KiB */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagLength = 32
/**
 * A hash occupies a thread of the runtime's pool for about 30 ms, and model calls resolve names on the same threads.
 */
const atOnceMax = 1
const waitingMax = 20

export function createPasswords(masterKey: KeyObject): Passwords {
  const secret = deriveKey(masterKey, 'password').export()
  const decoy = encode(randomBytes(saltBytes), randomBytes(tagLength), cost)
  const queue = createQueue()

  const derive = (password: string, nonce: Buffer, by: Cost): Promise<Buffer> =>
    queue(
      () =>
        new Promise((resolve, reject) => {
          // NFKC, so that a password typed on two keyboards is the same (NIST SP 800-63B).
          const message = Buffer.from(password.normalize('NFKC'))
          argon2('argon2id', { message, nonce, secret, tagLength, ...by }, (error, key) =>
            error ? reject(error) : resolve(key)
          )
        })
    )

  return {
    hash: async (password) => {
      const salt = randomBytes(saltBytes)
      return encode(salt, await derive(password, salt, cost), cost)
    },
    verify: async (password, stored) => {
      const known = decode(stored ?? decoy)
      if (!known) return false
      const tag = await derive(password, known.salt, known.cost)
      return timingSafeEqual(tag, known.tag) && stored !== null
    }
  }
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/={1,2}$/, '')

const encode = (salt: Buffer, tag: Buffer, { memory, passes, parallelism }: Cost): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`

function decode(text: string): { readonly salt: Buffer; readonly tag: Buffer; readonly cost: Cost } | undefined {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(text)
  if (!parts) return undefined
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts
  const tagBytes = Buffer.from(tag, 'base64')
  if (tagBytes.length !== tagLength) return undefined
  return {
    salt: Buffer.from(salt, 'base64'),
    tag: tagBytes,
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  }
}

/** Runs a few tasks at a time and lets a few wait; a flood of sign-ins is refused and costs the service nothing. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnceMax) {
      if (waiting.length >= waitingMax) throw new Refused('overloaded')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The slot is passed on directly, so that no later task gets in between.
      if (next) next()
      else running--
    }
  }
}

/** The definitions of one server's tools that were trusted when first seen, in memory and on disk. */
import { join } from 'node:path'
import { SealedFile } from '../../../policy-stream/sealed-file.ts'
import { pinnedComponents, type ToolDigests } from './tool-definition.ts'

/** The contents of the file. */
interface KeptPins {
  /** Whether a complete list was seen: a tool that comes later is new. */
  readonly isWhole: boolean
  readonly tools: Readonly<Record<string, ToolDigests>>
  /** The pinned components; absent in files written before titles were pinned. */
  readonly components?: readonly string[]
}

/** Digests from a file. A component that was not pinned then is unknown, which is not the same as absent. */
function* digestsIn({ tools, components }: KeptPins): Generator<[tool: string, digests: ToolDigests]> {
  const unknown = pinnedComponents.filter((component) => !(components?.includes(component) ?? component !== 'title'))
  const added = Object.fromEntries(unknown.map((component) => [component, '']))
  for (const [tool, digests] of Object.entries(tools)) yield [tool, { ...digests, ...added }]
}

const fileBytesMax = 32 * 1024 * 1024
const pinsMax = 20_000

interface PinStoreOptions {
  /** Folder of the files; without one, pins end with the process. */
  readonly dir: string | undefined
  readonly token: string
  /** Called with a code: `pins_forged`, `pins_unreadable`, `pins_too_large`, `pins_not_written`. */
  readonly onWarning: (code: string) => void
}

export class PinStore {
  readonly #file: SealedFile | undefined
  readonly #onWarning: (code: string) => void
  readonly #tools = new Map<string, ToolDigests>()
  readonly #gone = new Set<string>()
  readonly #late = new Set<string>()
  #isWhole = false
  #loading: Promise<void> | undefined
  #isLoaded = false
  #isDirty = false
  #writing: Promise<void> = Promise.resolve()

  constructor(serverKey: string, { dir, token, onWarning }: PinStoreOptions) {
    this.#file =
      dir === undefined ? undefined : new SealedFile(join(dir, serverKey), token, 'sluice/1/tool-pins', fileBytesMax)
    this.#onWarning = onWarning
  }

  get isLoaded(): boolean {
    return this.#isLoaded
  }

  /** Whether a complete list of the server was trusted, now or before a restart. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Reads the file once. Never rejects: an untrustworthy file counts as missing. */
  load(): Promise<void> {
    this.#loading ??= this.#load()
    return this.#loading
  }

  of(tool: string): ToolDigests | undefined {
    return this.#tools.get(tool)
  }

  /** Whether a tool came later than the first list, or its first page, so that it was never trusted. */
  isLate(tool: string): boolean {
    return this.#late.has(tool)
  }

  /**
   * The first page of a list was seen. When it is requested again, new tools on it are recognised without the further
   * pages. Otherwise, with a server whose lists never end and a client that reads only the first page, every added tool
   * would be trusted.
   */
  sawFirstPage(names: Iterable<string>): void {
    if (this.#tools.size === 0) return
    for (const tool of names) if (!this.#tools.has(tool) && this.#late.size < pinsMax) this.#late.add(tool)
  }

  /** Whether a component of a tool was never compared because an older version of this program wrote its pin. */
  isPartial(tool: string): boolean {
    return Object.values(this.#tools.get(tool) ?? {}).includes('')
  }

  trust(tool: string, digests: ToolDigests): void {
    this.#gone.delete(tool)
    this.#late.delete(tool)
    if (!this.#tools.has(tool) && this.#tools.size >= pinsMax) return
    this.#tools.set(tool, digests)
    this.#isDirty = true
  }

  /**
   * A complete list was seen.
   * @returns pinned tools that are no longer in it, each reported once
   */
  sawWhole(names: ReadonlySet<string>): string[] {
    if (!this.#isWhole) this.#isDirty = this.#isWhole = true
    const gone = [...this.#tools.keys()].filter((tool) => !names.has(tool) && !this.#gone.has(tool))
    for (const tool of gone) this.#gone.add(tool)
    for (const tool of names) this.#gone.delete(tool)
    return gone
  }

  /** Writes changes, after any write in progress. Never rejects. */
  save(): Promise<void> {
    const before = this.#writing
    this.#writing = (async () => {
      await before
      await this.#write()
    })()
    return this.#writing
  }

  async #write(): Promise<void> {
    const file = this.#file
    if (!this.#isDirty || file === undefined) return
    this.#isDirty = false
    await this.#merge(file)
    const tools = Object.fromEntries(this.#tools)
    const kept: KeptPins = { isWhole: this.#isWhole, tools, components: pinnedComponents }
    try {
      await file.write(JSON.stringify(kept))
    } catch {
      this.#isDirty = true
      this.#onWarning('pins_not_written')
    }
  }

  /** Other processes may use the same server: what they have trusted in the meantime stays. */
  async #merge(file: SealedFile): Promise<void> {
    const reading = await file.read()
    if (reading.kind !== 'kept') return
    for (const [tool, digests] of digestsIn(JSON.parse(reading.text) as KeptPins))
      if (!this.#tools.has(tool)) this.#tools.set(tool, digests)
  }

  async #load(): Promise<void> {
    const reading = await this.#file?.read()
    if (reading?.kind === 'fault') this.#onWarning(`pins_${reading.fault}`)
    if (reading?.kind === 'kept') {
      const kept = JSON.parse(reading.text) as KeptPins
      this.#isWhole = kept.isWhole
      for (const [tool, digests] of digestsIn(kept)) this.#tools.set(tool, digests)
    }
    this.#isLoaded = true
  }
}

/**
 * Components of a definition that differ from the trusted ones.
 * @param listed digests from the policy's list, which take precedence over what was seen
 * @param seen digests trusted when first seen; undefined if only the list counts. Components that the list omits are
 *   compared with them, or approving one change would allow every later one; only the removal of a component counts as
 *   approved
 */
export function changedComponents(
  listed: ToolDigests | undefined,
  seen: ToolDigests | undefined,
  now: ToolDigests
): (typeof pinnedComponents)[number][] {
  return pinnedComponents.filter((component) => {
    if (listed?.[component] !== undefined) return listed[component] !== now[component]
    if (seen === undefined || (listed !== undefined && now[component] === undefined)) return false
    return seen[component] !== '' && seen[component] !== now[component]
  })
}

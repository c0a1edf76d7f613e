/** Scans texts in a thread without WebAssembly, as in pages whose policy forbids it. */
import { once } from 'node:events'
import { stripTypeScriptTypes } from 'node:module'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Finding } from './findings.ts'

interface Scanned {
  readonly hasMachine: boolean
  readonly found: readonly (readonly Finding[])[]
}

/**
 * The findings in each text of a scanner without the machine.
 * @param apart whether each text has a memory of its own; otherwise they share one
 */
export async function scanWithoutMachine(texts: readonly string[], apart = false): Promise<Scanned> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { texts, apart } })
  try {
    const [scanned] = (await once(worker, 'message')) as [Scanned]
    return scanned
  } finally {
    await worker.terminate()
  }
}

/** The same in this thread, with the machine. */
export async function scanTexts(texts: readonly string[], apart = false): Promise<Scanned> {
  const { machineOf } = await import('./wasm/machine.ts')
  const { createScanner } = await import('./scanner.ts')
  const scanner = createScanner()
  const memory = apart ? undefined : scanner.createMemory()
  return { hasMachine: machineOf() !== undefined, found: texts.map((text) => scanner.scan(text, memory)) }
}

const asked = workerData as { readonly texts?: readonly string[]; readonly apart?: boolean } | null
if (!isMainThread && asked?.texts !== undefined) {
  // Node strips types with WebAssembly, and loads it when the first file is not in its cache, as after an edit.
  stripTypeScriptTypes('let ready: true')
  Reflect.deleteProperty(globalThis, 'WebAssembly')
  parentPort?.postMessage(await scanTexts(asked.texts, asked.apart))
}

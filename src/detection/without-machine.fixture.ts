/** Scans texts in a thread without WebAssembly, as pages are whose policy forbids it. */
import { once } from 'node:events'
import { stripTypeScriptTypes } from 'node:module'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Finding } from './findings.ts'

interface Scanned {
  readonly hasMachine: boolean
  readonly found: readonly (readonly Finding[])[]
}

/** What is found in each text, all in one memory, by a scanner that has no machine. */
export async function scanWithoutMachine(texts: readonly string[]): Promise<Scanned> {
  const worker = new Worker(new URL(import.meta.url), { workerData: texts })
  try {
    const [scanned] = (await once(worker, 'message')) as [Scanned]
    return scanned
  } finally {
    await worker.terminate()
  }
}

/** The same here. */
export async function scanTexts(texts: readonly string[]): Promise<Scanned> {
  const { machineOf } = await import('./wasm/machine.ts')
  const { createScanner } = await import('./scanner.ts')
  const scanner = createScanner()
  const memory = scanner.createMemory()
  return { hasMachine: machineOf() !== undefined, found: texts.map((text) => scanner.scan(text, memory)) }
}

if (!isMainThread && Array.isArray(workerData)) {
  // Node strips types by WebAssembly, and loads that when the first file is not in its cache: one may have been edited.
  stripTypeScriptTypes('let ready: true')
  Reflect.deleteProperty(globalThis, 'WebAssembly')
  parentPort?.postMessage(await scanTexts(workerData as string[]))
}

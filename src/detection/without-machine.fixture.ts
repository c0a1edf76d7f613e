/** Scans texts in a thread without WebAssembly, as in pages whose policy forbids it. */
import { once } from 'node:events'
import { stripTypeScriptTypes } from 'node:module'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import type { Finding } from './findings.ts'

interface Scanned {
  readonly hasMachine: boolean
  readonly found: readonly (readonly Finding[])[]
}

interface Asked {
  readonly texts: readonly string[]
  readonly apart: boolean
}

interface ScannerWithoutMachine extends AsyncDisposable {
  /**
   * The findings in each text of a new scanner.
   * @param apart whether the texts are scanned without a memory; otherwise they share one
   */
  scan(texts: readonly string[], apart?: boolean): Promise<Scanned>
}

/** Starts the thread. It answers one request at a time. */
export function startWithoutMachine(): ScannerWithoutMachine {
  const worker = new Worker(new URL(import.meta.url))
  return {
    async scan(texts, apart = false) {
      const asked: Asked = { texts, apart }
      worker.postMessage(asked)
      const [scanned] = (await once(worker, 'message')) as [Scanned]
      return scanned
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    }
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

if (!isMainThread) {
  // Node strips types with WebAssembly, and loads it when the first file is not in its cache, as after an edit.
  stripTypeScriptTypes('let ready: true')
  Reflect.deleteProperty(globalThis, 'WebAssembly')
  parentPort?.on('message', async ({ texts, apart }: Asked) => parentPort?.postMessage(await scanTexts(texts, apart)))
}

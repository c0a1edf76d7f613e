/** Starts WebAssembly made of functions of the assembler, where the platform has it. */
import { assemble, type WasmFunction } from './assembler.ts'

/** The part of the platform's API that is used here. */
declare const WebAssembly:
  | {
      readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => {
        readonly buffer: ArrayBuffer
      }
      readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
      readonly Instance: new (
        module: object,
        imports: Readonly<Record<string, Readonly<Record<string, object>>>>
      ) => { readonly exports: Readonly<Record<string, unknown>> }
    }
  | undefined

/** Code that works on a memory of its own. */
export interface Started<Exports> {
  readonly buffer: ArrayBuffer
  readonly code: Exports
}

/**
 * Compiles functions and gives them a memory.
 * @typeParam Exports the functions by name; all of their parameters and results are numbers
 * @param pages size of the memory, in pages of 64 KiB
 * @returns `undefined` without WebAssembly, as in pages whose policy forbids it
 */
export function instantiate<Exports>(functions: readonly WasmFunction[], pages: number): Started<Exports> | undefined {
  if (typeof WebAssembly === 'undefined') return undefined
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
    const module = new WebAssembly.Module(assemble(functions, pages))
    const { exports } = new WebAssembly.Instance(module, { env: { memory } })
    return { buffer: memory.buffer, code: exports as unknown as Exports }
  } catch {
    return undefined
  }
}

import assert from 'node:assert/strict'
import test from 'node:test'
import {
  add,
  assemble,
  below,
  get,
  i32,
  int,
  least,
  loopWhile,
  set,
  shiftLeft,
  when,
  whenElse,
  whenElseValue,
  type Code,
  type WasmFunction
} from './assembler.ts'

/** The part of the platform's API that is used here, which the types of the tests lack. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => object
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: object } }
  ) => { readonly exports: Readonly<Record<string, (...numbers: number[]) => number>> }
}

function run(functions: readonly WasmFunction[]): Readonly<Record<string, (...numbers: number[]) => number>> {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 })
  return new WebAssembly.Instance(new WebAssembly.Module(assemble(functions, 1)), { env: { memory } }).exports
}

const giving = (name: string, body: Code): WasmFunction => ({ name, parameters: 0, locals: [], body })

test('writes numbers of all sizes', () => {
  const numbers = [0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, -8192, -8193, 2 ** 31 - 1, -(2 ** 31)]
  const made = run(numbers.map((number, i) => giving(`f${i}`, int(number))))
  assert.deepEqual(
    numbers.map((_, i) => made[`f${i}`]?.()),
    numbers
  )
})

test('tests the condition before each round of a loop, and takes either branch', () => {
  const [count, at, sum] = [0, 1, 2]
  const made = run([
    {
      name: 'sum',
      parameters: 1,
      locals: [i32, i32],
      body: [
        loopWhile(
          below(get(at), get(count)),
          when(below(int(2), get(at)), set(sum, add(get(sum), get(at)))),
          set(at, add(get(at), int(1)))
        ),
        whenElse(below(get(sum), int(100)), set(sum, shiftLeft(get(sum), int(1))), set(sum, int(0))),
        whenElseValue(get(sum), least(get(sum), int(13)), int(-7))
      ]
    }
  ])
  assert.deepEqual(
    [0, 3, 4, 5, 50].map((number) => made['sum']?.(number)),
    [-7, -7, 6, 13, -7]
  )
})

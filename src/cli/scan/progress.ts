/** A progress line on the terminal for a long scan. */
import { printable } from './excerpt.ts'

const firstMs = 500
const everyMs = 100
const nameUnitsMax = 60

export interface Progress {
  /** A file is being scanned. */
  file(name: string): void
  /** More of it was scanned. */
  units(count: number): void
  /** Removes the line, so that something else can be written. */
  clear(): void
}

/** A progress line on standard error, or nothing if that is not a terminal. */
export function createProgress(isWanted: boolean): Progress {
  const stream = process.stderr
  if (!isWanted || !stream.isTTY) return { file: () => undefined, units: () => undefined, clear: () => undefined }
  let next = performance.now() + firstMs
  let files = 0
  let scanned = 0
  let name = ''
  let isShown = false

  function show(): void {
    if (performance.now() < next) return
    next = performance.now() + everyMs
    isShown = true
    stream.write(`\r\u001B[K${files} files, ${(scanned / 1e6).toFixed(1)} MB  ${printable(name).slice(-nameUnitsMax)}`)
  }

  return {
    file(path) {
      files++
      name = path
      show()
    },
    units(count) {
      scanned += count
      show()
    },
    clear() {
      if (isShown) stream.write('\r\u001B[K')
      isShown = false
    }
  }
}

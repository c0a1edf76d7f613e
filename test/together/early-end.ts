/** A process of many files that ends in the midst of one. */

/**
 * Makes the process fail where somebody ends it before it has nothing more to do. A test that calls `process.exit(0)` would
 * take all files behind its own with it, and the runner would count what was there as passed.
 */
export function failAtEarlyEnd(): void {
  let isOver = false
  process.once('beforeExit', () => {
    isOver = true
  })
  process.once('exit', () => {
    if (isOver) return
    console.error('The process was ended before all of its tests were over.')
    process.exitCode = 1
  })
}

/** Detects that a process which runs many test files ends during one of them. */

/**
 * Makes the process fail if anything ends it before it has nothing more to do. A test that calls `process.exit(0)`
 * would skip all files after its own, and the runner would count what ran so far as passed.
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

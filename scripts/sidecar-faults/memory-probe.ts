/** Loaded into the sidecar of the fault run: on SIGUSR2 it prints the memory in use after garbage collection. */
process.on('SIGUSR2', () => {
  // `node --expose-gc` defines this function.
  ;(globalThis as unknown as { gc(): void }).gc()
  const { heapUsed, external } = process.memoryUsage()
  process.stdout.write(`${JSON.stringify({ heldBytes: heapUsed + external })}\n`)
})

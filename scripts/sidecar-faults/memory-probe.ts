/** Loaded into the sidecar of the fault run: at SIGUSR2 it says how much is held once the garbage is gone. */
process.on('SIGUSR2', () => {
  // `node --expose-gc` puts this function there.
  ;(globalThis as unknown as { gc(): void }).gc()
  const { heapUsed, external } = process.memoryUsage()
  process.stdout.write(`${JSON.stringify({ heldBytes: heapUsed + external })}\n`)
})

/** The reporter by which `npm test` names tests that hang, and ends when nothing else is under way. */
import { createSilenceReporter, testMsMax } from './silence-reporter.ts'

export default createSilenceReporter({
  namedAfterMs: testMsMax / 4,
  endedAfterMs: testMsMax,
  nowMs: () => performance.now(),
  // As by Ctrl-C: the runner ends the files under way, and names them.
  end: () => process.kill(process.pid, 'SIGINT')
})

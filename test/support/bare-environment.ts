/**
 * What a process that a test starts gets of this one's environment: the way to its programs, and the folder of compiled
 * code, without which each of some hundred starts compiles the sources anew.
 */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? { PATH } : { PATH, NODE_COMPILE_CACHE }
}

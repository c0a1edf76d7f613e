/**
 * The environment variables of this process that processes started by tests inherit: the path to programs, and the
 * compile cache, without which each of several hundred starts would compile the sources anew.
 */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? { PATH } : { PATH, NODE_COMPILE_CACHE }
}

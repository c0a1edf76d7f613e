/** Explains why an address cannot be listened on, naming the settings. */

const taken = (_host: string, port: string): string => `another program is listening on the port in ${port}`
const absent = (host: string): string => `${host} is not an address of this machine`
const forbidden = (_host: string, port: string): string => `this user may not listen on the port in ${port}`

const causes: Readonly<Record<string, (host: string, port: string) => string>> = {
  EADDRINUSE: taken,
  EADDRNOTAVAIL: absent,
  ENOTFOUND: absent,
  EAI_AGAIN: absent,
  EACCES: forbidden
}

/**
 * The error to throw for a system error about an address: the system's own message repeats the address, and names no
 * setting.
 * @param host the setting of the address
 * @param port the setting of the port
 */
export function listenFault(error: unknown, host: string, port: string): unknown {
  const { code, path } = error as NodeJS.ErrnoException
  const cause = causes[code ?? '']
  // An error with a path concerns a socket in the file system.
  if (cause === undefined || path !== undefined) return error
  return new Error(`cannot listen: ${cause(host, port)} (${code}).`, { cause: error })
}

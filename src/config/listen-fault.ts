/** Explains why an address cannot be listened on, naming the settings. */

/** Only the port is repeated: it is a number, where the text of a host may be anything that was pasted. */
type Cause = (host: string, port: string) => string

const taken: Cause = (_host, port) => `another program is listening on port ${port}; stop it, or set another port`
const absent: Cause = (host) => `${host} is not an address of this machine`
const forbidden: Cause = (_host, port) => `this user may not listen on port ${port}; set one of 1024 or more`

const causes: Readonly<Record<string, Cause>> = {
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
  const { code, path, port: number } = error as NodeJS.ErrnoException & { readonly port?: number }
  const cause = causes[code ?? '']
  // An error with a path concerns a socket in the file system.
  if (cause === undefined || path !== undefined) return error
  return new Error(
    `cannot listen: ${cause(host, number === undefined ? `in ${port}` : `${number} (${port})`)} (${code}).`,
    { cause: error }
  )
}

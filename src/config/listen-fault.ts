/** Why an address cannot be listened on, by the settings that name it. */

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
 * What to throw for what the system said of an address: the system's own words repeat it, and name no setting.
 * @param host the setting of the address
 * @param port the setting of the port
 */
export function listenFault(error: unknown, host: string, port: string): unknown {
  const { code, path } = error as NodeJS.ErrnoException
  const cause = causes[code ?? '']
  // An error with a path is of a socket in the file system.
  if (cause === undefined || path !== undefined) return error
  return new Error(`cannot listen: ${cause(host, port)} (${code}).`, { cause: error })
}

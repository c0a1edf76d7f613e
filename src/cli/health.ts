/** `sluice health`: checks a service or a sidecar on this machine, for images and units without other tools. */
import { request, type RequestOptions } from 'node:http'
import { Argument, InvalidArgumentError, type Command } from 'commander'
import { readAddress } from '../config/address-file.ts'
import { bothLoopbacks, noAddress, sidecarVariables } from '../config/sidecar-variables.ts'
import { timerMsMax } from '../config/milliseconds.ts'
import { formatFaults } from '../config/config.ts'
import { createReader, type ConfigFault, type Environment, type Reader } from '../config/reader.ts'
import { variables, type Variable } from '../config/variables.ts'
import { UsageError } from './usage-error.ts'

interface HealthOptions {
  readonly ready?: boolean
  readonly timeout: number
}

interface Asked {
  readonly isTls: boolean
  readonly options: RequestOptions
  /** The name for people. */
  readonly name: string
}

export function registerHealth(program: Command, exit: (status: number) => void): void {
  program
    .command('health')
    .description('Checks the service or the sidecar on this machine. Exit status: 0 healthy, 1 not.')
    .addArgument(
      new Argument('[what]', 'which of the two; run it with its environment variables')
        .choices(['service', 'sidecar'])
        .default('service')
    )
    .option('--ready', 'checks whether it can take traffic (/readyz), not only whether it responds (/livez)')
    .option('--timeout <ms>', 'how long to wait for an answer', readTimeout, 3000)
    .action(async (what: string, { ready = false, timeout }: HealthOptions) => {
      const asked = (what === 'sidecar' ? askSidecar : askService)(process.env)
      const path = ready ? '/readyz' : '/livez'
      const status = await statusOf(asked, path, timeout)
      const isWell = status === 200
      process.stdout.write(`${isWell ? 'ok' : 'FAILED'} ${asked.name}${path}: ${status ?? 'no answer'}\n`)
      if (status === undefined && what !== 'sidecar') await pointElsewhere(asked.name, process.env)
      exit(isWell ? 0 : 1)
    })
}

function readTimeout(text: string): number {
  const ms = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (ms >= 1 && ms <= timerMsMax) return ms
  throw new InvalidArgumentError(`Give milliseconds, from 1 to ${timerMsMax}.`)
}

/** A wildcard address is queried at its loopback address. */
const anyAddresses: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
  [bothLoopbacks, '127.0.0.1']
])

function askSidecar(env: Environment): Asked {
  const { LISTEN_HOST, LISTEN_PORT } = sidecarVariables
  return read({ LISTEN_HOST, LISTEN_PORT }, env, (reader) => {
    const host = reader.text('LISTEN_HOST')
    const socketPath = env['LISTEN_SOCKET']
    if (socketPath && host === noAddress) return { isTls: false, options: { socketPath }, name: socketPath }
    return askAddress(host, reader.integer('LISTEN_PORT'), false)
  })
}

function askService(env: Environment): Asked {
  const { HOST, PORT } = variables
  const isTls = Boolean(env['SERVICE_TLS_CERT_FILE'])
  return read({ HOST, PORT }, env, (reader) => askAddress(reader.text('HOST'), reader.integer('PORT'), isTls))
}

/** @throws UsageError that names the variable and its rule */
function read<Name extends string>(
  table: Readonly<Record<Name, Variable>>,
  env: Environment,
  ask: (reader: Reader<Name>) => Asked
): Asked {
  const faults: ConfigFault[] = []
  const asked = ask(createReader(table, env, process.cwd(), faults))
  if (faults.length > 0) throw new UsageError(`the configuration is not valid\n${formatFaults(faults)}`)
  return asked
}

function askAddress(given: string, port: number, isTls: boolean): Asked {
  const host = anyAddresses.get(given) ?? given
  const name = `${isTls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
  return { isTls, options: { host, port }, name }
}

/** Says where the service of the data directory listens, if that is not where it was looked for. */
async function pointElsewhere(name: string, env: Environment): Promise<void> {
  const noted = await readAddress(env['SERVICE_DATA_DIR'] || variables.SERVICE_DATA_DIR.default)
  if (noted === undefined || noted === name) return
  process.stderr.write(
    `The service of this data directory was last started at ${noted}: run the command with its HOST and PORT.\n`
  )
}

/** @returns undefined if there was no answer in time */
async function statusOf({ isTls, options }: Asked, path: string, timeoutMs: number): Promise<number | undefined> {
  // The certificate is for the name that others use; nothing but the question is sent.
  const send = isTls ? (await import('node:https')).request : request
  return new Promise((resolve) => {
    const asking = send(
      { ...options, path, timeout: timeoutMs, rejectUnauthorized: false } as RequestOptions,
      (res) => {
        res.resume()
        resolve(res.statusCode)
      }
    )
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => resolve(undefined))
    asking.end()
  })
}

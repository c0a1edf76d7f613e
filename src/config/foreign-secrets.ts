/**
 * Credentials in variables that libraries read by themselves: those of a proxy, of OpenTelemetry's exporters, and of the
 * PostgreSQL client. The service must know them only to recognise them in a text.
 */
import type { Environment } from './reader.ts'
import { Secret } from './secret.ts'
import { proxyAddress } from './web-proxy.ts'

const signals = ['', 'TRACES_', 'METRICS_', 'LOGS_'] as const

/** Lists of headers, and addresses that may hold a login. */
const names: readonly string[] = [
  ...signals.flatMap((signal) => [`OTEL_EXPORTER_OTLP_${signal}HEADERS`, `OTEL_EXPORTER_OTLP_${signal}ENDPOINT`]),
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
  'PGPASSWORD',
  // The services and sensors of one host may share an environment.
  'SERVICE_WORKSPACE_TOKEN',
  // Read by the service itself, but only if the collector's address is set.
  'SERVICE_EVENTS_OTLP_HEADERS'
]

const asAddress = (name: string, text: string): string => (/_proxy$/i.test(name) ? proxyAddress(text) : text)

/** The texts of those variables that are set. Most hold no credential. */
export function foreignSecrets(env: Environment): Secret[] {
  return names.flatMap((name) => (env[name] ? [new Secret(asAddress(name, env[name]))] : []))
}

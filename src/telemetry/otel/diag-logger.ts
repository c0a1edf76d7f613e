/** Logs what the OpenTelemetry SDK says about its own problems. */
import type { DiagLogger } from '@opentelemetry/api'
import type { Logger } from 'pino'
import { credentialsOf } from '../../config/credentials-of.ts'
import type { Environment } from '../../config/reader.ts'

const sentencesEveryMs = 60_000
const sentenceLengthMax = 300
/** A shorter value is no secret, and may be part of any word. */
const valueUnitsMin = 4

/**
 * A logger of at most one line per minute. The library quotes addresses and, if one is invalid, the value of a variable:
 * either may hold a credential, the latter also where it was pasted into the wrong variable. So both are removed.
 * @param env what the library reads its settings from
 */
export function createDiagLogger(log: Logger, env: Environment): DiagLogger {
  const values = valuesIn(env)
  let lastAt = -Infinity
  const tell = (message: string): void => {
    if (performance.now() - lastAt < sentencesEveryMs) return
    lastAt = performance.now()
    let problem = message
    for (const value of values) problem = problem.replaceAll(value, '[value]')
    problem = problem.replaceAll(/(?<![a-z])[a-z]+:\/\/[^\s"'\\]+/gi, '[address]').slice(0, sentenceLengthMax)
    log.warn({ problem }, 'OpenTelemetry is in trouble; calls continue')
  }
  const ignore = (): void => undefined
  return { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore }
}

/** The values of the standard variables and what is in their lists, the longest first, so that no part of one is left. */
function valuesIn(env: Environment): string[] {
  const texts = Object.entries(env).flatMap(([name, text = '']) =>
    name.startsWith('OTEL_') ? [text, ...credentialsOf(text)] : []
  )
  const values = new Set(texts.map((text) => text.trim()).filter(({ length }) => length >= valueUnitsMin))
  return [...values].toSorted((a, b) => b.length - a.length)
}

/** Reads a copy of signed roots: the output of `sluice audit roots`, or log lines of the service that hold roots. */
import { readFile } from 'node:fs/promises'
import { auditRootSchema } from '../store/audit/sealed-file.ts'
import type { AuditRoot } from '../store/store.ts'
import { UsageError } from './usage-error.ts'

/** The text of a file named by an option. @throws UsageError */
export async function readOptionFile(option: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`the file of ${option} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}

/**
 * The roots in a file, ordered by sequence. Lines without a root, JSON or not, are skipped.
 * @throws UsageError that names the line
 */
export async function readRootFile(option: string, file: string): Promise<AuditRoot[]> {
  const lines = (await readOptionFile(option, file)).split('\n')
  const roots = lines.flatMap((line, index) => {
    const value = parseLine(line)
    if (value === undefined && line.includes('"signature"')) {
      throw new UsageError(`line ${index + 1} of the file of ${option} is truncated or not JSON`)
    }
    if (value === undefined) return []
    const candidate = value['auditRoot'] ?? (value['payload'] === undefined ? undefined : value)
    if (candidate === undefined) return []
    const parsed = auditRootSchema.safeParse(candidate)
    if (!parsed.success) throw new UsageError(`line ${index + 1} of the file of ${option} is not a complete root`)
    return [parsed.data]
  })
  if (roots.length === 0) throw new UsageError(`the file of ${option} contains no root`)
  const sorted = roots.toSorted((a, b) => a.sequence - b.sequence)
  // Copies may overlap; a repeated root counts once.
  const seen = new Set<string>()
  return sorted.filter(({ hash, signature }) => !seen.has(hash + signature) && seen.add(hash + signature))
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

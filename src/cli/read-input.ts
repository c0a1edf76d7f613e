/** Text from a file or from standard input. */
import { readFile } from 'node:fs/promises'
import { UsageError } from './usage-error.ts'

/**
 * @param file a path, or - for standard input
 * @throws UsageError if the file cannot be read
 */
export async function readInput(file: string): Promise<string> {
  try {
    return file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`)
  }
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  stream.setEncoding('utf8')
  for await (const chunk of stream) text += chunk as string
  return text
}

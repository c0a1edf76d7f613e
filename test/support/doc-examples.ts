/** Runs the examples of the documentation exactly as they are written. */
import { spawn } from 'node:child_process'

export interface Example {
  readonly commands: string
  /** Lines of its output, in which `…` stands for anything. */
  readonly lines: readonly string[]
}

/** A block of `sh` is an example; a block of `text` right after it is its output. */
export function examplesOf(guide: string): Example[] {
  const blocks = [...guide.matchAll(/^```(sh|text)\n([^]*?)^```$/gm)].map(([, language, body = '']) => ({
    language,
    body
  }))
  return blocks.flatMap(({ language, body }, index) => {
    if (language !== 'sh') return []
    const next = blocks[index + 1]
    const lines = next?.language === 'text' ? next.body.trimEnd().split('\n') : []
    return [{ commands: body, lines }]
  })
}

/** A line of output, in which `…` stands for anything. */
export const patternOf = (line: string): RegExp =>
  new RegExp(
    `^${line
      .split('…')
      .map((text) => RegExp.escape(text))
      .join('.*')}$`,
    'm'
  )

/** Runs an example with a shell that stops at the first failure. */
export function runShell(
  commands: string,
  cwd: string,
  env: Record<string, string>
): Promise<{ code: number | null; output: string }> {
  const shell = spawn('sh', ['-eu', '-c', commands], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output += text))
  return new Promise((resolve) => shell.on('close', (code) => resolve({ code, output })))
}

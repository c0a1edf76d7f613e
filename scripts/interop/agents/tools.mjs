/** The two tools of the small agents that represent programs built with an SDK. */
import { readFile, writeFile } from 'node:fs/promises'

const text = { type: 'string' }

/** Names, descriptions and JSON schemas, which every SDK expects in a different form. */
export const tools = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: text }, required: ['path'] },
    run: ({ path }) => readFile(path, 'utf8')
  },
  {
    name: 'edit_file',
    description: 'Replaces a text in a file.',
    parameters: { type: 'object', properties: { path: text, from: text, to: text }, required: ['path', 'from', 'to'] },
    async run({ path, from, to }) {
      const before = await readFile(path, 'utf8')
      if (!before.includes(from)) return 'The file does not have this text.'
      await writeFile(
        path,
        before.replace(from, () => to)
      )
      return 'Edited.'
    }
  }
]

/** @param call `{name, args}` */
export const runTool = async ({ name, args }) => {
  const tool = tools.find((one) => one.name === name)
  return tool ? await tool.run(args) : `There is no tool "${name}".`
}

const [api, prompt] = process.argv.slice(2)

/** The API to use, and the prompt, from the command line. */
export const request = { api, prompt, base: process.env.SLUICE_BASE_URL, token: process.env.SLUICE_TOKEN }

/** Runs an agent; an error is printed as by a program without error handling. */
export async function main(agent) {
  try {
    process.stdout.write(`${await agent()}\n`)
  } catch (error) {
    process.stderr.write(`${error.name}: ${error.message}\n`)
    process.exitCode = 1
  }
}

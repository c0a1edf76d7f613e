/** Bundles the sources and their imports into few files. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown, type InputOptions, type OutputChunk } from 'rolldown'
import { root } from '../run.ts'
import { guardEntries } from './guard-entries.ts'
import { noticesOf } from './notices.ts'
import { asciiAlone, partsAlone } from './slim.ts'

const src = (path: string): string => join(root, 'src', path)

/** The command and the threads that it starts: a thread is found by its file name, beside the file that starts it. */
const programs = {
  main: src('cli/main.ts'),
  'sqlite-worker': src('store/sqlite/sqlite-worker.ts'),
  'policy-judge-worker': src('service/policies/policy-judge-worker.ts')
}

const libraries = { detection: src('detection/index.ts'), sensor: src('sdk/index.ts') }

/** Optional modules that `pg` loads if they are installed. */
const absent = ['pg-native', 'pg-cloudflare']

/**
 * Writes `bundle/`, and the notices of the packages in it.
 * @param out an empty folder
 * @throws Error if something cannot be resolved
 */
export async function bundleCommands(out: string): Promise<void> {
  const chunks = await write(
    {
      input: programs,
      external: absent,
      plugins: [partsAlone(), asciiAlone()],
      // Leaves out an alternative HTTP/1 parser that undici is trying out, like the copy inside Node.
      transform: { define: { esbuildDetection: 'true' } }
    },
    join(out, 'bundle')
  )
  writeFileSync(join(out, 'THIRD-PARTY-NOTICES.txt'), noticesOf(chunks.flatMap(({ moduleIds }) => moduleIds)))
}

/**
 * Whether a module is that of a package, by its name. The libraries bring none along, whose licence would have to be
 * stated: what they import is installed with them.
 */
const isPackage = (id: string): boolean => /^[a-z@]/.test(id)

/** Writes `lib/`. @param out the folder that contains it @throws Error if something cannot be resolved */
export async function bundleLibraries(out: string): Promise<void> {
  const lib = join(out, 'lib')
  await write({ input: libraries, external: isPackage }, lib, '[name]-library.js')
  guardEntries(lib, Object.keys(libraries))
}

async function write(options: InputOptions, dir: string, entryFileNames = '[name].js'): Promise<OutputChunk[]> {
  const bundle = await rolldown({
    ...options,
    platform: 'node',
    tsconfig: join(root, 'tsconfig.json'),
    // A warning here would be an error at run time, such as an import that cannot be resolved.
    onLog: (level, log) => {
      if (level === 'warn' && log.code !== 'EVAL') throw new Error(log.message)
    }
  })
  try {
    const { output } = await bundle.write({
      dir,
      format: 'esm',
      entryFileNames,
      minify: 'dce-only',
      comments: false
    })
    return output.filter((file) => file.type === 'chunk')
  } finally {
    await bundle.close()
  }
}

/**
 * Dependencies point downwards only, and the lowest layers are pure. The linter enforces it; these tests prove that it
 * does.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const pureFolders = ['detection', 'policy', 'dialects', 'protocol']

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function runNode(args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    )
  })
}

describe('the linter', () => {
  const imports = 'no-restricted-imports'
  const globals = 'no-restricted-globals'
  /** A line of source in a folder, and the rule that must report it; undefined if none may. */
  const probes: [folder: string, line: string, rule: string | undefined][] = [
    ['detection', "import '../policy/a.ts'", imports],
    ['detection/detectors', "export * from '../../protocol/a.ts'", imports],
    ['detection/detectors', "import '../findings.ts'", undefined],
    ['policy', "import '../config/a.ts'", imports],
    ['policy', "import '../detection/a.ts'", undefined],
    ['dialects', "import '../policy/a.ts'", undefined],
    ['dialects', "import '../ingress/a.ts'", imports],
    ['protocol', "await import('../service/a.ts')", imports],
    ['timing', "import '../protocol/a.ts'", imports],
    ['timing', "import 'node:timers'", imports],
    ['timing', "import './a.ts'", undefined],
    ['telemetry', "import '../timing/a.ts'", undefined],
    ['config', "import '../store/a.ts'", imports],
    ['config', "import 'node:fs'", undefined],
    ['config', "import 'fs'", imports],
    ['store', "import '../service/a.ts'", imports],
    ['store', "import 'node:sqlite'", undefined],
    ['service', "import 'node:sqlite'", imports],
    ['ingress', "import '../cli/a.ts'", imports],
    ['ingress', "import '../upstream/a.ts'", undefined],
    ['service', "import '../cli/a.ts'", imports],
    ['service/routes', "import '../../test/a.ts'", imports],
    ['cli', "import '../service/a.ts'", undefined],
    ['sensor/sidecar', "import '../../store/a.ts'", imports],
    ['sensor/sidecar', "import '../../ingress/a.ts'", undefined],
    ['sensor', "import '../service/a.ts'", imports],
    ['sdk', "import '../ingress/a.ts'", imports],
    ['sdk', "import '../sensor/a.ts'", undefined],
    ...pureFolders.flatMap((folder): [string, string, string | undefined][] => [
      [folder, "import 'node:crypto'", imports],
      [folder, "import 'crypto'", imports],
      [folder, "import 'undici'", imports],
      [folder, "import 'zodiac'", imports],
      [folder, "import '@scope/zod'", imports],
      [folder, "import 'zod'", undefined],
      [folder, "import 're2js'", undefined],
      [folder, "import './a.ts'", undefined],
      [folder, "import '../timing/a.ts'", imports],
      [folder, 'export const a = Date.now()', globals],
      [folder, 'export const a = new Date()', globals],
      [folder, 'export const a = process.pid', globals],
      [folder, "export const a = Buffer.from('')", globals],
      [folder, 'export const a = crypto.randomUUID()', globals],
      [folder, 'export const a = globalThis', globals],
      [folder, 'export const a = Math.random()', 'no-restricted-properties'],
      [folder, 'export const a = Math.max(1, 2)', undefined]
    ])
  ]
  const folder = mkdtempSync(join(tmpdir(), 'sluice-layers-'))
  const spoken = new Map<string, string[]>()
  const nameOf = (index: number) => `probe-${index}.ts`

  before(async () => {
    copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    probes.forEach(([place, line], index) => {
      const path = join(folder, 'src', place, nameOf(index))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `${line}\n`)
    })
    const { stdout } = await runNode([join(root, 'node_modules/oxlint/bin/oxlint'), '-f', 'json'], folder)
    for (const { code, filename } of JSON.parse(stdout).diagnostics as { code: string; filename: string }[]) {
      const name = filename.slice(filename.lastIndexOf('/') + 1)
      spoken.set(name, [...(spoken.get(name) ?? []), code])
    }
  })
  after(() => rmSync(folder, { recursive: true }))

  probes.forEach(([place, line, rule], index) => {
    it(`${rule ? 'rejects' : 'accepts'} ${line} in src/${place}`, () => {
      const restricted = (spoken.get(nameOf(index)) ?? []).filter((code) => code.includes('no-restricted-'))
      assert.deepEqual(restricted, rule ? [`eslint(${rule})`] : [])
    })
  })
})

describe('the pure folders', () => {
  /**
   * Loads modules while built-in modules cannot be imported and clock, randomness and Node's globals are unavailable.
   */
  function load(files: readonly string[]): Promise<Ended> {
    const script = `
      import { isBuiltin, registerHooks } from 'node:module'
      const refuse = name => { throw new Error('not pure: ' + name) }
      registerHooks({
        resolve: (name, context, next) => (isBuiltin(name) ? refuse(name) : next(name, context))
      })
      Math.random = () => refuse('Math.random')
      Date.now = () => refuse('Date.now')
      for (const name of ['Buffer', 'process']) {
        Object.defineProperty(globalThis, name, { get: () => refuse(name) })
      }
      for (const file of ${JSON.stringify(files.map((file) => pathToFileURL(file).href))}) await import(file)
      console.log('loaded')`
    return runNode(['--input-type=module', '-e', script], root)
  }

  for (const folder of pureFolders) {
    it(`load without Node: src/${folder}`, async () => {
      const files = globSync(`src/${folder}/**/*.ts`, { cwd: root, exclude: ['**/*.{test,fixture,contract}.ts'] })
      assert.notEqual(files.length, 0)
      const { stdout, stderr } = await load(files.map((file) => join(root, file)))
      assert.equal(stdout, 'loaded\n', stderr)
    })
  }

  it('would not load if they used Node', async () => {
    const { code, stderr } = await load([join(root, 'src/config/config.ts')])
    assert.equal(code, 1)
    assert.match(stderr, /not pure: node:path/)
  })
})

describe('the folders that matchers are built in', () => {
  /** Each imports only from those before it, and none from the folders that run the matchers. */
  const order = ['text', 'validators', 'arguments', 'values', 'assignments', 'keys', 'numbers', 'detectors']
  const runners = ['normalise', 'custom', 'wasm', 'engine']
  const detection = join(root, 'src/detection')
  const folderOf = (path: string) => [...order, ...runners].indexOf(relative(detection, path).split(sep)[0]!)

  /** Imports from a folder later in the order, as they are written in the source. */
  function pointingUp(path: string, source: string): string[] {
    const folder = folderOf(path)
    return [...source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']*)'/g)]
      .map(([, specifier]) => specifier!)
      .filter((specifier) => folderOf(join(dirname(path), specifier)) > folder)
  }

  it('import in one direction', () => {
    const files = globSync(`{${order.join(',')}}/**/*.ts`, { cwd: detection, exclude: ['**/*.{test,fixture}.ts'] })
    for (const folder of order)
      assert.ok(
        files.some((file) => file.startsWith(folder)),
        folder
      )
    const found = files.flatMap((file) => {
      const path = join(detection, file)
      return pointingUp(path, readFileSync(path, 'utf8')).map((specifier) => `${file}: ${specifier}`)
    })
    assert.deepEqual(found, [])
  })

  it('keep the families of detectors apart', () => {
    const families = readdirSync(join(detection, 'detectors'), { withFileTypes: true }).filter((it) => it.isDirectory())
    assert.ok(families.length > 3)
    const crossing = families.flatMap(({ name }) =>
      globSync(`detectors/${name}/**/*.ts`, { cwd: detection }).filter((file) =>
        families.some((other) => readFileSync(join(detection, file), 'utf8').includes(`'../${other.name}/`))
      )
    )
    assert.deepEqual(crossing, [])
  })

  it('would be reported if they imported each other', () => {
    const probe = (folder: string, line: string) => pointingUp(join(detection, folder, 'probe.ts'), line)
    assert.deepEqual(probe('values', "import { nameOf } from '../assignments/frames.ts'"), ['../assignments/frames.ts'])
    assert.deepEqual(probe('text', "import '../values/rarity.ts'"), ['../values/rarity.ts'])
    assert.deepEqual(probe('arguments', "await import('../detectors/index.ts')"), ['../detectors/index.ts'])
    assert.deepEqual(probe('assignments', "export { rarity } from '../values/rarity.ts'"), [])
    assert.deepEqual(probe('values', "import { isPassphrase } from './passphrases.ts'"), [])
    assert.deepEqual(probe('values', "import { wordGuard } from '../anchor-guard.ts'"), [])
    assert.deepEqual(probe('detectors', "import { Pace } from '../engine/pace.ts'"), ['../engine/pace.ts'])
  })
})

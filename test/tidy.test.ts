/** Conventions of the code base, as far as a program can check them. */
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const root = join(import.meta.dirname, '..')
const linesMax = 400

/** Written by programs, not by hand. */
const generated = new Set(['package-lock.json'])
const skipped = new Set(['node_modules', 'dist', 'coverage', '.git'])

function list(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (skipped.has(entry.name) || path === 'data') return []
    return entry.isDirectory() ? list(path) : entry.isFile() ? [path] : []
  })
}

const isText = (path: string) =>
  /\.([cm]?[jt]sx?|json|md|sh|ya?ml|css|html|toml|conf|service|tpl|svg)$|(^|\/)[^./]+$|^\.[a-z]+rc$/.test(path)
const files = list('')
  .filter((path) => isText(path) && !generated.has(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
/** Texts that the accuracy benchmark makes up, including hosts and folders. */
const frames = list('bench/accuracy/frames').map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const code = files.filter(({ path }) => /\.([cm]?[jt]sx?|sh|css)$/.test(path))

/** Places where a pattern matches, as `path:line`. */
function find(among: typeof files, pattern: RegExp): string[] {
  return among.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : []))
  )
}

/** Patterns are assembled from pieces, so that this file does not match itself. */
const pattern = (...pieces: string[]) => new RegExp(pieces.join(''))

describe('every file', () => {
  it('can be found', () => assert.ok(files.length > 50 && files.some(({ path }) => path === 'test/tidy.test.ts')))

  it(`of code has at most ${linesMax} lines`, () => {
    const long = code.filter(({ text }) => text.split('\n').length - 1 > linesMax)
    assert.deepEqual(
      long.map(({ path }) => path),
      []
    )
  })

  it('exports no name that no other file uses', () => {
    const sources = code.filter(({ path }) => /\.tsx?$/.test(path))
    const filesWith = new Map<string, number>()
    for (const { text } of sources)
      for (const word of new Set(text.match(/[\w$]+/g))) filesWith.set(word, (filesWith.get(word) ?? 0) + 1)
    const exported = /^export (?:async )?(?:function\*?|const|class|interface|type|let|enum) ([\w$]+)/gm
    const own = sources.flatMap(({ path, text }) =>
      [...text.matchAll(exported)].flatMap(([, name = '']) => (filesWith.get(name) === 1 ? [`${path}: ${name}`] : []))
    )
    assert.deepEqual(own, [])
  })

  it('creates agents in one place, which says what all of them have in common', () => {
    const program = files.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'))
    const found = find(program, pattern('new (Env', 'HttpProxy)?Agent\\(')).map((place) => place.split(':')[0])
    assert.deepEqual(new Set(found), new Set(['src/config/agent.ts']))
  })

  it('has no skipped test', () => {
    const tests = code.filter(({ path }) => /\.(test|contract)\.ts$|^test\//.test(path))
    assert.deepEqual(find(tests, pattern('\\b(test|it|describe|suite|t)\\.', '(only|skip|todo)\\b')), [])
    assert.deepEqual(find(tests, pattern('[{,]\\s*(only|skip|todo)', ':\\s')), [])
  })

  it('draws random cases from the one generator that repeats them in each run', () => {
    const found = find(code, pattern("from '", "fast-check'")).map((place) => place.split(':')[0])
    assert.deepEqual(found, ['test/support/property.ts'])
  })

  it('has nothing left to do later', () => {
    assert.deepEqual(find(files, pattern('\\b(TO', 'DO|FIX', 'ME|X', 'XX|HA', 'CK)\\b')), [])
  })

  it('contains no path of a particular machine', () => {
    assert.deepEqual(find(files, pattern('(^|[\\s"\'`(=:])(file:/', '/)?/(wo', 'rk|ro', 'ot|Us', 'ers|tm', 'p)/')), [])
    assert.deepEqual(find(files, pattern('\\.\\./sha', 'red\\b')), [])
  })

  it('names no package registry', () => {
    // Frames of the accuracy benchmark make up hosts below `corp.internal`, and the pages generated from it show them.
    const invented = '(?!corp\\.internal\\b)'
    const hosts = [`registry\\.${invented}[a-z0-9-]+\\.[a-z]`, `\\b(artifactory|verdaccio|nexus)\\.${invented}`]
    assert.deepEqual(find(files, pattern(hosts.join('|'))), [])
    assert.ok(frames.length > 10)
    assert.deepEqual(find(frames, pattern('npm', 'js\\.(org|com)|yarn', 'pkg\\.com')), [])
    const own = process.env['npm_config_registry']
    if (own !== undefined) {
      const host = new URL(own).host
      assert.deepEqual(
        files.filter(({ text }) => text.includes(host)).map(({ path }) => path),
        []
      )
    }
  })

  it('creates no generator function inside another function, which would keep its closure alive for long', () => {
    const program = code.filter(({ path }) => /^src\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'))
    assert.ok(find(program, /^(export )?function\* /).length > 10)
    assert.deepEqual(find(program, /^\s.*\bfunction\s*\*/), [])
  })

  it('that reads texts has no regular expression of the language, which would keep the last text alive', () => {
    const scanner = code.filter(
      ({ path }) => /^src\/detection\/(?!custom\/).*\.ts$/.test(path) && !/\.(test|fixture)\.ts$/.test(path)
    )
    assert.ok(scanner.length > 100)
    const ways = ['\\.(replace|match|split|search)(All)?\\(/', '^(export )?const \\w+ = /', '/[a-z]*\\.(test|exec)\\(']
    assert.deepEqual(find(scanner, pattern('new Reg', 'Exp\\(|', ways.join('|'))), [])
  })

  it('has no tabs and no carriage returns', () => {
    assert.deepEqual(find(code, /[\t\r]/), [])
  })
})

describe('the lock file', () => {
  interface Locked {
    readonly integrity?: string
    readonly resolved?: string
    readonly link?: boolean
    readonly dependencies?: Record<string, string>
    readonly devDependencies?: Record<string, string>
  }
  const packages = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages as Record<string, Locked>
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Locked
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

  it('has a checksum for every package', () => {
    assert.notEqual(installed.length, 0)
    assert.deepEqual(
      installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path),
      []
    )
  })

  it('does not say where packages come from', () => {
    assert.deepEqual(
      installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      []
    )
  })

  it('matches this package.json, which names exact versions', () => {
    assert.deepEqual(packages['']?.dependencies, manifest.dependencies)
    assert.deepEqual(packages['']?.devDependencies, manifest.devDependencies)
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      assert.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, name)
    }
  })
})

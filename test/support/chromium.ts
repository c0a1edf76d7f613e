/**
 * Finds a Chromium for tests of pages: the one that `CHROMIUM_PATH` names, the one from the npm package (Linux on x64),
 * or an installed Chrome. Throws if there is none, so that no test of a page is skipped silently.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { homedir } from 'node:os'

const root = join(import.meta.dirname, '../..')
const packed = join(root, 'node_modules/@sparticuz/chromium')

/** What is needed to launch a browser. */
export interface Chromium {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
}

const installed = [
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  join(homedir(), 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome'),
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe'
]

/** @throws Error that says how to get a browser */
export function findChromium(): Chromium {
  const named = process.env['CHROMIUM_PATH']
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return { executablePath: named, env: {} }
    throw new Error('CHROMIUM_PATH names no file.')
  }
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(packed)) return unpacked()
  const executablePath = installed.find((path) => existsSync(path))
  if (executablePath !== undefined) return { executablePath, env: {} }
  throw new Error('There is no Chromium for the tests of the dashboard. Install Chrome, or name one in CHROMIUM_PATH.')
}

/** The browser of the package, unpacked once into a folder of its own with its libraries and fonts. */
function unpacked(): Chromium {
  const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as { version: string }
  const caches = join(root, 'node_modules/.cache')
  const home = join(caches, `chromium-${version}`)
  if (!existsSync(home)) inflate(caches, home)
  const fonts = join(home, 'fonts.conf')
  return {
    executablePath: join(home, 'chromium'),
    env: { LD_LIBRARY_PATH: join(home, 'al2023/lib'), FONTCONFIG_FILE: fonts, HOME: home }
  }
}

/**
 * The package unpacks into the folder for temporary files and reuses what it finds there, so it gets one of its own.
 */
const inflateAll = `
  import { inflate } from '@sparticuz/chromium'
  await Promise.all(['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'].map((name) => inflate(process.argv[1] + '/bin/' + name)))
`

function inflate(caches: string, home: string): void {
  mkdirSync(caches, { recursive: true })
  const place = mkdtempSync(join(caches, 'chromium-'))
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', inflateAll, packed], {
    cwd: root,
    env: { ...process.env, TMPDIR: place }
  })
  if (status !== 0) throw new Error(`The packed Chromium could not be inflated: ${stderr.toString().slice(0, 500)}`)
  // Without a font configuration every page is blank. The package's fonts come first, so that screenshots look the same
  // everywhere.
  const alias = (generic: string, ...families: string[]): string =>
    `<alias binding="same"><family>${generic}</family><prefer>${families.map((family) => `<family>${family}</family>`).join('')}</prefer></alias>`
  const sans = ['sans-serif', 'system-ui'].map((generic) => alias(generic, 'Open Sans', 'DejaVu Sans')).join('')
  const mono = ['monospace', 'ui-monospace']
    .map((generic) => alias(generic, 'DejaVu Sans Mono', 'Liberation Mono'))
    .join('')
  const dirs = `<dir>${join(home, 'fonts')}</dir><dir>/usr/share/fonts</dir><cachedir>${join(home, 'font-cache')}</cachedir>`
  writeFileSync(
    join(place, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${dirs}${sans}${mono}</fontconfig>\n`
  )
  try {
    renameSync(place, home)
  } catch (error) {
    // Another test was faster and has unpacked the same files.
    rmSync(place, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}

/** Keeps the memory use of the bundle small. `npm run bench:footprint` measures it. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'
import { root } from '../run.ts'

const lib = join(root, 'node_modules/undici/lib')

/** What the sources may import from `undici`; the bundle cannot be built if they import anything else. */
const clients = `
import Dispatcher from ${JSON.stringify(join(lib, 'dispatcher/dispatcher.js'))}
import Agent from ${JSON.stringify(join(lib, 'dispatcher/agent.js'))}
import EnvHttpProxyAgent from ${JSON.stringify(join(lib, 'dispatcher/env-http-proxy-agent.js'))}
import errors from ${JSON.stringify(join(lib, 'core/errors.js'))}
import api from ${JSON.stringify(join(lib, 'api/index.js'))}
// The entry does the same.
Object.assign(Dispatcher.prototype, api)
export { Agent, Dispatcher, EnvHttpProxyAgent, errors }

let own
export function request(url, { dispatcher = (own ??= new Agent()), ...options } = {}) {
  const { origin, pathname, search } = new URL(url)
  return dispatcher.request({ method: options.body ? 'PUT' : 'GET', ...options, origin, path: pathname + search })
}

// Only signing in by a provider calls it, so only that loads it.
export async function fetch(...request) {
  const { default: web } = await import(${JSON.stringify(join(lib, 'web/fetch/index.js'))})
  return await web.fetch(...request)
}
`

const replacements: Readonly<Record<string, { readonly id: string; readonly code: string }>> = {
  // Its only entry also loads its web sockets, caches and mocks, which nothing here uses, and its fetch at once.
  undici: { id: '\0undici-clients', code: clients },
  // `import` reads every export of a Node module, and reading `WebSocket` loads another whole undici: 15 MB.
  'node:http': { id: '\0node-http.cjs', code: "module.exports = process.getBuiltinModule('node:http')" },
  // It loads Node's HTTP/2 and TLS, 6 MB, which a connection without TLS never needs.
  './client-h2.js': {
    id: '\0undici-client-h2.cjs',
    code: `module.exports = (...call) => require(${JSON.stringify(join(lib, 'dispatcher/client-h2.js'))})(...call)`
  }
}

/** WebAssembly modules that undici contains as long strings. */
const wasmModule = /[\\/]undici[\\/]lib[\\/]llhttp[\\/](llhttp(?:_simd)?)-wasm\.js$/

/** The folder of files beside the bundle; a CommonJS module has no import.meta. */
const place = { id: '\0place', code: 'export const place = import.meta.url' }

/** Loads parts of packages instead of the whole. */
export function partsAlone(): Plugin {
  return {
    name: 'parts-alone',
    resolveId: (id) => replacements[id]?.id ?? (id === place.id ? id : null),
    load(id) {
      if (id === place.id) return place.code
      const code = Object.values(replacements).find((one) => one.id === id)?.code
      if (code !== undefined) return { code, moduleSideEffects: true }
      const wasm = wasmModule.exec(id)?.[1]
      if (wasm === undefined) return null
      // As a string, it would be in memory twice for as long as the process runs; a file is read, compiled and dropped.
      const fileName = `${wasm}.wasm`
      this.emitFile({ type: 'asset', fileName, source: createRequire(id)(id) as Buffer })
      return `const { place } = require(${JSON.stringify(place.id)})
        module.exports = process.getBuiltinModule('node:fs').readFileSync(new URL('./${fileName}', place))`
    }
  }
}

/**
 * Escapes non-ASCII characters: if a source text contains one, Node stores the whole text with two bytes per character.
 */
export function asciiAlone(): Plugin {
  return {
    name: 'ascii-alone',
    // Runs last: whatever prints the code again replaces escapes by their characters.
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        const isRaw = /String\.raw`[^`]*[^\0-\x7f]/.test(file.code)
        if (isRaw) throw new Error(`${file.fileName} has a raw text that cannot be written with escapes.`)
        file.code = file.code.replaceAll(
          /[^\0-\x7f]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
        )
      }
    }
  }
}

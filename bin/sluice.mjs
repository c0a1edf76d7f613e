#!/usr/bin/env node
/**
 * The command. It runs on any Node since 20, so that an old one gets a sentence and not a syntax error; in a checkout it
 * hands over to the checkout's own Node.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

const at = (path) => new URL(`../${path}`, import.meta.url)
const isCheckout = existsSync(at('src')) && existsSync(at('scripts/setup.mjs'))
const [major, minor] = process.versions.node.split('.').map(Number)
const isRecent = major > 24 || (major === 24 && minor >= 12)

if (isRecent) {
  if (isCheckout && !existsSync(at('node_modules'))) await prepare()
  // In a checkout `dist` may be older than the sources; elsewhere it is what was shipped.
  const isBundled = !isCheckout && existsSync(at('dist/bundle/main.js'))
  if (isBundled) keepCompiled()
  const { main } = await import(isBundled ? '../dist/bundle/main.js' : '../src/cli/main.ts')
  process.exitCode = await main(process.argv.slice(2))
} else {
  const node = isCheckout ? await prepare() : undefined
  if (node) handOver(node)
  else fail(`sluice needs Node.js 24.12 or newer; this is ${process.versions.node}.`)
}

/**
 * Compiled code is kept beside the bundle where that can be written, and nowhere else: the usual place is a folder that
 * every user of the machine can write to, and whoever writes there says what runs here. `NODE_COMPILE_CACHE` counts first.
 */
function keepCompiled() {
  if (process.env.NODE_COMPILE_CACHE || process.env.NODE_DISABLE_COMPILE_CACHE) return
  // The place of the package may differ from where the cache was made: an image brings one.
  process.env.NODE_COMPILE_CACHE_PORTABLE ??= '1'
  nodeModule.enableCompileCache(fileURLToPath(at('dist/compile-cache')))
}

/** Brings the checkout up and gives its Node. */
async function prepare() {
  const { setup, findNode } = await import(at('scripts/setup.mjs').href)
  try {
    setup()
  } catch (error) {
    fail(error.message)
    process.exit()
  }
  return findNode()
}

/** Runs this very command line with another Node, which takes over the terminal, the signals and the exit code. */
function handOver(node) {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']
  for (const signal of signals) {
    // What a terminal's keys send, it sends to the child as well; a second one would cut its drain short.
    process.on(signal, () => (process.stdin.isTTY && signal !== 'SIGTERM' ? undefined : child.kill(signal)))
  }
  child.on('error', (error) => fail(`The Node.js of the checkout cannot be started (${error.code}).`))
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name)
    if (signal) process.kill(process.pid, signal)
    else process.exitCode = code
  })
}

function fail(sentence) {
  console.error(sentence)
  process.exitCode = 1
}

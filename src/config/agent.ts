/** Connections of whatever this program calls over HTTP. */
import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici'
import type { Environment } from './reader.ts'
import { hasProxy, webProxy } from './web-proxy.ts'

/**
 * An agent that uses the web proxy of an environment and offers HTTP/1.1 alone: over HTTP/2, an answer that is cut off
 * may look complete (decision 185). Close it with `close()` or `destroy()`.
 */
export function createAgent(env: Environment, options: Omit<Agent.Options, 'allowH2'> = {}): Dispatcher {
  const all = { ...options, allowH2: false }
  const proxy = webProxy(env)
  return hasProxy(proxy) ? new EnvHttpProxyAgent({ ...all, ...proxy }) : new Agent(all)
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from './config.ts'
import { loadMcpProxyConfig } from './mcp-proxy.ts'
import { loadSidecarConfig } from './sidecar.ts'
import { hasProxy, proxyRemedy, webProxy } from './web-proxy.ts'

const none = { httpProxy: '', httpsProxy: '', noProxy: '' }

test('the proxy is read as curl reads it: small letters first, and http where there is no scheme', () => {
  for (const [env, expected] of [
    [{}, none],
    [{ HTTP_PROXY: '', ALL_PROXY: 'http://a:1' }, none],
    [{ HTTPS_PROXY: 'http://a:1' }, { ...none, httpsProxy: 'http://a:1' }],
    [
      { HTTP_PROXY: 'a:1', http_proxy: 'https://b:2' },
      { ...none, httpProxy: 'https://b:2' }
    ],
    [
      { HTTP_PROXY: 'a:1', http_proxy: '' },
      { ...none, httpProxy: 'http://a:1' }
    ],
    [{ HTTP_PROXY: ' me:you@proxy.example:3128\n' }, { ...none, httpProxy: 'http://me:you@proxy.example:3128' }],
    [
      { https_proxy: '[::1]:3128', NO_PROXY: 'b' },
      { ...none, httpsProxy: 'http://[::1]:3128', noProxy: 'b' }
    ]
  ] as const) {
    assert.deepEqual(webProxy(env), expected, JSON.stringify(env))
    assert.equal(hasProxy(webProxy(env)), expected !== none)
  }
})

test('an address that is none of a proxy is a fault by name and rule, in every program, and its value is not repeated', () => {
  const password = ['proxy', 'password', '4711'].join('-')
  const cwd = '/srv'
  const needed = { SERVICE_INGRESS_TARGET: 'http://127.0.0.1:1', SERVICE_WORKSPACE_TOKEN: 'svw_' }
  const loads = [
    (env: Record<string, string>) => loadConfig(env, { cwd }),
    (env: Record<string, string>) => loadSidecarConfig({ ...needed, ...env }, { cwd }),
    (env: Record<string, string>) => loadMcpProxyConfig({ ...needed, ...env }, { command: ['a'] }, { cwd })
  ]
  for (const address of ['ftp://u:%@a', 'http://u:%@a:99999', 'http://u:%@a b', 'http://u%zz:%@a', 'http://u:%@'])
    for (const load of loads) {
      const loaded = load({ HTTPS_PROXY: address.replace('%@', `${password}@`) })
      assert.ok(!loaded.ok)
      const fault = loaded.faults.find(({ name }) => name === 'HTTPS_PROXY')
      assert.match(fault?.rule ?? '', /^must be the address of a proxy/, address)
      assert.ok(!JSON.stringify(loaded.faults).includes(password))
    }
})

test('a remedy names the variable that counts for the scheme, and nothing of its value', () => {
  const proxied = (name: string): string => `, and the proxy in ${name} unless NO_PROXY names the host`
  for (const [env, base, expected] of [
    [{}, 'https://a.example', ''],
    [{ HTTPS_PROXY: 'nonsense' }, 'http://a.example', ''],
    [{ HTTPS_PROXY: 'nonsense', HTTP_PROXY: 'b' }, 'https://a.example', proxied('HTTPS_PROXY')],
    [{ HTTPS_PROXY: '', HTTP_PROXY: 'nonsense' }, 'https://a.example', proxied('HTTP_PROXY')],
    [{ https_proxy: 'nonsense', HTTPS_PROXY: 'b' }, 'https://a.example', proxied('https_proxy')]
  ] as const)
    assert.equal(proxyRemedy(env, base), expected, JSON.stringify(env))
})

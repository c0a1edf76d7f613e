import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isKnownHost } from './known-host.ts'

it('a host is known by a loopback name with the port of the listener, or by a name that was added', () => {
  const rules = { port: 8790, knownHosts: ['agents.example', 'tools.example:9000'] }
  for (const host of ['localhost:8790', 'LOCALHOST:8790', '127.0.0.1:8790', '[::1]:8790'])
    assert.equal(isKnownHost(host, rules), true, host)
  for (const host of ['agents.example', 'agents.example:1', 'Agents.Example:8790', 'tools.example:9000'])
    assert.equal(isKnownHost(host, rules), true, host)
  for (const host of ['', 'localhost', 'localhost:80', 'localhost:87900', 'evil.example:8790', 'tools.example:8790'])
    assert.equal(isKnownHost(host, rules), false, host)
})

it('the default port of HTTP may be left out', () => {
  for (const host of ['localhost', 'localhost:80', '[::1]'])
    assert.equal(isKnownHost(host, { port: 80, knownHosts: [] }), true)
  assert.equal(isKnownHost('localhost', { port: 443, knownHosts: [] }), false)
  assert.equal(isKnownHost('localhost:undefined', { port: undefined, knownHosts: [] }), false)
})

/** Checks the files of `deploy/`. `npm run check:deploy` does more, with tools that do not come from npm. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parse } from 'yaml'
import { startContainer } from '../scripts/check-deploy/container.ts'
import { buildImages, listing, type Image } from '../scripts/check-deploy/dockerfile.ts'
import { readManifests } from '../scripts/check-deploy/manifests.ts'
import { root } from '../scripts/run.ts'
import { mintToken } from '../src/protocol/token-format.ts'
import { freePort } from './support/free-port.ts'

const read = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8')

describe('the images', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-image-'))
  let images: ReadonlyMap<string, Image>
  const image = (name: string): Image => {
    const found = images.get(name)
    assert.ok(found, name)
    return found
  }
  before(() => {
    const isInstall = (command: string): boolean => command.startsWith('npm install ')
    images = buildImages({
      folder,
      log: () => undefined,
      // Replaces the one step that downloads: the packages of this checkout come from the same lock file.
      instead: (command, { root: at, workdir }) =>
        isInstall(command)
          ? () => symlinkSync(join(root, 'node_modules'), join(at, workdir, 'node_modules'))
          : undefined
    })
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('hold Node.js, the bundle and nothing else, and run as a numeric user other than root', () => {
    const { root: at, user } = image('service')
    assert.deepEqual(
      readdirSync(at).toSorted(),
      ['app', 'data', 'etc', 'lib', 'lib64', 'usr'].filter((name) => existsSync(join(at, name)))
    )
    assert.deepEqual(readdirSync(join(at, 'usr/bin')), ['node'])
    assert.deepEqual(readdirSync(join(at, 'app')).toSorted(), ['LICENSE', 'bin', 'dist', 'package.json'])
    assert.deepEqual(readdirSync(join(at, 'app/dist')).toSorted(), [
      'THIRD-PARTY-NOTICES.txt',
      'bundle',
      'compile-cache',
      'dashboard'
    ])
    assert.ok(readdirSync(join(at, 'app/dist/compile-cache')).length > 0)
    assert.equal(user, '65532:65532')
    const writable = readdirSync(at, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && (statSync(join(entry.parentPath, entry.name)).mode & 0o022) !== 0
    )
    assert.deepEqual(writable, [])
  })

  it('need no secret to be built, and name none', () => {
    assert.ok(!/^\s*(?:ARG|ADD)\b/m.test(read('Dockerfile')))
    for (const { env } of images.values()) assert.ok(!Object.keys(env).some((name) => /TOKEN|KEY|PASSWORD/.test(name)))
    assert.match(read('Dockerfile.dockerignore'), /^\*$/m)
  })

  for (const name of ['service', 'sidecar'] as const) {
    it(`run: the ${name} starts, is healthy, writes only to its volume, and stops when signalled`, async () => {
      const port = String(await freePort())
      const { token } = mintToken((count) => crypto.getRandomValues(new Uint8Array(count)))
      const env =
        name === 'service'
          ? { HOST: '127.0.0.1', PORT: port }
          : { LISTEN_PORT: port, SERVICE_INGRESS_TARGET: 'http://127.0.0.1:9', SERVICE_WORKSPACE_TOKEN: token }
      const before = listing(image(name).root, 'data')
      await using container = startContainer(image(name), env)
      await container.healthy()
      assert.equal((await fetch(`http://127.0.0.1:${port}/livez`)).status, 200)
      assert.equal(await container.stop(), 0)
      assert.notEqual(container.health(), 0)
      assert.deepEqual(listing(image(name).root, 'data'), before)
      assert.ok(readdirSync(join(image(name).root, 'data')).length > 0)
    })
  }
})

describe('the balancer', () => {
  const lines = read('nginx.conf').split('\n')

  it('resolves the addresses of the instances again, since a recreated one has another address', () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as { readonly services: Record<string, object> }
    const instances = Object.keys(services).filter((name) => name.startsWith('sluice-'))
    const servers = lines.filter((line) => /^\s*server \S+:/.test(line))
    assert.ok(instances.length > 1)
    assert.equal(servers.length, instances.length)
    for (const [index, name] of instances.entries())
      assert.match(servers[index] ?? '', RegExp(` ${name}:8080 resolve `))
    for (const wanted of [/^\s*resolver 127\.0\.0\.11 valid=2s/, /^\s*zone sluice \d+k;/]) {
      assert.ok(
        lines.some((line) => wanted.test(line)),
        String(wanted)
      )
    }
    assert.partialDeepStrictEqual(services['balancer'], { image: 'nginx:1.29-alpine' })
  })

  it('has no tighter limits than the service', () => {
    for (const wanted of [
      'large_client_header_buffers 4 64k;',
      'client_max_body_size 0;',
      'proxy_read_timeout 1800s;'
    ]) {
      assert.ok(
        lines.some((line) => line.trim() === wanted),
        wanted
      )
    }
  })

  it('forwards the address that clients requested, with its port, and their own address', () => {
    const header = (name: string): string | undefined =>
      lines.find((line) => line.includes(`proxy_set_header ${name} `))?.trim()
    assert.equal(header('Host'), 'proxy_set_header Host $http_host;')
    assert.equal(header('X-Forwarded-For'), 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;')
  })
})

describe('the manifests', () => {
  it('fit the schemas of Kubernetes, and run without root on a read-only file system', async () => {
    for (const file of ['service.yaml', 'agent-with-sidecar.yaml']) {
      const manifests = await readManifests(read(`kubernetes/${file}`))
      assert.ok(manifests.length > 0)
      const [deployment] = manifests.filter(({ kind }) => kind === 'Deployment') as unknown as Deployment[]
      assert.ok(deployment)
      const { securityContext, containers, initContainers = [] } = deployment.spec.template.spec
      assert.partialDeepStrictEqual(securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      for (const { name, image, securityContext: own } of [...containers, ...initContainers]) {
        assert.partialDeepStrictEqual(own, { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }, name)
        if (image.startsWith('sluice')) assert.equal(own['readOnlyRootFilesystem'], true)
      }
      if (initContainers.length > 0) assert.equal(initContainers[0]?.restartPolicy, 'Always')
    }
  })

  it('prevent core dumps, which would write the memory of the process to disk', () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as { readonly services: Record<string, object> }
    for (const name of ['sluice-1', 'sluice-2', 'sluice-3'])
      assert.partialDeepStrictEqual(services[name], { ulimits: { core: 0 } })
    for (const name of ['sluice', 'sluice-sidecar']) assert.match(read(`systemd/${name}.service`), /^LimitCORE=0$/m)
  })

  it('are rejected where they do not fit the schemas', async () => {
    await assert.rejects(readManifests('apiVersion: apps/v1\nkind: Deployment\nspec: { replicas: many }'))
    await assert.rejects(readManifests('apiVersion: apps/v1\nkind: Deploiment'), /has no Deploiment/)
    await assert.rejects(readManifests('a: 1\na: 2'))
  })

  it('of compose build the image of the Dockerfile and leave it read-only', () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as { readonly services: Record<string, object> }
    assert.partialDeepStrictEqual(services['sluice-1'], {
      build: { context: '..', dockerfile: 'deploy/Dockerfile', target: 'service' },
      read_only: true,
      cap_drop: ['ALL']
    })
  })
})

interface Deployment {
  readonly spec: { readonly template: { readonly spec: PodSpec } }
}

interface PodSpec {
  readonly securityContext: object
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
}

interface Container {
  readonly name: string
  readonly image: string
  readonly restartPolicy?: string
  readonly securityContext: Readonly<Record<string, unknown>>
}

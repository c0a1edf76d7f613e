/**
 * `npm run check:deploy`: the deployment checks that are not part of `npm test`, because they download or need tools
 * that npm does not have. Every step of the Dockerfile including its installation, the manifests and the rendered chart
 * against their schemas and without unknown fields, the systemd units with systemd itself, alerts and metrics with
 * promtool.
 *
 * A missing tool is named at the end, and the status is then 3: its check was not made.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SidecarMetrics, type MetricsFacts } from '../src/sensor/sidecar/metrics.ts'
import { freePort } from '../test/support/free-port.ts'
import { alertRulesPath } from './alert-rules.ts'
import { startContainer } from './check-deploy/container.ts'
import { buildImages } from './check-deploy/dockerfile.ts'
import { asSource, readManifests } from './check-deploy/manifests.ts'
import { root, tools } from './run.ts'

const deploy = join(root, 'deploy')
const folder = mkdtempSync(join(tmpdir(), 'sluice-deploy-'))
const absent: string[] = []

/** Gauges that prom-client creates for every Node.js program. Dashboards for Node.js use these names. */
const knownMisnomers = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

const sidecarFacts: MetricsFacts = {
  ...{ version: '0.0.0', state: 'fresh', ageMs: 1, heldBytes: 0 },
  events: { onDisk: 0, inMemory: 0, delivered: 0, lost: 0, rejected: 0 }
}

try {
  await checkImages()
  await checkManifests()
  checkUnits()
  checkAlerts()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const tool of absent) console.error(`NOT RUN: ${tool} is not on this machine.`)
if (absent.length > 0) process.exitCode = 3

async function checkImages(): Promise<void> {
  const images = buildImages({ folder: join(folder, 'images'), log: (step) => console.log(`image     ${step}`) })
  const service = images.get('service')
  if (service === undefined) throw new Error('The Dockerfile has no stage named service.')
  const port = await freePort()
  await using container = startContainer(service, { HOST: '127.0.0.1', PORT: String(port) })
  await container.healthy()
  checkMetrics('service', await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
  checkMetrics('sidecar', new SidecarMetrics().page(sidecarFacts))
  const code = await container.stop()
  if (code !== 0) throw new Error(`The service of the image ended with status ${code}.`)
  console.log('image     the service is healthy and ends at the signal')
}

async function checkManifests(): Promise<void> {
  const texts = new Map(
    readdirSync(join(deploy, 'kubernetes')).map((name) => [
      name,
      readFileSync(join(deploy, 'kubernetes', name), 'utf8')
    ])
  )
  const sets = [
    [],
    ['--set', 'podDisruptionBudget.enabled=false,networkPolicy.enabled=false,env.SERVICE_METRICS=false']
  ]
  for (const [index, set] of sets.entries()) {
    const chart = ['template', 'check', join(deploy, 'helm/sluice'), '--kube-version', '1.33', ...set]
    const rendered = output('helm', chart)
    if (rendered !== undefined) texts.set(`chart ${index}`, rendered)
  }
  if (texts.has('chart 0')) {
    output('helm', ['lint', '--strict', join(deploy, 'helm/sluice')])
    const refused = spawnSync('helm', ['template', 'check', join(deploy, 'helm/sluice'), '--set', 'replicas=0'])
    if (refused.status === 0) throw new Error('The chart takes no instance at all.')
  }
  const all = []
  for (const [name, text] of texts) {
    const manifests = await readManifests(text)
    console.log(`manifest  ${name}: ${manifests.map(({ kind }) => kind).join(', ')}`)
    all.push(...manifests)
  }
  checkFields(asSource(all))
}

/** The compiler knows every field of every kind. */
function checkFields(source: string): void {
  const project = join(folder, 'fields')
  mkdirSync(project)
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  writeFileSync(join(project, 'manifests.ts'), source)
  const words = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'esnext', '--types', '']
  const { status, stdout } = spawnSync(process.execPath, [tools.compile, ...words, 'manifests.ts'], {
    cwd: project,
    encoding: 'utf8'
  })
  if (status !== 0) throw new Error(`A field is not known:\n${stdout}`)
  console.log('manifest  no unknown field')
}

/** A unit contains the path of the installed command; it is replaced by this Node here. */
function checkUnits(): void {
  for (const name of readdirSync(join(deploy, 'systemd'))) {
    const unit = readFileSync(join(deploy, 'systemd', name), 'utf8')
    const file = join(folder, name)
    writeFileSync(file, unit.replace('/usr/local/bin/sluice', process.execPath))
    const verified = output('systemd-analyze', ['verify', '--man=no', file])
    if (verified === undefined) return
    if (verified.trim() !== '') throw new Error(`${name}: ${verified}`)
    const security = output('systemd-analyze', ['security', '--offline=yes', '--threshold=20', file]) ?? ''
    console.log(`unit      ${name}: ${/Overall exposure level.*: ([0-9.]+)/.exec(security)?.[1]} of 10 exposed`)
  }
}

/** Checks the rules with Prometheus itself. */
function checkAlerts(): void {
  const said = output('promtool', ['check', 'rules', join(root, alertRulesPath)])
  if (said !== undefined) console.log(`alerts    ${/SUCCESS: .*/.exec(said)?.[0]}`)
}

/** Checks the metrics with Prometheus itself. */
function checkMetrics(name: string, text: string): void {
  const ran = run('promtool', ['check', 'metrics'], text)
  if (ran === undefined) return
  const faults = ran.stderr
    .split('\n')
    .filter((line) => line !== '' && !knownMisnomers.includes(line.split(' ')[0] ?? ''))
  if (faults.length > 0) throw new Error(`Metrics of the ${name}:\n${faults.join('\n')}`)
  const families = text.match(/^# TYPE /gm)?.length
  console.log(`metrics   ${name}: ${families} families`)
}

/** @returns the output of a tool; undefined if it is not installed @throws Error if it fails */
function output(tool: string, words: readonly string[]): string | undefined {
  const ran = run(tool, words)
  if (ran === undefined) return undefined
  const { status, stdout, stderr } = ran
  if (status !== 0) throw new Error(`${tool} ${words[0]} failed:\n${stdout}${stderr}`)
  return stdout + (words[0] === 'verify' ? stderr : '')
}

/** @returns how a tool ended; undefined if it is not installed, which is reported at the end */
function run(tool: string, words: readonly string[], input = '') {
  const ran = spawnSync(tool, words, { encoding: 'utf8', input })
  if (ran.error === undefined || !('code' in ran.error) || ran.error.code !== 'ENOENT') return ran
  if (!absent.includes(tool)) absent.push(tool)
  return undefined
}

/**
 * Sluice between one client and the scripted model, with a home and a project folder for the client; optionally with a
 * sidecar.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { publishProfile } from '../../test/support/publish-profile.ts'
import { startTestService, type TestService } from '../../test/support/start-service.ts'
import { startTestSidecar } from '../../test/support/start-sidecar.ts'
import { startWireTap, type WireTap } from '../../test/support/wire-tap.ts'
import { run, type Command, type Outcome } from './child.ts'
import type { InteropClient, Place } from './client.ts'
import { startDeadEnd } from './dead-end.ts'
import { install, interopFolder } from './install.ts'
import { startModel, type ScriptedModel } from './model/model.ts'
import type { Api } from './model/turn.ts'

export interface Stage extends AsyncDisposable {
  readonly service: TestService
  readonly model: ScriptedModel
  readonly place: Place
  /** What an eavesdropper between the sidecar and the service could read; undefined without a sidecar. */
  readonly wire: WireTap | undefined
  /** Hosts other than Sluice that the client tried to reach. */
  readonly tried: ReadonlySet<string>
  /** Runs a command of the client to its end. */
  run(command: Command): Promise<Outcome>
  publish(profile: object): Promise<void>
}

/** A turn of a real agent takes seconds; one that waits for an answer that never comes is ended. */
const askMsMax = 60_000

/** Short, so that a stream of the scripted model lasts long enough to need a keep-alive. */
const keepAliveMs = 150

/** What a client connects to. */
interface Front {
  readonly base: string
  readonly wire?: WireTap
  /** Waits until a policy revision is enforced. */
  enforces(revision: string): Promise<void>
}

async function startSidecarFront(service: TestService, undo: AsyncDisposableStack): Promise<Front> {
  const wire = undo.use(await startWireTap(service.url))
  const env = { SERVICE_INGRESS_KEEP_ALIVE_MS: String(keepAliveMs) }
  const sidecar = undo.use(await startTestSidecar({ target: wire.url, token: service.token, env }))
  await sidecar.running.policy.ready()
  return {
    // As in the guides: the loopback address as a number, with or without `/v1` appended.
    base: `http://127.0.0.1:${sidecar.running.port}`,
    wire,
    enforces: (revision) => sidecar.enforces(Number.parseInt(revision, 10))
  }
}

/**
 * Installs the client if necessary, and configures it for one API.
 * @param options.sidecar whether a sidecar is between the client and the service
 */
export async function setStage(
  client: InteropClient,
  api: Api,
  options: { readonly sidecar: boolean } = { sidecar: false }
): Promise<Stage> {
  await using undo = new AsyncDisposableStack()
  const installed = await install(client.name)
  const folder = await mkdtemp(join(await interopFolder(), `run-${client.name}-`))
  undo.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  const model = undo.use(await startModel())
  const deadEnd = undo.use(await startDeadEnd())
  const env = { SERVICE_INGRESS_KEEP_ALIVE_MS: String(keepAliveMs) }
  const service = undo.use(await startTestService({ upstream: model, env }))
  const front: Front = options.sidecar
    ? await startSidecarFront(service, undo)
    : { base: `${service.url}/api/ingress`, enforces: async () => undefined }
  const place: Place = {
    api,
    base: front.base,
    token: service.token,
    home: join(folder, 'home'),
    project: join(folder, 'project'),
    installed
  }
  const temporary = join(folder, 'temporary')
  for (const path of [place.home, place.project, temporary]) await mkdir(path)
  const surroundings = {
    cwd: place.project,
    env: isolated(place, temporary, deadEnd.url),
    timeoutMs: askMsMax
  }
  const all = undo.move()
  const stage: Stage = {
    service,
    model,
    place,
    wire: front.wire,
    tried: deadEnd.tried,
    run: (command) => run(command, surroundings),
    publish: async (profile) => await front.enforces(await publishProfile(service, profile)),
    [Symbol.asyncDispose]: () => all.disposeAsync()
  }
  await client.configure?.(place)
  if (client.signIn) await stage.run(client.signIn(place))
  return stage
}

/** An environment that allows only loopback connections, with nothing of the machine's own in it. */
function isolated({ home, project }: Place, temporary: string, deadEnd: string): Record<string, string> {
  return {
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    PWD: project,
    TMPDIR: temporary,
    SHELL: '/bin/sh',
    TERM: 'dumb',
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
    HTTP_PROXY: deadEnd,
    HTTPS_PROXY: deadEnd,
    http_proxy: deadEnd,
    https_proxy: deadEnd,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost'
  }
}

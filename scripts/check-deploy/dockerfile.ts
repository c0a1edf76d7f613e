/**
 * Parses the stages of a Dockerfile and executes its steps in a folder, as far as possible without a container engine.
 */
import { spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DockerfileParser, type Copy, type From, type Instruction, type JSONInstruction } from 'dockerfile-ast'
import { root } from '../run.ts'

export interface Image {
  /** The folder that represents the file system. */
  readonly root: string
  readonly env: Record<string, string>
  user: string
  workdir: string
  entrypoint: readonly string[]
  command: readonly string[]
  health: readonly string[]
}

interface BuildOptions {
  /** Where the stages are. */
  readonly folder: string
  /**
   * Replaces a step; undefined if the step itself is to be executed. A test that may not download links the packages of
   * the checkout instead of installing them.
   */
  readonly instead?: (command: string, image: Image) => (() => void) | undefined
  readonly log: (step: string) => void
}

const path = join(root, 'deploy/Dockerfile')

/**
 * Executes every step in order: RUN by a shell in the stage's working directory, which represents the same folder in
 * the image. Base images are not available; what they contain is taken from this machine.
 * @returns the stages by name
 * @throws Error if a step fails, names something outside the build context, or is of an unknown type
 */
export function buildImages(options: BuildOptions): ReadonlyMap<string, Image> {
  const images = new Map<string, Image>()
  let image: Image | undefined
  for (const instruction of DockerfileParser.parse(readFileSync(path, 'utf8')).getInstructions()) {
    options.log(`${instruction.getKeyword()} ${instruction.getArgumentsContent() ?? ''}`)
    if (instruction.getKeyword() === 'FROM') image = begin(instruction as From, images, options)
    else if (image) carryOut(instruction, image, images, options)
    else throw new Error('A step stands before the first FROM.')
  }
  return images
}

function begin(from: From, images: Map<string, Image>, { folder }: BuildOptions): Image {
  const name = from.getBuildStage() ?? String(images.size)
  const base = images.get(from.getImage() ?? '')
  // A stage based on another one only adds settings, so they share their files.
  const image: Image = base
    ? { ...base, env: { ...base.env } }
    : { root: join(folder, name), env: {}, user: '', workdir: '/', entrypoint: [], command: [], health: [] }
  mkdirSync(image.root, { recursive: true })
  images.set(name, image)
  return image
}

function carryOut(
  instruction: Instruction,
  image: Image,
  images: ReadonlyMap<string, Image>,
  options: BuildOptions
): void {
  const content = instruction.getArgumentsContent() ?? ''
  switch (instruction.getKeyword()) {
    case 'WORKDIR':
      image.workdir = content
      mkdirSync(join(image.root, content), { recursive: true })
      return
    case 'ENV':
      for (const [, name = '', value = ''] of content.matchAll(/(\w+)=(\S+)/g)) image.env[name] = value
      return
    case 'COPY':
      return copy(instruction as Copy, image, images)
    case 'RUN':
      return run(content, image, options)
    case 'USER':
      image.user = content
      return
    case 'ENTRYPOINT':
      image.entrypoint = words(instruction)
      return
    case 'CMD':
      image.command = words(instruction)
      return
    case 'HEALTHCHECK':
      image.health = JSON.parse(content.slice(content.indexOf('['))) as string[]
      return
    case 'EXPOSE':
    case 'VOLUME':
    case 'STOPSIGNAL':
      return
    default:
      throw new Error(`${instruction.getKeyword()} is not known here.`)
  }
}

const words = (instruction: Instruction): string[] =>
  (instruction as JSONInstruction).getJSONStrings().map((word) => JSON.parse(word.getValue()) as string)

/** The build context: the ignore file beside the Dockerfile excludes everything and then lists exceptions. */
const given = readFileSync(`${path}.dockerignore`, 'utf8')
  .split('\n')
  .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
const isGiven = (place: string): boolean => given.some((one) => place === one || place.startsWith(`${one}/`))

function copy(instruction: Copy, image: Image, images: ReadonlyMap<string, Image>): void {
  const flags = new Map(instruction.getFlags().map((flag) => [flag.getName(), flag.getValue() ?? '']))
  const places = instruction.getArguments().map((argument) => argument.getValue())
  const to = places.pop() ?? ''
  const stage = flags.get('from')
  const from = stage === undefined ? root : images.get(stage)?.root
  if (from === undefined) throw new Error(`COPY names the stage ${stage}, which there is not.`)
  const target = join(image.root, to.startsWith('/') ? '' : image.workdir, to)
  for (const place of places) {
    const source = join(from, place)
    if (stage === undefined && !isGiven(place)) throw new Error(`The builder is not given ${place}.`)
    if (!existsSync(source)) throw new Error(`COPY names ${place}, which there is not.`)
    const isFolder = statSync(source).isDirectory()
    const goal = isFolder || !/[/.]$/.test(to) ? target : join(target, place.split('/').at(-1) as string)
    mkdirSync(dirname(goal), { recursive: true })
    cpSync(source, goal, { recursive: true, filter: (one) => !one.includes('/.git/') })
  }
  const [uid, gid] = (flags.get('chown') ?? '').split(':').map(Number)
  if (uid && gid && process.getuid?.() === 0) chownSync(target, uid, gid)
}

function run(command: string, image: Image, { instead, log }: BuildOptions): void {
  const other = instead?.(command, image)
  if (other) {
    log('  (stood in for)')
    return other()
  }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: join(image.root, image.workdir),
    // The settings of this machine's network come along, as an engine would hand them over.
    // A builder knows of no cache of compiled code but the one that the image is to carry.
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: undefined,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
      ...image.env
    },
    encoding: 'utf8'
  })
  if (status !== 0) throw new Error(`RUN ${command} ended with status ${status}.\n${stdout}${stderr}`)
}

/** Every file below a folder, with its size and modification time, to compare two points in time. */
export function listing(folder: string, except: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).startsWith(join(folder, except)))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const { size, mtimeMs } = statSync(file)
      return `${file} ${size} ${mtimeMs}`
    })
    .toSorted()
}

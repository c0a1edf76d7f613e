/** What must hold with a real client between a person and Sluice. Each check plays one scene with values of its own. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorMessage } from '../../src/protocol/error-catalogue.ts'
import { placeholdersIn } from '../../test/support/placeholder.ts'
import { createPlanter, type Planted, type PlantedKind } from '../../test/support/planted.ts'
import type { InteropClient } from './client.ts'
import { excerpt, flat, isAsked, leaks, missing, onMarker, unasked, unended, type Result, type Scene } from './scene.ts'
import type { Stage } from './stage.ts'

const preset = 'coding-agents'
/** The beginning of the sentence that a person should read; places and the request ID follow. */
export const blockHead = errorMessage('high_risk_content_blocked').split('.')[0] as string

/** Runs all checks for one API, one after another. */
export async function* playChecks(client: InteropClient, stage: Stage, seed: number): AsyncGenerator<Result> {
  const scene = { client, stage, plant: createPlanter(seed) }
  await stage.publish({ preset })
  yield* arrival(scene)
  yield await surface(scene)
  yield await toolLoop(scene)
  yield* cloudKey(scene)
  yield await keyStays(scene)
  yield await longSession(scene)
  yield* blocked(scene)
  await stage.publish({ preset, blockAs: 'refusal' })
  yield await refused(scene)
}

async function* arrival({ client, stage, plant }: Scene): AsyncGenerator<Result> {
  const phone = plant('phone')
  const marker = 'INTEROP-ARRIVAL'
  stage.model.follow(
    onMarker(marker, (_, said) => ({ text: `The number is ${placeholdersIn(said)[0] ?? 'missing'} as you wrote it.` }))
  )
  const outcome = await stage.run(client.ask(stage.place, `${marker}: tell me again, without tools: ${phone.sentence}`))
  yield {
    check: 'the call arrives, planted values do not',
    faults: [...unended(outcome), ...unasked(stage, marker, 1), ...leaks(stage, [phone])]
  }
  yield {
    check: 'the person reads the value again',
    faults: missing(outcome, `The number is ${phone.value} as you wrote it.`)
  }
}

/** Uses the calls that were made before it. */
async function surface({ client, stage }: Scene): Promise<Result> {
  const { token } = await stage.service.createToken({ scopes: ['audit:read'] })
  const address = `${stage.service.url}/api/events?kind=ingress_proxy&clientSurface=${client.surface}&limit=1`
  const reply = await fetch(address, { headers: { 'x-service-workspace-token': token } })
  const { events } = (await reply.json()) as { events: unknown[] }
  const faults = events.length === 1 ? [] : ['no event has this surface']
  return { check: `its calls are recorded as "${client.surface}"`, faults }
}

async function toolLoop({ client, stage, plant }: Scene): Promise<Result> {
  const [email, phone] = [plant('email'), plant('phone')]
  const marker = 'INTEROP-EDIT'
  const path = join(stage.place.project, 'contact.md')
  await writeFile(path, `# Contact\n\nMail: ${email.value}\nHer phone number: ${phone.value}\n`)
  stage.model.follow(
    onMarker(marker, (results) => {
      if (results.length === 0) return { calls: [client.read(path)] }
      const [mail = 'missing', number = 'missing'] = placeholdersIn(results[0] ?? '')
      if (results.length > 1) return { text: `I added the number to ${mail} for you.` }
      return { calls: [client.edit(path, `Mail: ${mail}`, `Mail: ${mail}, or call ${number}`)] }
    })
  )
  const outcome = await stage.run(
    client.ask(stage.place, `${marker}: add the phone number behind the address in ${path}`)
  )
  const wanted = `# Contact\n\nMail: ${email.value}, or call ${phone.value}\nHer phone number: ${phone.value}\n`
  const faults = [
    ...unended(outcome),
    ...unasked(stage, marker, 3),
    ...leaks(stage, [email, phone]),
    ...((await readFile(path, 'utf8')) === wanted ? [] : ['the file on disk is not what the person asked for']),
    ...missing(outcome, `I added the number to ${email.value}`)
  ]
  return { check: 'the tool loop ends with the right file on disk', faults }
}

async function* cloudKey({ client, stage, plant }: Scene): AsyncGenerator<Result> {
  const [key, email] = [plant('aws_access_key_id'), plant('email')]
  const marker = 'INTEROP-KEY'
  const paths = ['deploy.properties', 'owner.md'].map((name) => join(stage.place.project, name)) as [string, string]
  await writeFile(paths[0], `AWS_ACCESS_KEY_ID=${key.value}\nAWS_REGION=eu-central-1\n`)
  await writeFile(paths[1], `Owner: ${email.value}\n`)
  stage.model.follow(
    onMarker(marker, (results) => {
      const next = paths[results.length]
      return next === undefined ? { text: 'I have read both files.' } : { calls: [client.read(next)] }
    })
  )
  const outcome = await stage.run(client.ask(stage.place, `${marker}: read ${paths.join(' and ')}`))
  const results = stage.model.turns.at(-1)?.steps.filter(({ from }) => from === 'tool') ?? []
  yield {
    check: 'a file with a cloud key is masked and the session goes on',
    faults: [
      ...unended(outcome),
      ...unasked(stage, marker, 3),
      ...leaks(stage, [key, email]),
      ...(results.some(({ text }) => /AWS_\w*_[A-Z2-7]{10}/.test(text)) ? [] : ['no placeholder of the key']),
      ...missing(outcome, 'I have read both files.')
    ]
  }
  yield* followUp({ client, stage, plant }, [key, email], marker, 'the session is taken up again later')
}

const shopWords = 'Welcome to our shop in Berlin, open from nine to eighteen, with fresh bread and coffee. '.repeat(8)
const shopList = Array.from({ length: 40 }, (_, i) => `<li>item number ${i} of the list</li>`)
const shopHead = ['<html>', '<head>', '<title>Shop</title>', '</head>']

/**
 * Edits whose old text is in another file except for the key, as an injected instruction might send them: in the middle
 * of a block, of a long list, and at the end of a long line. A client that applied one of them would move the key.
 */
function* misfits(key: string): Generator<readonly [from: string, to: string], void, void> {
  const head = [...shopHead.slice(0, 2), `<title>${key}</title>`, ...shopHead.slice(3)].join('\n')
  yield [head, head.replace('<html>', '<html lang="de">')]
  const list = shopList.with(20, `${shopList[20]}${key}`).join('\n')
  yield [list, list.replace('number 3 ', 'number three ')]
  yield [`<p>${shopWords}${key}</p>`, `<p>Now: ${shopWords}${key}</p>`]
}

async function keyStays({ client, stage, plant }: Scene): Promise<Result> {
  const key = plant('github_token')
  const marker = 'INTEROP-MISFIT'
  const [secret, page] = ['token.properties', 'page.html'].map((name) => join(stage.place.project, name)) as [
    string,
    string
  ]
  await writeFile(secret, `GITHUB_TOKEN=${key.value}\n`)
  await writeFile(page, [...shopHead, ...shopList, `<p>${shopWords}</p>`, '</html>', ''].join('\n'))
  stage.model.follow(
    onMarker(marker, (results) => {
      if (results.length < 2) return { calls: [client.read(results.length === 0 ? secret : page)] }
      const misfit = [...misfits(placeholdersIn(results[0] ?? '')[0] ?? 'missing')][results.length - 2]
      return misfit ? { calls: [client.edit(page, ...misfit)] } : { text: 'I have tried all edits.' }
    })
  )
  const outcome = await stage.run(client.ask(stage.place, `${marker}: read ${secret}, then edit ${page}`))
  const faults = [
    ...unended(outcome),
    ...unasked(stage, marker, 6),
    ...leaks(stage, [key]),
    ...((await readFile(page, 'utf8')).includes(key.needle) ? ['the key was written into another file'] : [])
  ]
  return { check: 'an edit that nearly fits carries no key into another file', faults }
}

/** Turns in which the model requests two files at once. */
const pairs: ReadonlySet<number> = new Set([4, 11, 18])
const filesOfSession = 27

/** How many files have been read when each turn begins: each turn reads one or two more. */
function beginnings(): number[] {
  const starts: number[] = []
  for (let at = 0; at < filesOfSession; at += pairs.has(starts.length - 1) ? 2 : 1) starts.push(at)
  return starts
}

const sessionKinds = [
  ...['email', 'github_token', 'phone', 'jwt', 'stripe_test_key', 'openai_key', 'us_ssn', 'anthropic_key']
] as readonly PlantedKind[]

/** More than twenty turns, each with the whole history; every file contains a value of its own. */
async function longSession({ client, stage, plant }: Scene): Promise<Result> {
  const marker = 'INTEROP-LONG'
  const planted = Array.from({ length: filesOfSession }, (_, i) =>
    plant(sessionKinds[i % sessionKinds.length] ?? 'email')
  )
  const paths = planted.map((_, i) => join(stage.place.project, `page-${String(i).padStart(2, '0')}.md`))
  for (const [i, { sentence }] of planted.entries())
    await writeFile(paths[i] as string, `# Page ${i}\n\n${sentence}\n\n${shopWords}\n`)
  const starts = beginnings()
  stage.model.follow(
    onMarker(marker, (results) => {
      const turn = starts.indexOf(results.length)
      const [first, ...more] = paths.slice(results.length, starts[turn + 1])
      if (first !== undefined) return { calls: [client.read(first), ...more.map((path) => client.read(path))] }
      return { text: `All is read, and ${placeholdersIn(results[0] ?? '')[0] ?? 'missing'} comes first.` }
    })
  )
  const outcome = await stage.run(client.ask(stage.place, `${marker}: read all pages in ${stage.place.project}`))
  const faults = [
    ...unended(outcome),
    ...unasked(stage, marker, starts.length),
    ...leaks(stage, planted),
    ...missing(outcome, `All is read, and ${planted[0]?.value} comes first.`)
  ]
  return {
    check: `a session of ${starts.length} turns, some with two calls at once, leaks nothing and ends well`,
    faults
  }
}

const blockMarker = 'INTEROP-BLOCK'

async function* blocked(scene: Scene): AsyncGenerator<Result> {
  const { client } = scene
  const key = scene.plant('aws_access_key_id')
  yield await askForbidden(scene, key, 'a blocked call', client.hidesErrors === true)
  yield* followUp(scene, [key], '', 'the session goes on after a block')
}

function refused(scene: Scene): Promise<Result> {
  const { client, stage } = scene
  const isHidden = client.hidesRefusals?.(stage.place.api) === true
  return askForbidden(scene, scene.plant('aws_access_key_id'), 'a block answered as a refusal', isHidden)
}

/** @param isHidden whether the client is known to show a text of its own, which the guides then mention */
async function askForbidden(scene: Scene, key: Planted, what: string, isHidden: boolean): Promise<Result> {
  const { client, stage } = scene
  stage.model.follow(onMarker(blockMarker, () => ({ text: 'This must not be asked.' })))
  const outcome = await stage.run(client.ask(stage.place, `${blockMarker}: deploy with the access key ${key.value}`))
  const shown = flat(outcome)
  const isShown = shown.includes(blockHead) && shown.includes('Request ID')
  const surprise = isHidden ? 'our sentence is shown now: mend the guide' : `no sentence in: ${excerpt(outcome)}`
  return {
    check: `${what} stays here and ${isHidden ? 'shows a text of the client' : 'shows our sentence'}`,
    faults: [
      ...leaks(stage, [key]),
      ...(isAsked(stage, blockMarker) ? ['the model was asked'] : []),
      ...(isShown === isHidden ? [surprise] : [])
    ]
  }
}

/**
 * Sends another prompt in the last session. Its history contains the word `earlier`, and `planted` if the client kept
 * it: some drop a prompt that was refused.
 */
async function* followUp(
  { client, stage }: Scene,
  planted: readonly Planted[],
  earlier: string,
  check: string
): AsyncGenerator<Result> {
  if (client.askAgain === undefined) return
  const marker = 'INTEROP-AGAIN'
  stage.model.follow(onMarker(marker, () => ({ text: 'The session goes on.' })))
  const outcome = await stage.run(client.askAgain(stage.place, `${marker}: what comes next?`))
  const isSentAgain = stage.model.turns.some(({ steps }) => steps.some(({ text }) => text.includes(earlier)))
  const faults = [
    ...unended(outcome),
    ...unasked(stage, marker, 1),
    ...leaks(stage, planted),
    ...(isSentAgain ? [] : ['the history was not sent again']),
    ...missing(outcome, 'The session goes on.')
  ]
  yield { check, faults }
}

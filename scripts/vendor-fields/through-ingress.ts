/**
 * Sends a secret and personal data at the places of the vendors' bodies through a real service to an upstream that
 * records them.
 */
import { placeholdersIn } from '../../test/support/placeholder.ts'
import { call } from '../../test/support/http.ts'
import { createPlanter } from '../../test/support/planted.ts'
import { publishProfile } from '../../test/support/publish-profile.ts'
import { startTestService } from '../../test/support/start-service.ts'
import { startStubUpstream } from '../../test/support/stub-upstream.ts'
import { answers } from '../../test/support/upstream-behaviours.ts'
import { bodyFields, type BodyField } from './fields.ts'
import { fold } from './fold.ts'
import { forms, textsOf } from './forms.ts'
import { judge } from './judgement.ts'

interface FieldsReport {
  /** Places tried, across all routes, and requests made. */
  readonly places: number
  readonly requests: number
  /** Faults, by route and place. */
  readonly faults: readonly string[]
}

/** With `short`, one place per block, route and judgement; otherwise all. */
function chosen(short: boolean): readonly BodyField[] {
  const texts = bodyFields().filter(({ kind }) => kind !== 'word')
  if (!short) return texts
  const keyOf = (field: BodyField): string => {
    const { block, field: name } = fold(field.path)
    return [field.route, block, name, judge(field)?.scope].join(' ')
  }
  return [...new Map(texts.map((field) => [keyOf(field), field])).values()]
}

/** One body: a place with the text in it, written in one form. */
interface Trial {
  readonly field: BodyField
  readonly name: string
  readonly body: string
  /** Whether the form repeats a member, which may be refused. */
  readonly isDoubled: boolean
}

function trialsOf(text: string, short: boolean): Trial[] {
  return chosen(short).flatMap((field) =>
    forms.slice(0, short ? 1 : undefined).map(({ name, isDoubled, write }) => ({
      field,
      name: `${field.route} ${field.path}, ${name}`,
      body: write(field.value(text), text),
      isDoubled
    }))
  )
}

/** Concurrent calls. */
const atOnce = 32

function* together(trials: readonly Trial[]): Generator<readonly Trial[]> {
  for (let i = 0; i < trials.length; i += atOnce) yield trials.slice(i, i + atOnce)
}

/** The body with its values restored, in the order of their placeholders. */
const unmasked = (body: string, values: readonly string[]): string =>
  placeholdersIn(body).reduce((all, placeholder, i) => all.replace(placeholder, values[i] ?? placeholder), body)

/** @param short one place for each field of each block, in one form, instead of every place of the block */
export async function sendFields({ short }: { readonly short: boolean }): Promise<FieldsReport> {
  await using stub = await startStubUpstream(answers())
  await using service = await startTestService({ upstream: stub })
  const planter = createPlanter(122)
  const [secret, email] = [planter('openai_key'), planter('email')]
  const trials = trialsOf(`${secret.sentence} ${email.sentence}`, short)
  const faults: string[] = []

  /** Sends several bodies concurrently. */
  async function send(some: readonly Trial[]) {
    stub.forget()
    const headers = { 'content-type': 'application/json', 'x-service-workspace-token': service.token }
    const replies = some.map(({ field, body }) =>
      call(service.sdkBaseUrl + field.route.slice('/v1'.length), { headers, body })
    )
    const statuses = (await Promise.all(replies)).map(({ status }) => status)
    return { statuses, arrived: stub.received.map((one) => one.body.toString('utf8')) }
  }

  await publishProfile(service, { blockHighRisk: false })
  for (const some of together(trials)) {
    const { statuses, arrived } = await send(some)
    // A received body is identified by its original text.
    const known = new Map(arrived.map((masked) => [textsOf(unmasked(masked, [secret.value, email.value])), masked]))
    some.forEach(({ field, name, body, isDoubled }, i) => {
      if (isDoubled && statuses[i] === 400) return
      const masked = known.get(textsOf(body))
      const isThere = masked !== undefined && textsOf(masked).includes(email.needle)
      if (statuses[i] !== 200) faults.push(`${name}: was answered ${statuses[i]}`)
      if (masked === undefined) faults.push(`${name}: did not arrive as it was but for what is masked`)
      if (isThere !== (judge(field)?.scope === 'watched'))
        faults.push(`${name}: the address ${isThere ? 'arrived' : 'was masked'}`)
    })
    if (arrived.some((masked) => textsOf(masked).includes(secret.needle)))
      faults.push(`${some[0]?.name} and on: the secret arrived`)
  }
  await publishProfile(service, {})
  for (const some of together(trials)) {
    const { statuses, arrived } = await send(some)
    const passed = some.filter(({ isDoubled }, i) => statuses[i] !== 403 && !(isDoubled && statuses[i] === 400))
    faults.push(...passed.map(({ name }) => `${name}: was not refused`))
    if (arrived.length > 0) faults.push(`${some[0]?.name} and on: ${arrived.length} arrived`)
  }
  return { places: new Set(trials.map(({ field }) => field)).size, requests: 2 * trials.length, faults }
}

/** Sends a secret and personal data at the places of the vendors' bodies through a real service to an upstream that records. */
import { placeholdersIn } from '../../test/support/placeholder.ts'
import { call } from '../../test/support/http.ts'
import { createPlanter } from '../../test/support/planted.ts'
import { publishProfile } from '../../test/support/publish-profile.ts'
import { startTestService } from '../../test/support/start-service.ts'
import { startStubUpstream } from '../../test/support/stub-upstream.ts'
import { answers } from '../../test/support/upstream-behaviours.ts'
import { bodyFields, type BodyField } from './fields.ts'
import { fold } from './fold.ts'
import { judge } from './judgement.ts'

export interface FieldsReport {
  /** Places that were tried, over all routes, and requests that were made. */
  readonly places: number
  readonly requests: number
  /** What was not as it should be, by route and place. */
  readonly faults: readonly string[]
}

/** Of each block one place a route and a judgement; else all. */
function chosen(short: boolean): readonly BodyField[] {
  const texts = bodyFields().filter(({ kind }) => kind !== 'word')
  if (!short) return texts
  const keyOf = (field: BodyField): string => {
    const { block, field: name } = fold(field.path)
    return [field.route, block, name, judge(field)?.scope].join(' ')
  }
  return [...new Map(texts.map((field) => [keyOf(field), field])).values()]
}

/** Calls that are under way at once. */
const atOnce = 32

function* together(fields: readonly BodyField[]): Generator<readonly BodyField[]> {
  for (let i = 0; i < fields.length; i += atOnce) yield fields.slice(i, i + atOnce)
}

/** The body with the values back in it, in the order in which their placeholders stand. */
const unmasked = (body: string, values: readonly string[]): string =>
  placeholdersIn(body).reduce((all, placeholder, i) => all.replace(placeholder, values[i] ?? placeholder), body)

/** @param short one place for each field of each block instead of all the places where the block may stand */
export async function sendFields({ short }: { readonly short: boolean }): Promise<FieldsReport> {
  await using stub = await startStubUpstream(answers())
  await using service = await startTestService({ upstream: stub })
  const planter = createPlanter(122)
  const [secret, email] = [planter('openai_key'), planter('email')]
  const text = `${secret.sentence} ${email.sentence}`
  const fields = chosen(short)
  const faults: string[] = []

  const bodyOf = (field: BodyField): string => JSON.stringify(field.value(text))
  /** Sends the bodies of some places together. */
  async function send(some: readonly BodyField[]) {
    stub.forget()
    const headers = { 'content-type': 'application/json', 'x-service-workspace-token': service.token }
    const replies = some.map((field) =>
      call(service.sdkBaseUrl + field.route.slice('/v1'.length), { headers, body: bodyOf(field) })
    )
    const statuses = (await Promise.all(replies)).map(({ status }) => status)
    return { statuses, arrived: stub.received.map((one) => one.body.toString('utf8')) }
  }

  await publishProfile(service, { blockHighRisk: false })
  for (const some of together(fields)) {
    const { statuses, arrived } = await send(some)
    // What arrived is known by what it was before it was masked.
    const byBody = new Map(arrived.map((masked) => [unmasked(masked, [secret.value, email.value]), masked]))
    some.forEach((field, i) => {
      const masked = byBody.get(bodyOf(field))
      const isThere = masked?.includes(email.needle) === true
      const found = [
        ...(statuses[i] === 200 ? [] : [`was answered ${statuses[i]}`]),
        ...(masked === undefined ? ['did not arrive as it was but for what is masked'] : []),
        ...(isThere === (judge(field)?.scope === 'watched')
          ? []
          : [`the address ${isThere ? 'arrived' : 'was masked'}`])
      ]
      faults.push(...found.map((fault) => `${field.route} ${field.path}: ${fault}`))
    })
    if (arrived.some((masked) => masked.includes(secret.needle)))
      faults.push(`${some[0]?.path} and on: the secret arrived`)
  }
  await publishProfile(service, {})
  for (const some of together(fields)) {
    const { statuses, arrived } = await send(some)
    const passed = some.filter((_, i) => statuses[i] !== 403)
    faults.push(...passed.map(({ route, path }) => `${route} ${path}: was not refused`))
    if (arrived.length > 0) faults.push(`${some[0]?.path} and on: ${arrived.length} arrived`)
  }
  return { places: fields.length, requests: 2 * fields.length, faults }
}

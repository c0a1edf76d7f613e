/**
 * The forms in which events arrive: one object, an array, `{"events": [...]}`, or one object per line. The result is
 * always a list of candidates, each validated separately afterwards.
 */
import { isUtf8 } from '../charset.ts'
import { findContentKey } from './content-keys.ts'
import { errorMessage } from '../error-catalogue.ts'
import type { Fault } from '../problem.ts'

/** The value of a line or an item; a line that is not JSON is a fault of its own and of no other line. */
export type Candidate = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: Fault }

/** Candidates in order, a fault of the whole body, or too many candidates. */
export type EventBatch =
  | {
      readonly ok: true
      readonly candidates: readonly Candidate[]
      /** JSON pointer of the list that holds the events; absent for a single event, which is the body itself. */
      readonly base?: string
    }
  | { readonly ok: false; readonly fault: Fault }
  | { readonly ok: false; readonly tooMany: true }

type EventFormat = 'json' | 'lines'

/**
 * The form that a content type announces.
 * @returns undefined for one that this endpoint does not accept
 */
export function eventFormat(contentType: string): EventFormat | undefined {
  if (!isUtf8(contentType)) return undefined
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (/^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)$/.test(type)) return 'lines'
  return /^application\/(?:[\w.-]+\+)?json$/.test(type) ? 'json' : undefined
}

/**
 * Splits a body into events.
 * @param text the body as text
 * @param countMax most events in it
 */
export function readEventBatch(text: string, format: EventFormat, countMax: number): EventBatch {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  return format === 'lines' ? readLines(body, countMax) : readDocument(body, countMax)
}

function readLines(text: string, countMax: number): EventBatch {
  const candidates: Candidate[] = []
  let number = 0
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 ? text.length : feed
    // Empty lines are cheap to skip, and a body may be full of them.
    const line = end === start ? '' : text.slice(start, end).trim()
    start = end + 1
    number++
    if (line === '') continue
    if (candidates.length === countMax) return { ok: false, tooMany: true }
    candidates.push(readLine(line, number))
  }
  if (candidates.length === 0) return refuse('', 'The body holds no event.')
  return { ok: true, base: '', candidates }
}

function readLine(line: string, number: number): Candidate {
  try {
    return { ok: true, value: JSON.parse(line) as unknown }
  } catch {
    return { ok: false, fault: { path: '', code: 'invalid_json', message: `Line ${number} is not valid JSON.` } }
  }
}

function readDocument(text: string, countMax: number): EventBatch {
  let body: unknown
  try {
    body = JSON.parse(text) as unknown
  } catch {
    return { ok: false, fault: { path: '', code: 'invalid_json', message: errorMessage('invalid_json') } }
  }
  if (Array.isArray(body)) return listOf(body, '', countMax)
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'events')) {
    return { ok: true, candidates: [{ ok: true, value: body }] }
  }
  const { events, ...rest } = body as { readonly events: unknown }
  if (!Array.isArray(events)) return refuse('/events', '/events must be an array of events.')
  if (findContentKey(rest).found) {
    return {
      ok: false,
      fault: { path: '', code: 'content_not_accepted', message: errorMessage('content_not_accepted') }
    }
  }
  // A field beside the list is most likely meant for its events; dropping it silently would lose it for all of them.
  if (Object.keys(rest).length > 0) return refuse('', 'A body with events has no other field beside it.')
  return listOf(events, '/events', countMax)
}

function listOf(events: readonly unknown[], base: string, countMax: number): EventBatch {
  if (events.length === 0) return refuse(base, 'The body holds no event.')
  if (events.length > countMax) return { ok: false, tooMany: true }
  return { ok: true, base, candidates: events.map((value) => ({ ok: true, value })) }
}

function refuse(path: string, message: string): EventBatch {
  return { ok: false, fault: { path, code: 'invalid_body', message } }
}

/**
 * Every refusal of the service: its code, its status, and its one public sentence. The cause of a failure goes to the
 * log; only what is in this table, filled with values of our own, is sent.
 */

export interface CatalogueEntry {
  readonly status: number
  /** Whether the same request may succeed later. If not, the answer carries `x-should-retry: false`. */
  readonly retryable: boolean
  /** Seconds for `Retry-After`. */
  readonly retryAfterS?: number
  /**
   * Full sentences. `[: more than {max}]` is filled in if there is a value, and otherwise omitted. Only numbers, names
   * from our own tables, and places such as `messages[12]` are filled in, never text of a client or an upstream.
   */
  readonly message: string
  /** What the reader can do about it, for the documentation. */
  readonly remedy: string
}

const final = (status: number, message: string, remedy: string) =>
  ({ status, retryable: false, message, remedy }) as const

const passing = (status: number, retryAfterS: number, message: string, remedy: string) =>
  ({ status, retryable: true, retryAfterS, message, remedy }) as const

export const errorCatalogue = {
  invalid_json: final(400, 'The body is not valid JSON[ (byte {offset})].', 'Send a JSON body as RFC 8259 defines it.'),
  invalid_body: final(
    400,
    'The body does not have the form that this endpoint expects.',
    'See `errors` for each place and its rule.'
  ),
  invalid_value: final(400, 'A value is not valid.', 'See `errors` for each place and its rule.'),
  missing_field: final(400, 'A required field is missing.', 'Send the field that the message names.'),
  invalid_type: final(400, 'A value has the wrong JSON type.', 'Send the type that the message names.'),
  duplicate_key: final(
    400,
    'An object of the body has a key[, {key},] more than once.',
    'Send each key once. Two parsers could read such a body differently, so it is not forwarded.'
  ),
  too_deep: final(
    400,
    'The body is nested too deeply[: more than {max} levels].',
    'Flatten it, or raise `SERVICE_INGRESS_DEPTH_MAX`.'
  ),
  too_many_values: final(
    400,
    'The body has too many JSON values[: more than {max}].',
    'Split the request. For model calls, you can raise `SERVICE_INGRESS_VALUES_MAX`.'
  ),
  invalid_utf8: final(400, 'The body is not valid UTF-8.', 'Encode the body as UTF-8.'),
  invalid_encoding: final(
    400,
    'The body cannot be decompressed as its content-encoding says.',
    'Make the `content-encoding` header match the body, or send the body uncompressed and without the header.'
  ),
  invalid_header: final(
    400,
    'A header[, {name},] is not valid[: {rule}].',
    'Correct the header that the message names.'
  ),
  invalid_http: final(
    400,
    'The request is not valid HTTP/1.1.',
    'Use plain HTTP/1.1 on this port, or TLS if it has a certificate.'
  ),
  headers_too_large: final(
    431,
    'The headers and the URL together are longer than 64 KiB.',
    'Send fewer or shorter headers; text belongs in the body.'
  ),
  model_id_too_long: final(
    400,
    'The model ID is longer than 80 characters.',
    'Shorten `x-service-model-id` or `modelId`. The `model` of a request body has no such limit.'
  ),
  content_not_accepted: final(
    400,
    'The event has a field that could hold message text. Events carry metadata only.',
    'Remove the field; see `errors` for its place. Put counts and kinds into `entitiesMasked` and `entityCounts`.'
  ),
  reserved_kind: final(400, 'Only the service writes events of this kind.', 'Use a kind of your own.'),
  missing_token: final(
    401,
    'The request carries no workspace token.',
    'Send a token that begins with `svw_` in `x-service-workspace-token`, or as the API key of an SDK.'
  ),
  invalid_token: final(
    401,
    'The workspace token is not valid.',
    'Check for a typing error or a truncated token; a token has 50 characters. Otherwise ask for a new one.'
  ),
  expired_token: final(401, 'The workspace token has expired.', 'Ask for a new token.'),
  revoked_token: final(401, 'The workspace token has been revoked.', 'Ask for a new token.'),
  token_conflict: final(
    401,
    'The request carries two different workspace tokens.',
    'Send one token, or the same one in each header.'
  ),
  missing_scope: final(
    403,
    'The workspace token lacks a scope that this request needs[: {scope}].',
    'Use a token that has the scope.'
  ),
  session_over: final(401, 'The session has ended.', 'Sign in again.'),
  sign_in_refused: final(
    401,
    'The name or the password is wrong, or the user may not sign in.',
    'Check for a typing error. An admin, or `sluice admin reset`, can make a link to set a new password.'
  ),
  local_sign_in_off: final(403, 'Password sign-in is turned off.', 'Sign in with the identity provider.'),
  missing_permission: final(
    403,
    'Your role does not allow this[: it needs {permission}].',
    'Ask an admin for a role that has the permission.'
  ),
  cross_site_refused: final(
    403,
    'The request comes from a page of another site, or from an address that the service does not know as its own: an operator must set SERVICE_PUBLIC_URL to the address that people use.',
    'Open the dashboard at its own address. Behind a proxy, set `SERVICE_PUBLIC_URL` to the address that people use.'
  ),
  csrf_refused: final(
    403,
    'The request does not carry the CSRF token of its session.',
    'Send the `csrfToken` from `GET /api/session` in `x-csrf-token`.'
  ),
  host_not_allowed: final(
    403,
    'The Host header of the request is not one that this sidecar accepts.',
    'Use `http://localhost:<port>/v1`, or add the name to `SERVICE_SIDECAR_HOSTS`.'
  ),
  browser_not_allowed: final(
    403,
    'The request comes from a web page, and a sidecar serves no web pages.',
    'Call the sidecar from a program. A page could use the token of anyone who opens it.'
  ),
  high_risk_content_blocked: final(
    403,
    'The request was not forwarded, because of what it contains[: {findings}]. Remove it and send the request again.[ Request ID {requestId}.]',
    'Remove the value from the place that the message names. If it was a false alarm, open the request ID in the dashboard and choose *False alarm*. For agents that resend their history, publish the preset `coding-agents`: it masks there instead of blocking. A policy can also mask or allow a kind, and `SERVICE_INGRESS_BLOCK_HIGH_RISK=false` masks everywhere.'
  ),
  not_found: final(
    404,
    'There is nothing at this address[: this workspace has no such {what}].',
    'Check the path. The base URL for SDKs ends with `/api/ingress/v1`.'
  ),
  name_taken: final(409, 'A user with this name already exists.', 'Choose another name.'),
  last_admin: final(
    409,
    'This is the last admin of the workspace; nobody would be left to manage users.',
    'Make somebody else an admin first.'
  ),
  link_over: final(
    410,
    'The link was used, has expired, or was replaced by a newer one.',
    'Ask an admin for a new one. For the first user, run `sluice admin setup-link`.'
  ),
  method_not_allowed: final(
    405,
    'This address does not support this method[, {method}].',
    'Use a method listed in the `allow` header.'
  ),
  websocket_not_served: final(
    426,
    'This address takes plain HTTP requests and answers with server-sent events; WebSockets are not supported.',
    'Send the same call as an HTTP POST.'
  ),
  upload_timeout: passing(
    408,
    1,
    'The request was not received in time.',
    'Send it again, or raise `SERVICE_INGRESS_UPLOAD_TIMEOUT_MS` for slow connections.'
  ),
  body_too_large: final(
    413,
    'The body is too large[: more than {max} bytes].',
    'Send less, or raise `SERVICE_INGRESS_BODY_BYTES_MAX` or `SERVICE_EVENTS_BODY_BYTES_MAX`.'
  ),
  inflated_too_large: final(
    413,
    'The decompressed body is too large[: more than {max} bytes].',
    'Send less, or raise `SERVICE_INGRESS_INFLATED_BYTES_MAX` or `SERVICE_EVENTS_INFLATED_BYTES_MAX`.'
  ),
  too_many_events: final(
    413,
    'The body has too many events[: more than {max}].',
    'Send them in several requests, or raise `SERVICE_EVENTS_BATCH_MAX`.'
  ),
  audit_too_large: final(
    413,
    'The audit has too many rows to be verified over HTTP[: more than {max}].',
    'Operator: run `sluice audit verify`.'
  ),
  unsupported_encoding: final(
    415,
    'The content-encoding of the body is not one of gzip, deflate, br, zstd, identity.',
    'Use one of those encodings, or none.'
  ),
  unsupported_media_type: final(
    415,
    'This endpoint does not accept the content-type of the body, or the charset that it names.',
    'Send `application/json` in UTF-8; `POST /api/events` also takes `application/x-ndjson`.'
  ),
  rate_limited: passing(
    429,
    1,
    'The workspace token sends too many events[: more than {max} per second].',
    'Wait as long as `retry-after` says, send larger batches less often, or raise `SERVICE_EVENTS_PER_SECOND_MAX`.'
  ),
  policy_conflict: final(
    412,
    'Somebody else has published a policy since the revision that `if-match` names.',
    'Read the current policy, apply your change to it, and publish again with its `etag`.'
  ),
  policy_refused: final(
    422,
    'The policy cannot be published as it is.',
    'See `errors` for each place and its rule. To publish a policy that locks you out anyway, send `"confirm": true`.'
  ),
  precondition_required: final(
    428,
    'The request does not say which revision it is based on.',
    'Send `if-match` with the `etag` of the policy that you started from, or `*` to replace whatever is in force.'
  ),
  too_many_attempts: passing(429, 60, 'There were too many sign-in attempts.', 'Wait as long as `retry-after` says.'),
  too_many_streams: passing(
    429,
    5,
    'The workspace token has too many open streams.',
    'Close streams that nobody reads, or use a separate token for each group of sensors.'
  ),
  too_many_judgements: passing(
    429,
    1,
    'The workspace token has too many policy drafts being judged at once.',
    'Wait for an answer before you send the next draft.'
  ),
  internal_error: {
    status: 500,
    retryable: true,
    message: 'The service failed on this request.[ Request ID {requestId}.]',
    remedy: 'Operator: search the log of the service for the request ID.'
  },
  upstream_credentials: final(
    502,
    "The upstream rejected the service's API key.",
    'Operator: check `UPSTREAM_CHAT_API_KEY` or `UPSTREAM_MESSAGES_API_KEY`.'
  ),
  upstream_unreachable: passing(
    502,
    1,
    'The upstream cannot be reached.',
    'Operator: check the base address of the upstream, the network, and the proxy if one is set.'
  ),
  upstream_untrusted: final(
    502,
    'The certificate of the upstream is not trusted.',
    'Operator: for a private gateway or a proxy that inspects TLS, set `NODE_EXTRA_CA_CERTS` to a PEM file with the certificate of its authority.'
  ),
  upstream_failed: passing(
    502,
    1,
    'The upstream broke off, or sent an answer that cannot be passed on.',
    'Send the request again. Operator: if it happens each time, check the base address of the upstream, the network, and the proxy if one is set.'
  ),
  upstream_not_configured: {
    status: 503,
    retryable: false,
    retryAfterS: 60,
    message: 'The upstream of this route is not configured.',
    remedy: 'Operator: set `UPSTREAM_CHAT_API_KEY` or `UPSTREAM_MESSAGES_API_KEY`.'
  },
  overloaded: passing(503, 1, 'The service is overloaded.', 'Wait as long as `retry-after` says.'),
  draining: passing(
    503,
    2,
    'The service is stopping and accepts no new requests.',
    'Send the request again; another instance takes it.'
  ),
  store_unavailable: passing(
    503,
    2,
    "The service's database does not respond.",
    'Operator: check the disk and the data directory, or the database of `DATABASE_URL`.'
  ),
  policy_unavailable: passing(
    503,
    5,
    'The sidecar has no policy that it may enforce, so it forwards nothing.',
    'Operator: run `sluice sidecar --check`; it says whether the service is reachable and accepts the token.'
  ),
  policy_unreadable: passing(
    503,
    30,
    "The workspace's policy was published by a newer version of Sluice, and this version cannot read it.",
    'Operator: run the same version on all instances, or roll the policy back.'
  ),
  store_full: passing(
    503,
    60,
    "The service's database has reached its size cap and accepts no more events.",
    'Operator: raise `SERVICE_STORE_BYTES_MAX` or shorten the retention. Sensors keep their events and send them again.'
  ),
  not_a_proxy: final(
    421,
    'This address is not an HTTP proxy, and nothing was forwarded.',
    'Remove the address from `HTTP_PROXY` and `HTTPS_PROXY`, and set the base URL of the client instead.'
  ),
  loop_detected: final(
    508,
    'The request comes from a sidecar, and this is also a sidecar.',
    'Operator: set `SERVICE_INGRESS_TARGET` to the address of the service.'
  ),
  audit_unavailable: passing(
    503,
    2,
    'The request was not forwarded, because the decision about it could not be written to the audit.',
    'Operator: check the disk and the database. Without `SERVICE_AUDIT_MODE=strict`, calls do not wait for the audit.'
  ),
  upstream_timeout: passing(
    504,
    1,
    'The upstream did not answer in time.',
    'Send the request again, or raise `UPSTREAM_HEADERS_TIMEOUT_MS` or `UPSTREAM_IDLE_TIMEOUT_MS`.'
  )
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof errorCatalogue

/** The catalogue's entry for a code. */
export function errorEntry(code: ErrorCode): CatalogueEntry {
  return errorCatalogue[code]
}

/** Whether a text is a code of the catalogue. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code)
}

/**
 * The public sentence of a code.
 * @param details values for the `{name}` places; a bracketed part without its value is omitted
 */
export function errorMessage(code: ErrorCode, details: Readonly<Record<string, string | number>> = {}): string {
  return errorEntry(code).message.replaceAll(/\[([^[\]{}]*)\{(\w+)\}([^[\]{}]*)\]/g, (_, before, name, after) => {
    const value = details[name as string]
    return value === undefined ? '' : `${before}${value}${after}`
  })
}

/** Headers that tell a client whether and when to retry. */
export function retryHeaders(code: ErrorCode): Record<string, string> {
  const { retryable, retryAfterS } = errorEntry(code)
  return {
    ...(retryable ? {} : { 'x-should-retry': 'false' }),
    ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) })
  }
}

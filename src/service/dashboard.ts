/**
 * The pages of the dashboard: built files under a content security policy that lets nothing else run. Every page is the
 * same document, with a fresh nonce for its styles; its contents come from the API.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Where the files are: beside the bundle in the package and the image, in the build's output folder in a checkout. */
const dashboardFolder =
  ['../dashboard', '../../dashboard/dist']
    .map((place) => join(import.meta.dirname, place))
    .find((folder) => existsSync(join(folder, 'index.html'))) ?? join(import.meta.dirname, '../../dashboard/dist')

/** Placeholder for the nonce in index.html, written by the build. */
const noncePlaceholder = 'SLUICE_CSP_NONCE'
const nonceBytes = 16
/** Files beside the document: the icon, and whatever a browser requests under a fixed name. */
const rootFile = /^\/([\w-]+\.(?:svg|png|ico|txt|webmanifest))$/
const yearS = 31_536_000
const fileMs = 3_600_000

/**
 * Headers of API answers: a browser runs nothing in them and cannot frame them. No cache keeps them unless their route
 * says otherwise, not even a proxy's, to which an answer to a request with a cookie is like any other (RFC 9111, 3.5).
 */
export const apiHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
}

const pageHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'
}

const contentPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'"
  ].join('; ')

interface DashboardOptions {
  readonly folder?: string
  /** Whether browsers use TLS and must not use anything else from then on. */
  readonly isSecure: boolean
}

export interface Dashboard {
  /** Registers the files that pages load. */
  register(app: FastifyInstance): void
  /** Answers a request without a route if it is for a page; undefined otherwise. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined
}

export function createDashboard({ folder = dashboardFolder, isSecure }: DashboardOptions): Dashboard {
  const index = join(folder, 'index.html')
  const headers = isSecure ? { ...pageHeaders, 'strict-transport-security': `max-age=${yearS}` } : pageHeaders
  return {
    register(app) {
      void app.register(fastifyStatic, {
        root: join(folder, 'assets'),
        prefix: '/assets/',
        index: false,
        dotfiles: 'ignore',
        // Names contain a hash of the content, so a file never changes.
        immutable: true,
        maxAge: yearS * 1000,
        preCompressed: true,
        setHeaders: (reply) => void reply.headers(headers)
      })
    },
    answer(request, reply) {
      if (!['GET', 'HEAD'].includes(request.method)) return undefined
      const path = request.url.split('?', 1)[0] ?? ''
      const [, file] = rootFile.exec(path) ?? []
      if (file !== undefined && existsSync(join(folder, file))) return answerFile(reply, file)
      return isPage(path, request) ? answerPage(reply) : undefined
    }
  }

  async function answerPage(reply: FastifyReply): Promise<FastifyReply> {
    const nonce = randomBytes(nonceBytes).toString('base64')
    // Read each time: a build while the service runs is served at once.
    const text = await readFile(index, 'utf8').catch(() => undefined)
    if (text === undefined) return answerUnbuilt(reply)
    return reply
      .code(200)
      .headers({ ...headers, 'content-security-policy': contentPolicy(nonce), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(text.replaceAll(noncePlaceholder, nonce))
  }

  async function answerFile(reply: FastifyReply, name: string): Promise<FastifyReply> {
    return reply.code(200).headers(headers).sendFile(name, folder, { maxAge: fileMs, immutable: false })
  }

  /** Explains why there is no page; the API works all the same. */
  async function answerUnbuilt(reply: FastifyReply): Promise<FastifyReply> {
    return reply
      .code(404)
      .headers({ ...headers, 'cache-control': 'no-store' })
      .type('text/plain; charset=utf-8')
      .send('The dashboard is not built. In a checkout, "npm run build:dashboard" builds it.\n')
  }
}

/** Whether a request is a browser's navigation: neither an API path nor a file. */
function isPage(path: string, request: FastifyRequest): boolean {
  if (path === '/') return true
  const isFile = path.lastIndexOf('.') > path.lastIndexOf('/')
  if (/^\/(?:api|assets|v1)(?:\/|$)/.test(path) || isFile) return false
  return (request.headers.accept ?? '').includes('text/html')
}

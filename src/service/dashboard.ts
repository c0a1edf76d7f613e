/**
 * The pages of the dashboard: files that were built, under a policy that lets nothing run but them. Every page is the same
 * document, with a fresh nonce for the styles that it adds; what it shows it asks of the API.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Where the files are: beside the bundle in the package and in the image, where the build puts them in a checkout. */
const dashboardFolder =
  ['../dashboard', '../../dashboard/dist']
    .map((place) => join(import.meta.dirname, place))
    .find((folder) => existsSync(join(folder, 'index.html'))) ?? join(import.meta.dirname, '../../dashboard/dist')

/** Stands in index.html wherever the nonce belongs; the build writes it there. */
const noncePlaceholder = 'SLUICE_CSP_NONCE'
const nonceBytes = 16
/** Files beside the document: the icon, and whatever a browser asks for by a name of its own. */
const rootFile = /^\/([\w-]+\.(?:svg|png|ico|txt|webmanifest))$/
const yearS = 31_536_000
const fileMs = 3_600_000

/**
 * Answers of the API run nothing and are framed by nobody, whatever a browser makes of them. No cache keeps one, not that
 * of a proxy either, to which the answer to a cookie is like any other (RFC 9111, 3.5), unless its route says otherwise.
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

export interface DashboardOptions {
  readonly folder?: string
  /** Whether browsers come by TLS and are to come by nothing else from then on. */
  readonly isSecure: boolean
}

export interface Dashboard {
  /** Teaches the application to serve the files that pages load. */
  register(app: FastifyInstance): void
  /** Answers a request that no route takes, where it is for a page; undefined where it is not. */
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
        // Names have a hash of the content in them, so that a file never changes.
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
    // Read anew each time: a build while the service runs is served at once.
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

  /** Whoever looks for a page is told why there is none; the API serves all the same. */
  async function answerUnbuilt(reply: FastifyReply): Promise<FastifyReply> {
    return reply
      .code(404)
      .headers({ ...headers, 'cache-control': 'no-store' })
      .type('text/plain; charset=utf-8')
      .send('The dashboard is not built. In a checkout, "npm run build:dashboard" builds it.\n')
  }
}

/** A page is what a browser goes to: no address of the API, no file. */
function isPage(path: string, request: FastifyRequest): boolean {
  if (path === '/') return true
  if (/^\/(?:api|assets|v1)(?:\/|$)/.test(path) || /\.[^/]*$/.test(path)) return false
  return (request.headers.accept ?? '').includes('text/html')
}

/** `GET /api/openapi.json`: the API description. It holds no secret, so anyone may read it. */
import type { FastifyInstance } from 'fastify'
import { openApi } from '../openapi.ts'

export function registerOpenApi(app: FastifyInstance, { version }: { readonly version: string }): void {
  app.get('/api/openapi.json', (_request, reply) =>
    reply.header('cache-control', 'max-age=300').type('application/json').send(openApi(version))
  )
}

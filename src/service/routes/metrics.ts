/** `GET /metrics`: metrics for a Prometheus scraper. They name no token, request, model or tool. */
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../telemetry/metrics.ts'

export function registerMetrics(app: FastifyInstance, metrics: Pick<Metrics, 'render' | 'contentType'>): void {
  app.get('/metrics', async (_request, reply) => {
    const text = await metrics.render()
    return reply.header('content-type', metrics.contentType).header('cache-control', 'no-store').send(text)
  })
}

/** GET /metrics in the text format of Prometheus, and who may read it. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createRoute } from '@hono/zod-openapi'
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import { refusalBody } from '@/lib/wire/http'
import { isLoopback } from '@/server/net'
import { assertWithin } from '@/server/shared/limits'
import { API_POLICY } from '../../http/csp'
import { assertOwnOrigin } from '../../http/origin'
import type { MetricsPort } from '../../ports'
import { type GatewayContext, type Routes, refusalResponse } from '../../route'

export function addMetricsRoute({ gateway, app }: Routes): void {
  const { metrics } = gateway
  if (!metrics) return
  app.openAPIRegistry.registerPath(documented)
  app.get('/metrics', async (context) => {
    try {
      const request = context.env.incoming
      assertOwnOrigin(request, gateway.publicUrl)
      await assertMayRead(request, metrics, gateway)
      return new Response(await metrics.text(), {
        headers: {
          'Content-Type': metrics.contentType,
          'Cache-Control': 'no-store',
          'Content-Security-Policy': API_POLICY,
        },
      })
    } catch (thrown) {
      return refusalResponse(gateway, thrown, context, false)
    }
  })
}

/**
 * A request with credentials (a bearer token, else a session) is accepted or refused by them alone. One without is
 * accepted from this machine only.
 *
 * faults  NOT_SIGNED_IN (401), NOT_ALLOWED (403), TOO_MANY (429) for an address without a session
 */
async function assertMayRead(
  request: IncomingMessage,
  port: MetricsPort,
  { sessions, limits, clients }: Pick<GatewayContext, 'sessions' | 'limits' | 'clients'>,
): Promise<void> {
  const { authorization } = request.headers
  const caller = authorization === undefined ? await sessions.callerOf(request.headers) : null
  if (caller === null) await assertWithin(limits.strangers, clients.keyOf(request))
  if (authorization !== undefined) {
    const shown = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
    if (port.token === null || !isSame(shown, port.token)) throw new Fault('NOT_SIGNED_IN')
    return
  }
  if (caller !== null) {
    if (caller.person.access !== 'operator') throw new Fault('NOT_ALLOWED', { what: 'read the metrics' })
    return
  }
  if (port.hasProxy || !isDirectLoopback(request)) throw new Fault('NOT_SIGNED_IN')
}

/** Takes the same time for every wrong token of any length. */
function isSame(shown: string, token: string): boolean {
  const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hashOf(shown), hashOf(token))
}

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** A program on this machine, connected without a proxy, that asks for a loopback host. */
function isDirectLoopback({ socket, headers }: IncomingMessage): boolean {
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    FORWARDING.every((name) => headers[name] === undefined) &&
    // The name of another site may resolve to this machine (DNS rebinding).
    isLoopback((headers.host ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))
  )
}

const documented = createRoute({
  method: 'get',
  path: '/metrics',
  summary: 'Prometheus metrics: for operators, with METRICS_TOKEN, or from this machine while no proxy is configured.',
  security: [{ session: [] }, { metrics: [] }],
  responses: {
    200: { description: 'Done', content: { 'text/plain': { schema: z.string() } } },
    '4XX': { description: 'Refused', content: { 'application/json': { schema: refusalBody } } },
    '5XX': { description: 'Cannot now', content: { 'application/json': { schema: refusalBody } } },
  },
})

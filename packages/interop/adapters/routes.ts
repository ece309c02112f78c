/** HTTP routing for all adapters: finds the route, the caller and the body, and writes refusals. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PeerId } from '@/lib/mas/ids'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { Endpoint } from '@/server/otherSystems'
import { isCutOff } from '@/server/shared/http'
import { readAwayRest } from '@/server/shared/readAway'
import { requestIdOf } from '@/server/shared/requestId'
import type { Adapter, AdapterContext } from './adapter'
import { isJson, readBody, sendJson, signatureIn } from './http'
import { type Caller, type Codec, type IncomingCall, keepRefusal } from './receive'
import { INTERNAL_WORDS, Refusal, refusalAs } from './refusal'

/** params: the texts in place of the segments in braces */
export type HttpCall = IncomingCall & {
  request: IncomingMessage
  response: ServerResponse
  params: Readonly<Record<string, string>>
}

type AdapterRoute = Endpoint & {
  /** Needs no authentication. */
  isPublic?: boolean
  /** Limit of the body in bytes; left out: no body is read. */
  limit?: number
  /** The Content-Type need not be JSON. */
  isAnyType?: boolean
  /** out: a refusal that `receive` has recorded, or null; throws other refusals */
  answer(call: HttpCall): Promise<Refusal | null>
}

type HttpRules = Pick<Codec<unknown>, 'refusals'> & {
  protocol: Protocol
  routes: readonly AdapterRoute[]
  /** Unknown paths, too, are answered only to known keys. */
  isKeyFirst?: boolean
  /** The caller without a key of a peer; null: `receive` finds out; undefined, and left out: a key is required. */
  keyless?(request: IncomingMessage): Promise<Caller | null | undefined>
  /** Left out: a JSON object with error, message, status_code and details. */
  write?(response: ServerResponse, refusal: Refusal, peer: PeerId | null): void
}

/** out: the endpoints of an adapter, and its `answer`, which never rejects */
export function answerRoutes(context: AdapterContext, rules: HttpRules): Pick<Adapter, 'answer' | 'endpoints'> {
  const { exchange, keys, log } = context
  const { protocol, refusals, routes, isKeyFirst = false, keyless, write = writeRefusal } = rules

  async function callerOf(request: IncomingMessage): Promise<Caller | null> {
    const { authorization } = request.headers
    const peer = keys.holder(authorization)
    if (peer !== null) return { kind: 'peer', peer }
    const found = await keyless?.(request)
    if (found !== undefined) return found
    const isShown = authorization !== undefined
    const words = isShown ? 'This key is not known here.' : 'A key is needed: Authorization: Bearer <key>.'
    throw refusalAs(refusals, 'unknownKey', words)
  }

  function routeOf({ method }: IncomingMessage, response: ServerResponse, path: string): AdapterRoute {
    const here = routes.filter((one) => paramsIn(one.path, path) !== null)
    if (here.length === 0) throw refusalAs(refusals, 'path', `There is no ${path.slice(0, 200)}.`)
    const route = here.find((one) => one.method === method)
    if (route !== undefined) return route
    const methods = here.map((one) => one.method)
    response.setHeader('Allow', methods.join(', '))
    throw refusalAs(refusals, 'method', `Only ${methods.join(' or ')} is answered here.`)
  }

  async function bodyOf(request: IncomingMessage, { limit, isAnyType = false }: AdapterRoute): Promise<Buffer> {
    if (limit === undefined) return Buffer.alloc(0)
    if (!isAnyType && !isJson(request))
      throw refusalAs(refusals, 'notJson', 'The body must be JSON, with Content-Type: application/json.')
    const body = await readBody(request, limit)
    if (!body.ok) throw refusalAs(refusals, 'tooLarge', `The body has at most ${limit} bytes.`)
    return body.bytes
  }

  function foreseen(error: unknown, request: IncomingMessage, path: string): Refusal {
    if (error instanceof Refusal) return error
    if (!isCutOff(request))
      log.error(
        { err: error, protocol, path, request: requestIdOf(request) },
        'unexpected error in a request of another system',
      )
    return refusalAs(refusals, 'internal', INTERNAL_WORDS)
  }

  const answer: Adapter['answer'] = async (request, response, path) => {
    let route: AdapterRoute | null = null
    let caller: Caller | null = null
    let bytes: Buffer | null = null
    try {
      if (isKeyFirst) caller = await callerOf(request)
      route = routeOf(request, response, path)
      if (route.isPublic !== true) caller ??= await callerOf(request)
      bytes = await bodyOf(request, route)
      const signature = signatureIn(request, protocol)
      const params = paramsIn(route.path, path) ?? {}
      const call = { request, response, params, caller, bytes, signature, isRead: route.method === 'GET' }
      const refused = await route.answer(call)
      if (refused) write(response, refused, peerOf(caller))
    } catch (error) {
      await readAwayRest(request)
      let refusal = foreseen(error, request, path)
      const isUnknown = isKeyFirst && caller === null
      if (isUnknown || (route !== null && route.isPublic !== true)) {
        const envelope = bytes ?? (Number(request.headers['content-length'] ?? '0') || 0)
        const refused = { caller, isRead: request.method === 'GET', theirs: null, envelope }
        await keepRefusal(context, protocol, refused, refusal)
        const seconds = refusal.code === refusals.codes.unknownKey ? await exchange.tooManyRefused(request) : 0
        if (seconds > 0)
          refusal = refusalAs(refusals, 'tooMany', `Too many attempts. Try again in ${seconds} s.`, seconds)
      }
      write(response, refusal, peerOf(caller))
    }
  }
  return { endpoints: routes.map(({ method, path }) => ({ method, path })), answer }
}

/** in: a path whose segments in braces stand for any text. out: these texts; null: another path */
function paramsIn(template: string, path: string): Record<string, string> | null {
  if (!template.includes('{')) return template === path ? {} : null
  const pattern = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/:]+)')
  const found = new RegExp(`^${pattern}$`).exec(path)?.groups
  try {
    return found === undefined
      ? null
      : Object.fromEntries(Object.entries(found).map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch {
    return null
  }
}

const peerOf = (caller: Caller | null): PeerId | null => (caller?.kind === 'peer' ? caller.peer : null)

function writeRefusal(response: ServerResponse, { code, message, status, details, retryAfterS }: Refusal): void {
  const body = { error: code, message, status_code: status, ...(details === null ? {} : { details }) }
  sendJson(response, status ?? 500, body, retryHeaders(retryAfterS))
}

/** seconds: null: no header */
export const retryHeaders = (seconds: number | null): Record<string, string> =>
  seconds === null ? {} : { 'Retry-After': String(seconds) }

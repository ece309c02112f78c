/** `/mcp`: the MCP server of a package, for personal access tokens. Its calls of the API are made here, as the token's person. */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import type { ApiCall, McpServer, McpServerParts } from '../mcpServer'
import { showedWhoItIs } from '../net'
import { assertWithin } from '../shared/limits'
import { requestIdOf } from '../shared/requestId'
import { assertOwnHost, assertOwnOrigin } from './http/origin'
import { readerLanguage } from './http/readerLanguage'
import { isDefect, refusalAnswerOf } from './http/refusals'
import type { AdapterPort } from './ports'
import type { Env, GatewayContext } from './route'
import type { SignedInCaller } from './sessions/sessions'

const PATH = '/mcp'
const COMMAND_MS = 30_000
const KEY_BYTES = 32
/** The row with the key that signs what clients hold. */
const KEY_ROW = { person: 'system:gateway', key: 'mcp-state-key' }
const keyText = z.string().regex(/^[\w-]{43}$/)

type Needs = Pick<
  GatewayContext,
  | 'engine'
  | 'sessions'
  | 'limits'
  | 'clients'
  | 'store'
  | 'address'
  | 'publicUrl'
  | 'random'
  | 'version'
  | 'log'
  | 'accessLog'
  | 'meter'
>

/** in: open: of the package; absent: it is not here, and the path is answered as any that is unknown. out: the adapters, with it */
export function withMcp(
  open: ((parts: McpServerParts) => McpServer) | undefined,
  adapters: AdapterPort | undefined,
  needs: Needs,
  app: OpenAPIHono<Env>,
): AdapterPort | undefined {
  if (open === undefined) return adapters
  const { engine, store, random, log } = needs
  const server = open({
    name: () => engine.world().team.name,
    version: needs.version,
    address: needs.address,
    onDecision: (listener) => engine.onDecision(listener),
    stateKey: () => stateKeyOf(store.people, random),
    newId: randomUUID,
    deadline: () => store.clock.outside() + COMMAND_MS,
    log,
  })

  async function call(env: HttpBindings, { method, path, body }: ApiCall) {
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = { 'content-type': 'application/json' }
    const answer = await app.fetch(new Request(`http://localhost${path}`, { method, headers, ...content }), env)
    const mime = answer.headers.get('content-type') ?? ''
    return { status: answer.status, mime, content: new Uint8Array(await answer.arrayBuffer()) }
  }

  async function answerOne(request: Request, env: HttpBindings): Promise<Response> {
    const { incoming } = env
    let caller: SignedInCaller | null = null
    try {
      caller = await callerOf(needs, incoming)
      const { person, session } = caller
      return await server.answer(request, { id: session.id, person: person.id, call: (one) => call(env, one) })
    } catch (thrown) {
      needs.accessLog.refused(incoming, caller?.person.id ?? null, PATH, thrown)
      if (isDefect(thrown))
        log.error({ err: thrown, path: PATH, request: requestIdOf(incoming) }, 'unexpected error in a request')
      const { status, body, headers: more } = refusalAnswerOf(thrown, readerLanguage(incoming.headers))
      needs.meter.refused(body.error)
      const headers = new Headers({ ...more, 'Cache-Control': 'no-store' })
      if (status === 401) headers.set('WWW-Authenticate', 'Bearer realm="convene"')
      return Response.json(body, { status, headers })
    }
  }
  return {
    owns: (path) => path === PATH || adapters?.owns(path) === true,
    async answer(incoming, outgoing, path) {
      if (path !== PATH) return adapters?.answer(incoming, outgoing, path)
      await getRequestListener((request) => answerOne(request, { incoming, outgoing }))(incoming, outgoing)
    },
    upgrade: (request, socket, head, path) => adapters?.upgrade(request, socket, head, path) === true,
  }
}

/**
 * A token alone opens it: a page of another site could send a cookie. No page of another site calls it with a token either, as the
 * protocol asks of servers.
 *
 * faults  FOREIGN_HOST, FOREIGN_ORIGIN, NOT_SIGNED_IN, TOKEN_UNKNOWN, NOT_ALLOWED, TOO_MANY
 */
async function callerOf(
  { sessions, limits, clients, ...own }: Pick<Needs, 'sessions' | 'limits' | 'clients' | 'publicUrl' | 'address'>,
  request: IncomingMessage,
): Promise<SignedInCaller> {
  const { authorization } = request.headers
  assertOwnHost(request, own)
  assertOwnOrigin(request, own.publicUrl)
  const caller = authorization === undefined ? null : await sessions.callerOf({ authorization })
  if (caller === null) {
    await assertWithin(limits.strangers, clients.keyOf(request))
    throw new Fault(authorization === undefined ? 'NOT_SIGNED_IN' : 'TOKEN_UNKNOWN')
  }
  showedWhoItIs(request)
  await assertWithin(limits.reads, caller.session.id)
  if (caller.person.access === 'none') throw new Fault('NOT_ALLOWED', { what: 'use this console' })
  return caller
}

async function stateKeyOf(people: Needs['store']['people'], random: Needs['random']): Promise<Uint8Array> {
  const { person, key } = KEY_ROW
  const known = keyText.safeParse((await people.get(person, key))?.value)
  if (known.success) return Buffer.from(known.data, 'base64url')
  const made = Buffer.from(random(KEY_BYTES)).toString('base64url')
  const put = await people.put(person, key, made, null)
  return Buffer.from(put.ok ? made : keyText.parse(put.current.value), 'base64url')
}

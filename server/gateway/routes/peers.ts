/**
 * Operators name other systems while the team works: adding one, what it may, its key, taking it out, trying it.
 *
 * A key is in the answer that makes it and nowhere else: what is kept is its hash.
 */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import type { PeerSpec } from '@/lib/mas/commands/command'
import { asId, type PeerId } from '@/lib/mas/ids'
import type { Json } from '@/lib/mas/records'
import type { CommandAnswer, PeerKeyAnswer, PutPeer } from '@/lib/wire'
import { requestIdOf } from '@/server/shared/requestId'
import { sha256 } from '../../shared/sha256'
import { commitAs } from '../commands'
import * as shapes from '../directoryShapes'
import { resolveReceivers, shown } from '../resolve'
import { addRoute, type Env, type GatewayContext } from '../route'
import { commandAnswer, commandHead, idParams } from '../schemas'

const KEY_BYTES = 32

export function addPeerRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine, log, random } = gateway

  function makeKey(): { key: string; keySha: string } {
    const key = Buffer.from(random(KEY_BYTES)).toString('base64url')
    return { key, keySha: sha256(key) }
  }

  const rightsOf = ({ id: _, until: __, agents, ...rights }: PutPeer): Omit<PeerSpec, 'peer'> => ({
    ...rights,
    agents: resolveReceivers(engine.world(), agents),
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/directory/peers',
    access: 'operator',
    says: 'Name another system. The answer holds the key that it is to show to us, once.',
    body: shapes.postPeer,
    answers: shapes.peerKeyAnswer,
    async handle({ caller, request, body }): Promise<PeerKeyAnswer> {
      const { uri, ...rights } = body
      const peer = gateway.outside?.peerId(uri)
      if (peer === undefined) throw new Fault('NOT_ALLOWED', { what: 'name other systems here' })
      const made = makeKey()
      const wish = { type: 'addPeer' as const, ...rightsOf(rights), uri, peer, keySha: made.keySha }
      const answer = await commitAs(engine, caller.person.id, body, wish)
      log.info({ by: caller.person.id, peer, request: requestIdOf(request) }, 'An operator named another system')
      return withKey(answer, made)
    },
  })

  addRoute(app, gateway, {
    method: 'put',
    path: '/api/directory/peers/{id}',
    access: 'operator',
    says: 'Change what another system may and where it is. Its key stays.',
    params: idParams,
    body: shapes.putPeer,
    answers: commandAnswer,
    handle: ({ caller, params, body }): Promise<CommandAnswer> =>
      commitAs(engine, caller.person.id, body, { type: 'changePeer', peer: peerOf(params.id), ...rightsOf(body) }),
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/directory/peers/{id}/key',
    access: 'operator',
    says: 'Make another key for it. The one that it had is worth nothing from then on.',
    params: idParams,
    body: commandHead,
    answers: shapes.peerKeyAnswer,
    async handle({ caller, request, params, body }): Promise<PeerKeyAnswer> {
      const made = makeKey()
      const peer = peerOf(params.id)
      const wish = { type: 'renewPeerKey' as const, peer, keySha: made.keySha }
      const answer = await commitAs(engine, caller.person.id, body, wish)
      log.info(
        { by: caller.person.id, peer, request: requestIdOf(request) },
        'An operator made another key for another system',
      )
      return withKey(answer, made)
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/directory/peers/{id}/remove',
    access: 'operator',
    says: 'Take it out: its key is worth nothing, its conversations are closed, whoever waits for it hears so.',
    params: idParams,
    body: commandHead,
    answers: commandAnswer,
    handle: ({ caller, params, body }): Promise<CommandAnswer> =>
      commitAs(engine, caller.person.id, body, { type: 'removePeer', peer: peerOf(params.id) }),
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/directory/peers/{id}/test',
    access: 'operator',
    says: 'Send a message to one of its agents that asks for nothing. What came of it: `…/exchange?message=`.',
    params: idParams,
    body: shapes.postPeerTest,
    answers: commandAnswer,
    handle: ({ caller, params, body: { uri, text, ...head } }): Promise<CommandAnswer> =>
      commitAs(engine, caller.person.id, head, { type: 'testPeer', peer: peerOf(params.id), uri, text }),
  })

  function peerOf(text: string): PeerId {
    if (!Object.hasOwn(engine.world().peers, text)) {
      throw new Fault('NOT_FOUND', { what: 'other system', id: shown(text) })
    }
    return asId<PeerId>(text)
  }
}

/** The same command again answers as it did before, and made no key. */
function withKey(answer: CommandAnswer, { key, keySha }: { key: string; keySha: string }): PeerKeyAnswer {
  return { ...answer, key: shaIn(answer.reply) === keySha ? key : null }
}

const shaIn = (reply: Json): Json | undefined =>
  reply !== null && typeof reply === 'object' && !Array.isArray(reply) ? reply.keySha : undefined

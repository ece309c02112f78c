/** Operators manage peers at run time. A key is in the answer that made it and nowhere else; only its hash is stored. */
import { Fault } from '@/lib/faults'
import { fieldsIn, own } from '@/lib/json'
import type { PeerSpec } from '@/lib/mas/commands/command'
import type { PeerId } from '@/lib/mas/ids'
import type { PeerRecord } from '@/lib/mas/outside/records'
import type { CommandAnswer, PeerKeyAnswer, PutPeer } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { isHere, missingPackage } from '@/server/shared/packages'
import { sha256 } from '@/server/shared/sha256'
import { commitAs } from '../../commands'
import { mustFind, resolveReceivers } from '../../records/resolve'
import type { Routes } from '../../route'

const KEY_BYTES = 32

export function addPeerRoutes({ add, addCommand, gateway }: Routes): void {
  const { engine, random } = gateway

  function makeKey(): { key: string; keySha: string } {
    const key = Buffer.from(random(KEY_BYTES)).toString('base64url')
    return { key, keySha: sha256(key) }
  }

  const rightsOf = ({ id: _, until: __, agents, ...rights }: PutPeer): Omit<PeerSpec, 'peer'> => ({
    ...rights,
    agents: resolveReceivers(engine.world(), agents),
  })

  add('POST /api/directory/peers', {
    scope: null,
    access: 'operator',
    asksPassword: true,
    summary: 'Add a peer. The answer holds the key that it must present, once.',
    body: schemas.postPeer,
    answers: schemas.peerKeyAnswer,
    async handle({ caller, body, log }) {
      // Without it the team could not be started again: server/otherSystems.
      if (!isHere('interop')) throw new Fault('BAD_INPUT', { why: `Another system needs ${missingPackage('interop')}` })
      const { uri, ...rights } = body
      const peer = gateway.outside.peerId(uri)
      const own = `agent://${gateway.outside.domain()}`.toLowerCase()
      const named = uri.toLowerCase()
      if (named === own || named.startsWith(`${own}/`)) throw new Fault('PEER_URI', { uri, why: 'own' })
      const made = makeKey()
      const command = { type: 'addPeer' as const, ...rightsOf(rights), uri, peer, keySha: made.keySha }
      const answer = await commitAs(engine, caller, body, command)
      log({ peer }, 'An operator added a peer')
      return withKey(answer, made)
    },
  })

  add('PUT /api/directory/peers/{id}', {
    scope: null,
    access: 'operator',
    asksPassword: true,
    summary: 'Change the rights and the address of a peer. Its key stays.',
    body: schemas.putPeer,
    answers: schemas.commandAnswer,
    handle: ({ caller, params, body }) =>
      commitAs(engine, caller, body, { type: 'changePeer', peer: peerOf(params.id), ...rightsOf(body) }),
  })

  add('POST /api/directory/peers/{id}/key', {
    scope: null,
    access: 'operator',
    asksPassword: true,
    summary: 'Make a new key for a peer. The old one becomes invalid.',
    body: schemas.commandHead,
    answers: schemas.peerKeyAnswer,
    async handle({ caller, params, body, log }) {
      const made = makeKey()
      const peer = peerOf(params.id)
      const command = { type: 'renewPeerKey' as const, peer, keySha: made.keySha }
      const answer = await commitAs(engine, caller, body, command)
      log({ peer }, 'An operator renewed the key of a peer')
      return withKey(answer, made)
    },
  })

  addCommand({
    path: '/api/directory/peers/{id}/remove',
    scope: null,
    access: 'operator',
    asksPassword: true,
    summary: 'Remove a peer: its key becomes invalid, its conversations are closed, those who wait for it are told.',
    body: schemas.commandHead,
    command: ({ id }) => ({ type: 'removePeer', peer: peerOf(id) }),
  })

  addCommand({
    path: '/api/directory/peers/{id}/test',
    scope: 'operate',
    access: 'operator',
    summary: 'Send a test message, which needs no reply, to an agent of a peer. Its outcome: `…/exchange?message=`.',
    body: schemas.postPeerTest,
    command: ({ id, body: { uri, text } }) => ({ type: 'testPeer', peer: peerOf(id), uri, text }),
  })

  const peerOf = (text: string): PeerId =>
    mustFind(own<PeerRecord>(engine.world().peers, text), 'other system', text).id
}

/** A repeated command gets its first answer, for which no key was made now. */
function withKey(answer: CommandAnswer, { key, keySha }: { key: string; keySha: string }): PeerKeyAnswer {
  return { ...answer, key: fieldsIn(answer.reply).keySha === keySha ? key : null }
}

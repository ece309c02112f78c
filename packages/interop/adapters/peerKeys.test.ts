/** Keys of peers that operators named: by their hash, as long as the peer is there, and sockets that were opened with one. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Command } from '@/lib/mas/commands/command'
import { asId, type PeerId } from '@/lib/mas/ids'
import { TEAM } from '@/test/worldHistories'
import { mampMessage, openSystem } from '../test/adapterSystem'
import { signBody } from './signatures'

const WEST = asId<PeerId>('00000000-0000-4000-8000-00000000ab01')
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

async function withWest() {
  const system = await openSystem({ secret: (name) => (name === 'CONVENE_PEER_WEST_SIGNS' ? 'both-sign' : null) })
  const put = async (command: Command) => {
    const answer = await system.engine.commit({ id: system.parts.newId(), by: TEAM.ana.id, command })
    if (!answer.ok) throw answer.fault
  }
  const rights = { baseUrl: null, may: ['mamp' as const, 'map' as const], actions: [], allowPrivate: false }
  const keys = { sendKeyEnv: null, signingKeyEnv: null }
  const wish = { ...rights, ...keys, peer: WEST, agents: [TEAM.reader.id] }
  await put({ ...wish, type: 'addPeer', uri: 'agent://west.example/*', keySha: hashOf('first') })
  let count = 0
  const post = async (key: string) => {
    count += 1
    const message = mampMessage({ message_id: `m${count}`, from: 'agent://west.example/seller' })
    return (await system.post(message, { authorization: `Bearer ${key}` })).status
  }
  return { system, put, post, wish }
}

it('[R55] lets in anyone who shows the key that was made, until another is made or the peer is taken out', async () => {
  const { put, post } = await withWest()
  expect([await post('first'), await post('second'), await post(hashOf('first'))]).toEqual([200, 401, 401])
  await put({ type: 'renewPeerKey', peer: WEST, keySha: hashOf('second') })
  expect([await post('first'), await post('second')]).toEqual([401, 200])
  await put({ type: 'removePeer', peer: WEST })
  expect(await post('second')).toBe(401)
})

it('[R55] signs with the variable that the operator named', async () => {
  const { system, put, post, wish } = await withWest()
  const signing = { may: ['mamp' as const], signingKeyEnv: 'CONVENE_PEER_WEST_SIGNS' }
  await put({ ...wish, type: 'changePeer', ...signing })
  expect(await post('first')).toBe(401)
  const body = JSON.stringify(mampMessage({ message_id: 'signed', from: 'agent://west.example/seller' }))
  const tried = async (key: string) => {
    const signature = signBody(key, body, system.parts.now())
    return (await system.post(body, { authorization: 'Bearer first', 'x-mamp-signature': signature })).status
  }
  expect([await tried('other'), await tried('both-sign')]).toEqual([401, 200])
})

it('[R77] a peer that has a signing key cannot be given MAP, which has no signatures', async () => {
  const { system, wish } = await withWest()
  const both = { ...wish, type: 'changePeer' as const, signingKeyEnv: 'CONVENE_PEER_WEST_SIGNS' }
  const answer = await system.engine.commit({ id: system.parts.newId(), by: TEAM.ana.id, command: both })
  expect(answer).toMatchObject({ ok: false, fault: { code: 'PEER_SIGNS' } })
})

it('[R52] [R55] believes nothing unsigned of a peer that signs, also while the variable is not set', async () => {
  const { system, put, wish } = await withWest()
  await put({ ...wish, type: 'changePeer', may: ['envelope'], actions: ['*'], signingKeyEnv: 'CONVENE_PEER_NOT_SET' })
  const { status, json } = await system.call('/envelope/v1/messages', {
    method: 'POST',
    headers: { authorization: 'Bearer first', 'content-type': 'application/json' },
    body: JSON.stringify({
      protocol_version: '1.0',
      message_id: 'm',
      timestamp: '2026-11-21T10:00:00Z',
      message_type: 'request',
      sender_id: 'seller',
      receiver_id: 'reader',
      payload: { action: 'get_status', parameters: {} },
    }),
  })
  expect([status, json]).toMatchObject([401, { payload: { code: 'bad_signature' } }])
})

it('[R55] a socket that was opened with a key ends with it', async () => {
  const { system, put } = await withWest()
  const open = async (key: string) => {
    const socket = new WebSocket(`${system.url.replace('http', 'ws')}/map`, {
      headers: { authorization: `Bearer ${key}` },
    })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    return { socket, ended: new Promise<number>((resolve) => socket.once('close', resolve)) }
  }
  const first = await open('first')
  await put({ type: 'renewPeerKey', peer: WEST, keySha: hashOf('second') })
  expect(await first.ended).toBe(1008)
  const second = await open('second')
  await put({ type: 'removePeer', peer: WEST })
  expect(await second.ended).toBe(1008)
})

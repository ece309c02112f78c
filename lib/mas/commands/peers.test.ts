/** Other systems that operators name while the team works: who may, what the file still decides, a message to try one. */
import { describe, expect, it } from 'vitest'
import { BEN, must } from '@/test/stories'
import { Story, TEAM, teamConfig } from '@/test/worldHistories'
import { asId, type PeerId } from '../ids'
import type { PeerConfig } from '../outsideRecords'
import { selectDeliveries, selectPeers } from '../selectors/outside'
import { decide } from '.'
import type { Command, CommandOf } from './command'

const ANA = TEAM.ana.id
const ID = asId<PeerId>('00000000-0000-4000-8000-00000000ab01')
const URI = 'agent://west.example/*'
const SELLER = 'agent://west.example/seller'
const HASH = 'a'.repeat(64)

const wish = (more: Partial<CommandOf<'addPeer'>> = {}): CommandOf<'addPeer'> => ({
  type: 'addPeer',
  peer: ID,
  uri: URI,
  baseUrl: 'https://west.example',
  may: ['map', 'mamp'],
  actions: [],
  agents: [TEAM.reader.id],
  allowPrivate: false,
  sendKeyEnv: 'CONVENE_PEER_WEST',
  signingKeyEnv: null,
  keySha: HASH,
  ...more,
})
const opened = (): Story => {
  const story = new Story()
  story.put('system:start', teamConfig())
  return story
}
const withWest = (): Story => {
  const story = opened()
  story.put(ANA, wish())
  return story
}
const refusal = (story: Story, by: string, command: Command): string | null => {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}
const restart = (story: Story, peers: PeerConfig[]): void => {
  story.put('system:start', { ...teamConfig(), peers })
}

describe('a peer that an operator names', () => {
  it('[R55] may what it is given, and its key is kept as a hash with who made it', () => {
    expect(withWest().world.peers[ID]).toMatchObject({
      uri: URI,
      may: ['map', 'mamp'],
      agents: [TEAM.reader.id],
      removed: false,
      made: { by: ANA, keySha: HASH, sendKeyEnv: 'CONVENE_PEER_WEST', signingKeyEnv: null },
    })
  })

  it('[R55] is named by operators only, once, and reaches agents that are there', () => {
    const story = withWest()
    expect(refusal(story, BEN, wish({ peer: asId<PeerId>('p2'), uri: 'agent://east.example/*' }))).toBe('NOT_ALLOWED')
    expect(refusal(story, ANA, wish())).toBe('PEER_KNOWN')
    const nobody = wish({ uri: 'agent://east.example/*', agents: [asId('nobody')] })
    expect(refusal(story, ANA, nobody)).toBe('RECEIVER_UNKNOWN')
  })

  it('[R55] stays over restarts until it is taken out, and then may nothing', () => {
    const story = withWest()
    restart(story, [])
    expect(selectPeers(story.world)).toHaveLength(1)
    story.put(ANA, { type: 'removePeer', peer: ID })
    expect(selectPeers(story.world)).toEqual([])
    restart(story, [])
    expect(story.world.peers[ID]?.removed).toBe(true)
    story.put(ANA, wish({ keySha: 'b'.repeat(64) }))
    expect(story.world.peers[ID]).toMatchObject({ removed: false, made: { keySha: 'b'.repeat(64) } })
  })

  it('[R55] is the configuration’s once that names it, and is changed there from then on', () => {
    const story = withWest()
    const config = { id: ID, uri: URI, baseUrl: null, may: [], actions: [], agents: [], allowPrivate: false }
    restart(story, [config])
    expect(story.world.peers[ID]?.made).toBeUndefined()
    for (const command of [
      { type: 'removePeer', peer: ID },
      { type: 'renewPeerKey', peer: ID, keySha: HASH },
    ] satisfies Command[]) {
      expect(refusal(story, ANA, command)).toBe('PEER_CONFIGURED')
    }
  })

  it('[R55] gets another key in place of its own, and keeps all else; what it may is changed without touching the key', () => {
    const story = withWest()
    story.put(ANA, { type: 'renewPeerKey', peer: ID, keySha: 'c'.repeat(64) })
    expect(story.world.peers[ID]).toMatchObject({ may: ['map', 'mamp'], made: { by: ANA, keySha: 'c'.repeat(64) } })
    const { uri: _, keySha: __, ...rest } = wish({ may: ['a2a'], baseUrl: null, sendKeyEnv: null })
    story.put(ANA, { ...rest, type: 'changePeer' })
    expect(story.world.peers[ID]).toMatchObject({
      may: ['a2a'],
      baseUrl: null,
      made: { keySha: 'c'.repeat(64), sendKeyEnv: null },
    })
  })
})

describe('a test message', () => {
  const test = (uri: string): Command => ({ type: 'testPeer', peer: ID, uri, text: 'Is this thing on?' })

  it('is a message of the operator that asks for nothing, by a face that has messages, in one conversation', () => {
    const story = withWest()
    story.put(ANA, test(SELLER))
    const first = must(selectDeliveries(story.world)[0], 'delivery')
    expect(story.world.messages[first.task]?.[first.message]).toMatchObject({ sender: ANA, needReply: false })
    story.put(ANA, test(SELLER))
    expect(Object.values(story.world.conversations[ID] ?? {})).toMatchObject([{ protocol: 'mamp', ours: ANA }])
    expect(Object.keys(story.world.outbox[first.task] ?? {})).toHaveLength(2)
  })

  it('goes to one agent of that system and to nobody else', () => {
    const story = withWest()
    for (const uri of [URI, 'agent://east.example/seller']) expect(refusal(story, ANA, test(uri))).toBe('NO_PEER')
    expect(refusal(story, BEN, test(SELLER))).toBe('NOT_ALLOWED')
  })
})

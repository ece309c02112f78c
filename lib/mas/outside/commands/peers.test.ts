/** Other systems that operators name while the team works: who may, what the file still decides, a message to try one. */
import { describe, expect, it } from 'vitest'
import { BEN, must } from '@/test/stories'
import { Story, TEAM, teamConfig } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command, CommandOf } from '../../commands/command'
import { asId, type PeerId } from '../../ids'
import { selectOutgoing, selectPeers } from '../outside'
import type { PeerConfig } from '../records'

const ANA = TEAM.ana.id
const ID = asId<PeerId>('00000000-0000-4000-8000-00000000ab01')
const URI = 'agent://west.example/*'
const SELLER = 'agent://west.example/seller'
const HASH = 'a'.repeat(64)

const input = (more: Partial<CommandOf<'addPeer'>> = {}): CommandOf<'addPeer'> => ({
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
  story.put(ANA, input())
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

  it('[R157] 000-14 has agents be offered what they write to it by, at once and after a restart', () => {
    const guides = (story: Story) => Object.keys(story.world.team.toolGuides)
    expect(guides(opened())).not.toContain('agents')
    const story = withWest()
    expect(guides(story)).toContain('agents')
    restart(story, [])
    expect(guides(story)).toContain('agents')
    story.put(ANA, { type: 'removePeer', peer: ID })
    restart(story, [])
    expect(guides(story)).not.toContain('agents')
  })

  it('[R55] is named by operators only, once, and reaches agents that are there', () => {
    const story = withWest()
    expect(refusal(story, BEN, input({ peer: asId<PeerId>('p2'), uri: 'agent://east.example/*' }))).toBe('NOT_ALLOWED')
    expect(refusal(story, ANA, input())).toBe('PEER_KNOWN')
    const nobody = input({ uri: 'agent://east.example/*', agents: [asId('nobody')] })
    expect(refusal(story, ANA, nobody)).toBe('RECEIVER_UNKNOWN')
  })

  it.each(['agent://*', 'agent://*/*', 'agent://**/planner', 'agent://*.com/*', 'agent://w*st.example/*'])(
    '[R55] %s is refused: it would speak for systems that nobody named',
    (uri) => expect(refusal(opened(), ANA, input({ uri }))).toBe('PEER_URI'),
  )

  it.each(['agent://*.west.example/*', 'agent://west.example', 'agent://west.example/sell*', 'agent://localhost/*'])(
    '[R55] %s names one system',
    (uri) => expect(refusal(opened(), ANA, input({ uri }))).toBeNull(),
  )

  it.each([
    'http://169.254.169.254/latest',
    'http://[fe80::1]:3000',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.1.1]/',
    'http://168.63.129.16/',
    'http://[fd00:ec2::254]/latest',
    'http://100.100.100.200/',
  ])('[R55] %s is no address of a peer, with private addresses allowed too', (baseUrl) => {
    expect(refusal(opened(), ANA, input({ baseUrl, allowPrivate: true }))).toBe('PEER_ADDRESS')
    const { uri: _, keySha: __, ...rest } = input({ baseUrl })
    expect(refusal(withWest(), ANA, { ...rest, type: 'changePeer' })).toBe('PEER_ADDRESS')
  })

  it('[R55] an address in a private network, or of a name that begins alike, is taken', () => {
    for (const baseUrl of ['http://192.168.1.7', 'https://fe80.example', 'https://february.example'])
      expect(refusal(opened(), ANA, input({ baseUrl, allowPrivate: true }))).toBeNull()
  })

  it('[R149] gets the limits that the operator gives it, and keeps what was spent when it is changed', () => {
    const limits = { tasks: 2, tokensPerDay: 1_000, costPerDay: null }
    const story = opened()
    story.put(ANA, input({ limits }))
    expect(story.world.peers[ID]?.limits).toEqual(limits)
    const { uri: _, keySha: __, ...rest } = input({ limits: { ...limits, tasks: 3 } })
    story.put(ANA, { ...rest, type: 'changePeer' })
    expect(story.world.peers[ID]?.limits?.tasks).toBe(3)
  })

  it('[R55] stays over restarts until it is taken out, and then may nothing', () => {
    const story = withWest()
    restart(story, [])
    expect(selectPeers(story.world)).toHaveLength(1)
    story.put(ANA, { type: 'removePeer', peer: ID })
    expect(selectPeers(story.world)).toEqual([])
    restart(story, [])
    expect(story.world.peers[ID]?.removed).toBe(true)
    story.put(ANA, input({ keySha: 'b'.repeat(64) }))
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
    const { uri: _, keySha: __, ...rest } = input({ may: ['envelope'], baseUrl: null, sendKeyEnv: null })
    story.put(ANA, { ...rest, type: 'changePeer' })
    expect(story.world.peers[ID]).toMatchObject({
      may: ['envelope'],
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
    const first = must(selectOutgoing(story.world)[0], 'outgoing')
    expect(story.world.messages[first.task]?.[first.message]).toMatchObject({ sender: ANA, type: 'fyi' })
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

describe('[R55] what an operator says of a peer', () => {
  const changes = (more: Partial<CommandOf<'addPeer'>> = {}): Command => {
    const { uri: _, keySha: __, ...rest } = input(more)
    return { ...rest, type: 'changePeer' }
  }

  it('cannot have it sign where MAP is spoken, which has no signatures', () => {
    const story = withWest()
    expect(refusal(story, ANA, changes({ signingKeyEnv: 'KEY' }))).toBe('PEER_SIGNS')
    expect(refusal(story, ANA, changes({ signingKeyEnv: 'KEY', may: ['mamp'] }))).toBeNull()
    expect(refusal(story, ANA, changes({ signingKeyEnv: null, may: ['map'] }))).toBeNull()
  })

  it('is of agents of ours that are there, people or not', () => {
    const story = withWest()
    expect(refusal(story, ANA, changes({ agents: [TEAM.reader.id, BEN] }))).toBeNull()
    story.put(ANA, { type: 'testPeer', peer: ID, uri: SELLER, text: 'On?' })
    const outsider = must(
      Object.values(story.world.agents).find(({ kind }) => kind === 'outside'),
      'agent outside',
    )
    expect(refusal(story, ANA, changes({ agents: [outsider.id] }))).toBe('RECEIVER_UNKNOWN')
    const file = teamConfig()
    story.put('system:start', { ...file, agents: file.agents.filter(({ id }) => id !== TEAM.reader.id), peers: [] })
    expect(refusal(story, ANA, changes())).toBe('RECEIVER_GONE')
  })

  it('is of one that is there, and nobody but an operator says it', () => {
    const story = withWest()
    const none = asId<PeerId>('none')
    const acts = (peer: PeerId): Command[] => [
      changes({ peer }),
      { type: 'renewPeerKey', peer, keySha: HASH },
      { type: 'removePeer', peer },
      { type: 'testPeer', peer, uri: SELLER, text: 'On?' },
    ]
    for (const command of acts(ID)) {
      expect(refusal(story, BEN, command), command.type).toBe('NOT_ALLOWED')
      expect(refusal(story, ANA, command), command.type).toBeNull()
    }
    for (const command of acts(none)) expect(refusal(story, ANA, command), command.type).toBe('NOT_FOUND')
    story.put(ANA, { type: 'removePeer', peer: ID })
    for (const command of acts(ID)) expect(refusal(story, ANA, command), command.type).toBe('NOT_FOUND')
  })

  it('taken out, leaves the agents and conversations of others as they are', () => {
    const story = withWest()
    const east = asId<PeerId>('00000000-0000-4000-8000-00000000ab02')
    story.put(ANA, input({ peer: east, uri: 'agent://east.example/*' }))
    story.put(ANA, { type: 'testPeer', peer: ID, uri: SELLER, text: 'On?' })
    story.put(ANA, { type: 'testPeer', peer: east, uri: 'agent://east.example/buyer', text: 'On?' })
    story.put(ANA, { type: 'removePeer', peer: ID })
    const agents = Object.values(story.world.agents).filter(({ kind }) => kind === 'outside')
    expect(agents.map(({ name, removed }) => [name, removed])).toEqual([
      ['seller', true],
      ['buyer', false],
    ])
    const closed = (peer: PeerId) =>
      Object.values(story.world.conversations[peer] ?? {}).map(({ closedAt }) => closedAt)
    expect(closed(ID)).toEqual([expect.any(Number)])
    expect(closed(east)).toEqual([null])
    for (const { id } of agents) expect(story.world.agents[id]).toBeDefined()
  })

  it('in the configuration, whatever the order of its words, is the same peer', () => {
    const story = opened()
    const config = { id: ID, uri: URI, baseUrl: null, may: [], actions: [], agents: [], allowPrivate: false }
    const added = (peer: PeerConfig): boolean => {
      const decided = must(story.put('system:start', { ...teamConfig(), peers: [peer] }), 'decision')
      return decided.events.some(({ type }) => type === 'peer.added')
    }
    expect(added(config)).toBe(true)
    expect(added(config)).toBe(false)
    const { id, uri, ...rest } = config
    expect(added({ ...rest, uri, id })).toBe(false)
    expect(added({ ...config, allowPrivate: true })).toBe(true)
    restart(story, [])
    expect(story.world.peers[ID]?.removed).toBe(true)
    expect(added({ ...config, allowPrivate: true })).toBe(true)
  })
})

it('[R55] an agent is tried as one of the peer that its address names most exactly', () => {
  const story = withWest()
  const second = asId<PeerId>('00000000-0000-4000-8000-00000000ab02')
  const test = (peer: PeerId): Command => ({ type: 'testPeer', peer, uri: SELLER, text: 'Is this thing on?' })
  expect(refusal(story, ANA, test(ID))).toBeNull()
  story.put(ANA, input({ peer: second, uri: SELLER }))
  expect([refusal(story, ANA, test(ID)), refusal(story, ANA, test(second))]).toEqual(['NO_PEER', null])
})

/** Conversations and jobs that are brought in whole: who may bring them, who keeps them, and what they start. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, LEE, MANAGER, must, READER, todo } from '@/test/stories'
import { Story, teamConfig } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Bringer, Command } from '../../commands/command'
import { type AgentId, asId, type PeerId } from '../../ids'
import type { AgentRecord, ImportedRecord, TaskRecord } from '../../records'
import type { PeerConfig } from '../records'

const ADAPTER = 'system:adapter'
const URI = 'agent://other.example/planner'
const PEER: PeerConfig = {
  id: asId<PeerId>('00000000-0000-4000-8000-00000000abcd'),
  uri: 'agent://other.example/*',
  baseUrl: 'https://other.example',
  may: ['harmony'],
  actions: [],
  agents: [READER, MANAGER],
  allowPrivate: false,
}
const withPeer = (more: Partial<PeerConfig> = {}): Story => {
  const story = new Story()
  story.put('system:start', { ...teamConfig(), peers: [{ ...PEER, ...more }] })
  return story
}
const without = (story: Story, ...gone: AgentId[]): void => {
  const file = teamConfig()
  story.put('system:start', { ...file, agents: file.agents.filter(({ id }) => !gone.includes(id)), peers: [PEER] })
}
const BROUGHT: Bringer = {
  peer: PEER.id,
  uri: URI,
  theirs: 'packet-1',
  bytes: 100,
  sha: 'a'.repeat(64),
  body: null,
}
const imported: ImportedRecord = {
  role: 'user',
  name: null,
  body: { sha: 'b'.repeat(64), bytes: 3, mime: 'text/plain', preview: 'abc' },
}
const imports = (from: Bringer, ...texts: string[]): Command => ({
  type: 'importConversation',
  from,
  messages: texts.map((text) => ({ text, attachments: [], imported })),
})
const hands = (person: AgentId, to: AgentId): Command => ({
  type: 'openHandoff',
  person,
  to,
  objective: 'Compare the lists',
  text: 'All that belongs to it',
})
const refusal = (story: Story, command: Command): string | null => {
  const decided = decide(story.world, { id: 'a-try', by: ADAPTER, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}
const newTask = (story: Story, command: Command): TaskRecord => {
  const { task } = must(story.put(ADAPTER, command), 'decision').reply as { task: never }
  return must(story.world.tasks[task], 'task')
}

describe('a conversation that a person brings', () => {
  it('is a task of its own with them, which the manager of the base task keeps', () => {
    const story = new Story()
    const task = newTask(story, imports({ person: BEN }, 'one', 'two'))
    expect(task).toMatchObject({ manager: MANAGER, group: [MANAGER, BEN], conversation: true, requestedBy: null })
    const messages = Object.values(story.world.messages[task.id] ?? {})
    expect(messages.map(({ text, sender, receivers, type }) => [text, sender, receivers, type])).toEqual([
      ['one', BEN, [], 'fyi'],
      ['two', BEN, [], 'fyi'],
    ])
    expect(messages.map((message) => message.imported)).toEqual([imported, imported])
    expect(todo(story.world, MANAGER)).toEqual([])
    const again = must(story.put(ADAPTER, imports({ person: BEN })), 'decision')
    expect(again.reply).toMatchObject({ conversation: (again.reply as { task: string }).task })
    expect(again.events.map(({ type }) => type)).not.toContain('envelope.taken')
  })

  it.each([
    ['an agent', READER],
    ['nobody', 'nobody' as AgentId],
    ['somebody who left', LEE],
  ])('is not brought by %s', (_, person) => {
    const story = new Story()
    without(story, LEE)
    expect(refusal(story, imports({ person }))).toBe('NOT_ALLOWED')
    expect(refusal(story, hands(person, MANAGER))).toBe('NOT_ALLOWED')
  })

  it('is not brought by a person who may not sign in', () => {
    const story = new Story()
    const file = teamConfig()
    const agents = file.agents.map((agent) => (agent.id === LEE ? { ...agent, access: 'none' as const } : agent))
    story.put('system:start', { ...file, agents })
    expect(refusal(story, imports({ person: LEE }))).toBe('NOT_ALLOWED')
    expect(refusal(story, hands(LEE, MANAGER))).toBe('NOT_ALLOWED')
    expect(refusal(story, imports({ person: BEN }))).toBeNull()
    expect(refusal(story, hands(BEN, MANAGER))).toBeNull()
  })
})

describe('a conversation that a peer brings', () => {
  it('is kept by the first of its agents who is there, and known to it by an id of its own', () => {
    const story = withPeer()
    const decided = must(story.put(ADAPTER, imports(BROUGHT, 'one')), 'decision')
    const { conversation, task } = decided.reply as { conversation: string; task: never }
    expect(conversation).toMatch(/^conv-/)
    const outsider = must(
      Object.values(story.world.agents).find((agent: AgentRecord) => agent.kind === 'outside'),
      'agent outside',
    )
    expect(story.world.tasks[task]).toMatchObject({ manager: READER, group: [READER, outsider.id] })
    expect(Object.values(story.world.conversations[PEER.id] ?? {})).toMatchObject([
      { task, agent: outsider.id, ours: READER, shared: conversation, openedBy: 'them', protocol: 'harmony' },
    ])
    const known = { theirs: 'packet-1', outsider: outsider.id }
    expect(decided.events.find(({ type }) => type === 'envelope.taken')).toMatchObject(known)
    expect(decided.envelopes).toMatchObject([{ ...known, verdict: 'taken', direction: 'in', task }])
  })

  it('is kept by the next of its agents, or by the manager of the base task, when one is gone', () => {
    const story = withPeer()
    without(story, READER)
    expect(newTask(story, imports(BROUGHT)).manager).toBe(MANAGER)
    const open = withPeer({ agents: [] })
    expect(newTask(open, imports(BROUGHT)).manager).toBe(MANAGER)
    const gone = withPeer({ agents: [READER] })
    const file = teamConfig()
    gone.put('system:start', { ...file, agents: file.agents.filter(({ kind }) => kind === 'human'), peers: [PEER] })
    expect(refusal(gone, imports(BROUGHT))).toBe('RECEIVER_UNKNOWN')
  })

  it('is refused where the peer may not, is gone or unknown, or brings somebody of another system', () => {
    expect(refusal(withPeer(), imports(BROUGHT))).toBeNull()
    expect(refusal(withPeer({ may: ['mamp'] }), imports(BROUGHT))).toBe('NOT_ALLOWED')
    expect(refusal(new Story(), imports(BROUGHT))).toBe('NOT_ALLOWED')
    expect(refusal(withPeer(), imports({ ...BROUGHT, uri: 'agent://stranger.example/x' }))).toBe('NO_PEER')
    const gone = withPeer()
    gone.put('system:start', { ...teamConfig(), peers: [] })
    expect(refusal(gone, imports(BROUGHT))).toBe('NOT_ALLOWED')
  })
})

describe('a job that a person hands to an agent', () => {
  it('is a task that the agent manages, with the packet as its first message, to be replied to', () => {
    const story = new Story()
    const task = newTask(story, hands(BEN, READER))
    expect(task).toMatchObject({ manager: READER, group: [READER, BEN], conversation: true })
    expect(Object.values(story.world.messages[task.id] ?? {})).toMatchObject([
      { sender: BEN, receivers: [READER], text: 'All that belongs to it', type: 'action', waiting: null },
    ])
    expect(todo(story.world, READER)).toEqual(['send_message'])
  })

  it('goes to an agent of ours that is there, not to a person', () => {
    const story = withPeer({ uri: URI })
    const outsider = must(
      Object.values(story.world.agents).find((agent: AgentRecord) => agent.kind === 'outside'),
      'agent outside',
    )
    expect(refusal(story, hands(BEN, ANA))).toBe('RECEIVER_UNKNOWN')
    expect(refusal(story, hands(BEN, outsider.id))).toBe('RECEIVER_UNKNOWN')
    expect(refusal(story, hands(BEN, 'nobody' as AgentId))).toBe('RECEIVER_UNKNOWN')
    without(story, READER)
    expect(refusal(story, hands(BEN, READER))).toBe('RECEIVER_UNKNOWN')
    expect(refusal(story, hands(BEN, MANAGER))).toBeNull()
  })
})

import { selectOutgoing } from '@/lib/mas/outside/outside'
import { must, says } from '@/test/stories'
import { outcomeOf, planned, Story, TEAM, teamConfig } from '@/test/worldHistories'
import type { Command, CommandOf } from '../../../commands/command'
import { decide } from '../../../commands/index'
import { type AgentId, asId, type MessageId, type PeerId, type TaskId } from '../../../ids'
import type { AgentRecord, MessageRecord, TaskRecord } from '../../../records'
import type { ConversationRecord, PeerConfig } from '../../records'

export const URI = 'agent://other.example/planner'
export const PEER: PeerConfig = {
  id: asId<PeerId>('00000000-0000-4000-8000-00000000abcd'),
  uri: 'agent://other.example/*',
  baseUrl: 'https://other.example',
  may: ['mamp'],
  actions: [],
  agents: [TEAM.reader.id, TEAM.manager.id],
  allowPrivate: false,
}

export const withPeer = (peers: PeerConfig[] = [PEER]): Story => {
  const story = new Story()
  story.put('system:start', { ...teamConfig(), peers })
  return story
}

export const comesIn = (more: Partial<CommandOf<'takeFromOutside'>> = {}): CommandOf<'takeFromOutside'> => ({
  type: 'takeFromOutside',
  peer: PEER.id,
  protocol: 'mamp',
  from: URI,
  to: TEAM.reader.id,
  shared: null,
  theirs: 'msg-1',
  text: 'How long will it take?',
  attachments: [],
  needReply: null,
  inReplyTo: null,
  callback: null,
  status: 200,
  bytes: 100,
  sha: 'a'.repeat(64),
  body: null,
  ...more,
})

export const ADAPTER = 'system:adapter'
export const refusal = (story: Story, command: Command): string | null => {
  const decided = decide(story.world, { id: 'a-try', by: ADAPTER, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}
export const outsider = (story: Story): AgentRecord =>
  must(
    Object.values(story.world.agents).find((agent) => agent.kind === 'outside'),
    'agent outside',
  )
export const conversations = (story: Story): ConversationRecord[] =>
  Object.values(story.world.conversations[PEER.id] ?? {})
export const messagesOf = (story: Story, task: TaskId): MessageRecord[] =>
  Object.values(story.world.messages[task] ?? {})
export const reply = (more: Parameters<typeof says>[1] = { need_reply: false, waiting: false }) => says([], more)
export const delivered = (story: Story, more: Partial<CommandOf<'finishSending'>> = {}) => {
  const { task, message, agent } = must(selectOutgoing(story.world)[0], 'outgoing')
  story.put(ADAPTER, { type: 'startSending', task, message, agent, node: 'n1' })
  return story.put(ADAPTER, {
    type: 'finishSending',
    task,
    message,
    agent,
    verdict: 'delivered',
    status: 200,
    why: null,
    by: 'call',
    bytes: 10,
    sha: 'b'.repeat(64),
    body: null,
    shared: null,
    next: null,
    closes: false,
    ...more,
  })
}

/** Reader, in a task of ours, has asked the agent outside and waits for it. */
export function readerWaits(first: (story: Story) => void = () => {}): {
  story: Story
  task: TaskId
  agent: AgentId
  message: MessageId
} {
  const story = withPeer([{ ...PEER, uri: URI }])
  const agent = outsider(story).id
  first(story)
  story.put(TEAM.ana.id, {
    type: 'makeTask',
    name: 'Compare',
    intention: 'compare',
    manager: TEAM.manager.id,
    members: [TEAM.reader.id, agent],
    stages: [{ intention: 'compare', allocation: { [TEAM.reader.id]: 'ask outside' } }],
    reason: 'needed',
  })
  const task = must(
    Object.values(story.world.tasks).find((one: TaskRecord) => one.name === 'Compare'),
    'task',
  ).id
  story.run(TEAM.reader.id, () => outcomeOf({ steps: { insert: [], add: [planned('send_message')] } }))
  story.run(TEAM.reader.id, () => says([agent], { need_reply: true, waiting: true }))
  const message = must(selectOutgoing(story.world)[0], 'outgoing').message
  return { story, task, agent, message }
}

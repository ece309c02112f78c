/** Checkpoints: ours at each finished stage, other systems' when they report one. */
import { describe, expect, it } from 'vitest'
import { findCheckpoint } from '@/lib/mas/outside/outside'
import { ANA, ANALYST, goals, judges, MANAGER, plans, READER, stageAt, storyOf, submits } from '@/test/stories'
import { outcomeOf, Story, TEAM, teamConfig } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { CommandOf } from '../../commands/command'
import { asId, type PeerId, type StepId, type TaskId } from '../../ids'
import type { ModelCall } from '../../records'
import type { CheckpointRecord } from '../checkpointRecords'
import type { PeerConfig } from '../records'

describe('an agent of ours', () => {
  it('T-35 [R50] has one checkpoint for each stage in which its part is finished', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST), goals('compare', ANALYST))
    expect(story.world.checkpoints).toEqual({})
    submits(story, READER, 'read all')
    submits(story, ANALYST, 'helped')
    judges(story, stageAt(story.world, 0))
    const [first] = story.world.checkpoints[READER] ?? []
    expect(first).toMatchObject({
      agentName: 'reader',
      peer: null,
      task,
      session: task,
      stage: stageAt(story.world, 0).id,
    })
    expect(first?.label).toBe('Stage 1 of “Compare” finished')
    expect(JSON.parse(first?.metadata?.preview ?? '')).toMatchObject({ stage: 1, goal: 'read', summary: 'read all' })
    submits(story, ANALYST, 'compared')
    judges(story, stageAt(story.world, 1))
    expect(story.world.checkpoints[READER]).toHaveLength(1)
    expect(story.world.checkpoints[ANALYST]?.map(({ label }) => label)).toEqual([
      'Stage 1 of “Compare” finished',
      'Stage 2 of “Compare” finished',
    ])
  })
})

const callWith = (more: Partial<ModelCall>): ModelCall => ({
  id: 'call',
  attempt: 1,
  model: 'default',
  modelVersion: null,
  prompt: { sha: '', bytes: 0 },
  answer: null,
  outcome: 'taken',
  error: null,
  promptTokens: null,
  completionTokens: null,
  estimated: false,
  costUsd: null,
  firstTokenMs: null,
  totalMs: 1,
  at: 0,
  ...more,
})
const saidOf = (record: CheckpointRecord | undefined) => JSON.parse(record?.metadata?.preview ?? '')

it('004-13 [R161] tells the tokens, the cost and the files of the part, and leaves out what is not known', () => {
  const { story } = storyOf(goals('read', READER, ANALYST))
  plans(story, READER, 'think', 'summary')
  const first = callWith({ promptTokens: 120, completionTokens: 30, costUsd: 0.5 })
  const thought = story.run(READER, () => outcomeOf({ call: first }))
  const left = { path: 'prices/report.md', change: 'made', before: null, shared: false } as const
  story.put('system:run', {
    type: 'recordFiles',
    step: thought?.id ?? asId('none'),
    more: 0,
    complete: true,
    keep: 10,
    changes: [{ ...left, now: { sha: null, bytes: 1, kept: false } }],
  })
  story.run(READER, () =>
    outcomeOf({ sync: { update_stage_agent_completion: { summary: 'read' } }, call: callWith({ promptTokens: 80 }) }),
  )
  submits(story, ANALYST)
  judges(story, stageAt(story.world, 0))
  expect(saidOf(story.world.checkpoints[READER]?.[0])).toMatchObject({
    tokenUsage: { inputTokens: 200, outputTokens: 30, totalTokens: 230 },
    costUsd: 0.5,
    filesTouched: ['prices/report.md'],
  })
  const other = saidOf(story.world.checkpoints[ANALYST]?.[0])
  expect(other).toMatchObject({ filesTouched: [], sourcesConsulted: [] })
  expect([other.tokenUsage, other.costUsd]).toEqual([undefined, undefined])
})

it('004-14 [R161] the manager has a checkpoint of a finished task with the figures of all of it, none of a failed one', () => {
  const { story, task } = storyOf(goals('read', READER))
  plans(story, READER, 'think', 'summary')
  story.run(READER, () => outcomeOf({ call: callWith({ promptTokens: 120, completionTokens: 30 }) }))
  const finishes = (of: TaskId, state: 'finished' | 'failed') =>
    ({ type: 'finishTask', task: of, state, summary: 'all compared', reason: 'it is' }) as const
  story.put(ANA, finishes(task, 'finished'))
  const [last] = story.world.checkpoints[MANAGER] ?? []
  expect(last).toMatchObject({ agentName: 'manager', task, stage: null, label: '“Compare” finished' })
  expect(saidOf(last)).toMatchObject({ summary: 'all compared', tokenUsage: { totalTokens: 150 }, filesTouched: [] })
  const other = storyOf(goals('read', READER))
  other.story.put(ANA, finishes(other.task, 'failed'))
  expect(other.story.world.checkpoints).toEqual({})
})

it('004-14 [R161] an agent sets a milestone within its part, beside the checkpoint of the stage', () => {
  const { story, task } = storyOf(goals('read', READER))
  plans(story, READER, 'think', 'summary')
  const stage = stageAt(story.world, 0).id
  const call = callWith({ promptTokens: 7, completionTokens: 1 })
  const step = story.run(READER, () => outcomeOf({ call }))?.id ?? asId<StepId>('none')
  const milestone: CommandOf<'reportMilestone'> = {
    type: 'reportMilestone',
    agent: READER,
    task,
    stage,
    step,
    label: 'Both lists are read',
    metadata: { lines: 14, tokenUsage: 'none' },
  }
  story.put('system:agents', milestone)
  const [set] = story.world.checkpoints[READER] ?? []
  expect(set).toMatchObject({ label: 'Both lists are read', milestone: true, task, stage, session: task })
  // What the engine counted goes before what the agent says.
  expect(saidOf(set)).toMatchObject({ lines: 14, task: 'Compare', stage: 1, tokenUsage: { totalTokens: 8 } })
  const tried = (more: object) =>
    decide(story.world, { id: 'try', by: 'system:agents', command: { ...milestone, ...more } }, story.world.at + 1)
  expect(tried({ label: ' ' })).toMatchObject({ ok: false, fault: { code: 'EMPTY_TEXT' } })
  expect(tried({ agent: ANALYST })).toMatchObject({ ok: false, fault: { code: 'NOT_FOUND' } })
})

const PEER: PeerConfig = {
  id: asId<PeerId>('00000000-0000-4000-8000-00000000abcd'),
  uri: 'agent://other.example/*',
  baseUrl: null,
  may: ['map'],
  actions: [],
  agents: [TEAM.reader.id],
  allowPrivate: false,
}
const withPeer = (more: Partial<PeerConfig> = {}): Story => {
  const story = new Story()
  story.put('system:start', { ...teamConfig(), peers: [{ ...PEER, ...more }] })
  return story
}
const reports = (more: Partial<CommandOf<'reportCheckpoint'>> = {}): CommandOf<'reportCheckpoint'> => ({
  type: 'reportCheckpoint',
  peer: PEER.id,
  uri: 'agent://other.example/agent-1',
  agentName: 'agent-1',
  checkpoint: 'a1b2c3d4e5f6',
  label: 'Implement JWT authentication middleware',
  session: 'sess-abc',
  timestamp: null,
  metadata: null,
  ...more,
})
const refusal = (story: Story, command: CommandOf<'reportCheckpoint'>): string | null => {
  const decided = decide(story.world, { id: 'a-try', by: 'system:map', command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}

it('[R50] no checkpoint is made of a part that was not finished', () => {
  const { story } = storyOf(goals('read', READER, ANALYST))
  submits(story, READER, 'read all')
  story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'it will do' })
  expect(Object.keys(story.world.checkpoints)).toEqual([READER])
})

describe('an agent outside', () => {
  it('T-05 is one of the team as soon as it reports, and what it reported has a time', () => {
    const story = withPeer()
    story.put('system:map', reports())
    const checkpoint = findCheckpoint(story.world, 'a1b2c3d4e5f6')
    expect(checkpoint).toMatchObject({ agentName: 'agent-1', session: 'sess-abc', at: story.world.at })
    expect(story.world.agents[checkpoint?.agent ?? TEAM.ana.id]).toMatchObject({ kind: 'outside', name: 'agent-1' })
  })

  it('T-05 says a checkpoint anew under the same id, and nobody else does', () => {
    const story = withPeer()
    story.put('system:map', reports())
    story.put('system:map', reports({ label: 'Better', timestamp: 7 }))
    const { agent = TEAM.ana.id } = findCheckpoint(story.world, 'a1b2c3d4e5f6') ?? {}
    expect(story.world.checkpoints[agent]).toMatchObject([{ label: 'Better', at: 7 }])
    const other = reports({ uri: 'agent://other.example/agent-2', agentName: 'agent-2' })
    expect(refusal(story, other)).toBe('NOT_ALLOWED')
  })

  it('T-32 reports only for a peer that may, and only of its own agents', () => {
    expect(refusal(withPeer({ may: ['mamp'] }), reports())).toBe('NOT_ALLOWED')
    expect(refusal(withPeer(), reports({ uri: 'agent://stranger.example/agent-1' }))).toBe('NO_PEER')
    const two = withPeer()
    const second = {
      ...PEER,
      id: asId<PeerId>('00000000-0000-4000-8000-00000000eeee'),
      uri: 'agent://second.example/*',
    }
    two.put('system:start', { ...teamConfig(), peers: [PEER, second] })
    expect(refusal(two, reports({ uri: 'agent://second.example/agent-1' }))).toBe('NOT_ALLOWED')
    expect(refusal(two, reports({ uri: 'agent://second.example/agent-1', peer: second.id }))).toBeNull()
    const story = withPeer()
    expect(refusal(story, { ...reports(), peer: asId<PeerId>('00000000-0000-4000-8000-00000000ffff') })).toBe(
      'NOT_ALLOWED',
    )
  })

  it('T-35 cannot be reported by people', () => {
    const story = withPeer()
    expect(decide(story.world, { id: 'x', by: TEAM.ana.id, command: reports() }, 1).ok).toBe(false)
  })
})

it('[R50] each checkpoint comes with the text of its own metadata, and counts the steps of its own stage', () => {
  const { story } = storyOf(goals('read', READER, ANALYST), goals('compare', READER))
  plans(story, READER, 'think', 'summary')
  story.run(READER, () => outcomeOf({ call: callWith({ promptTokens: 120, completionTokens: 30 }) }))
  story.run(READER, () => outcomeOf({ sync: { update_stage_agent_completion: { summary: 'read' } } }))
  submits(story, ANALYST, 'helped')
  const ends = (place: number) => {
    const stage = stageAt(story.world, place).id
    const decided = story.put(ANA, { type: 'finishStage', stage, reason: 'it will do' })
    const kept = new Set((decided?.bodies ?? []).map(({ sha }) => sha))
    const told = (decided?.events ?? []).flatMap((one) => (one.type === 'checkpoint.reported' ? [one.metadata] : []))
    return told.map((ref) => ref !== null && kept.has(ref.sha))
  }
  expect(ends(0)).toEqual([true, true])
  submits(story, READER, 'compared')
  expect(ends(1)).toEqual([true])
  const [first, second] = story.world.checkpoints[READER] ?? []
  expect(saidOf(first)).toMatchObject({ stage: 1, tokenUsage: { totalTokens: 150 } })
  expect([saidOf(second).stage, saidOf(second).tokenUsage]).toEqual([2, undefined])
})

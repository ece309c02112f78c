/**
 * Checkpoints: ours at each finished stage, other systems' when they report one.
 *
 * Owns: what ours say, whose an id is. Not here: keys and formats (server/faces/map).
 */

import { Fault } from '@/lib/faults'
import type { AgentId } from '../ids'
import type { PeerRecord } from '../outsideRecords'
import type { StageRecord, TaskRecord } from '../records'
import { findCheckpoint } from '../selectors/checkpoints'
import type { CommandOf } from './command'
import type { DecisionContext } from './draft'
import { outsideAgentOf } from './outsideAgents'

/** One for each agent of ours whose part of the stage is finished. */
export function reportStage(draft: DecisionContext, task: TaskRecord, stage: StageRecord): void {
  const number = task.stageOrder.indexOf(stage.id) + 1
  for (const [agent, part] of Object.entries(stage.allocation) as [AgentId, string][]) {
    const record = draft.world.agents[agent]
    if (!record || record.kind === 'outside' || stage.parts[agent] !== 'finished') continue
    const metadata = {
      task: task.name,
      stage: number,
      goal: stage.intention,
      part,
      summary: stage.summaries[agent] ?? '',
      startedAt: stage.startedAt,
      endedAt: draft.at,
    }
    draft.emit('checkpoint.reported', {
      agent,
      agentName: record.configId ?? agent,
      checkpoint: draft.id(),
      peer: null,
      task: task.id,
      stage: stage.id,
      label: draft.say('stageCheckpoint', { n: number, task: task.name }),
      session: task.id,
      timestamp: null,
      metadata: draft.body(JSON.stringify(metadata), 'application/json'),
    })
  }
}

/** An agent of another system reports; the same id again is the same checkpoint, said anew. */
export function reportCheckpoint(draft: DecisionContext, wish: CommandOf<'reportCheckpoint'>): { checkpoint: string } {
  const peer = mustBeReporter(draft, wish)
  const agent = outsideAgentOf(draft, wish.uri)
  if (draft.world.agents[agent]?.outside?.peer !== peer.id) throw new Fault('NOT_ALLOWED', { what: 'speak for it' })
  const known = findCheckpoint(draft.world, wish.checkpoint)
  if (known && known.agent !== agent) throw new Fault('NOT_ALLOWED', { what: 'change a checkpoint of another agent' })
  draft.emit('checkpoint.reported', {
    agent,
    agentName: wish.agentName,
    checkpoint: wish.checkpoint,
    peer: peer.id,
    task: null,
    stage: null,
    label: wish.label,
    session: wish.session,
    timestamp: wish.timestamp,
    metadata: wish.metadata,
  })
  return { checkpoint: wish.checkpoint }
}

function mustBeReporter(draft: DecisionContext, { peer: id }: CommandOf<'reportCheckpoint'>): PeerRecord {
  const peer = draft.world.peers[id]
  if (!peer || peer.removed || !peer.may.includes('map')) throw new Fault('NOT_ALLOWED', { what: 'report checkpoints' })
  return peer
}

/** Checkpoints: ours at each finished stage, other systems' when they report one. */

import { Fault } from '@/lib/faults'
import type { AgentId } from '../../ids'
import type { PeerRecord } from '../../outsideRecords'
import type { StageRecord, TaskRecord } from '../../records'
import { findCheckpoint } from '../../selectors/checkpoints'
import type { CommandOf } from '../command'
import type { DecisionContext } from '../decisionContext'
import { outsideAgentOf } from '../effects/outside'

/** One for each agent of ours whose part of the stage is finished. */
export function reportStage(context: DecisionContext, task: TaskRecord, stage: StageRecord): void {
  const number = task.stageOrder.indexOf(stage.id) + 1
  for (const [agent, part] of Object.entries(stage.allocation) as [AgentId, string][]) {
    const record = context.world.agents[agent]
    if (!record || record.kind === 'outside' || stage.parts[agent] !== 'finished') continue
    const metadata = {
      task: task.name,
      stage: number,
      goal: stage.intention,
      part,
      summary: stage.summaries[agent] ?? '',
      startedAt: stage.startedAt,
      endedAt: context.at,
    }
    context.emit('checkpoint.reported', {
      agent,
      agentName: record.configId ?? agent,
      checkpoint: context.id(),
      peer: null,
      task: task.id,
      stage: stage.id,
      label: context.say('stageCheckpoint', { n: number, task: task.name }),
      session: task.id,
      timestamp: null,
      metadata: context.body(JSON.stringify(metadata), 'application/json'),
    })
  }
}

/**
 * An agent of another system reports; the same id again is the same checkpoint, said anew. Throws NOT_ALLOWED for an agent or a
 * checkpoint of another system.
 */
export function reportCheckpoint(
  context: DecisionContext,
  command: CommandOf<'reportCheckpoint'>,
): { checkpoint: string } {
  const peer = mustBeReporter(context, command)
  const agent = outsideAgentOf(context, command.uri)
  if (context.world.agents[agent]?.outside?.peer !== peer.id) throw new Fault('NOT_ALLOWED', { what: 'speak for it' })
  const known = findCheckpoint(context.world, command.checkpoint)
  if (known && known.agent !== agent) throw new Fault('NOT_ALLOWED', { what: 'change a checkpoint of another agent' })
  context.emit('checkpoint.reported', {
    agent,
    agentName: command.agentName,
    checkpoint: command.checkpoint,
    peer: peer.id,
    task: null,
    stage: null,
    label: command.label,
    session: command.session,
    timestamp: command.timestamp,
    metadata: command.metadata,
  })
  return { checkpoint: command.checkpoint }
}

function mustBeReporter(context: DecisionContext, { peer: id }: CommandOf<'reportCheckpoint'>): PeerRecord {
  const peer = context.world.peers[id]
  if (!peer || peer.removed || !peer.may.includes('map')) throw new Fault('NOT_ALLOWED', { what: 'report checkpoints' })
  return peer
}

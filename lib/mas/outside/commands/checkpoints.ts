/** Checkpoints: ours at each finished stage and task and where an agent sets one, other systems' when they report one. */

import { Fault } from '@/lib/faults'
import { withoutNotes } from '@/lib/mas/builtInNotes'
import { findCheckpoint } from '@/lib/mas/outside/outside'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, StageId, TaskId } from '../../ids'
import { isElsewhere } from '../../members/traits'
import type { AgentRecord, StageRecord, TaskRecord } from '../../records'
import { selectStagePlace } from '../../stages/plan'
import { stepsIn } from '../../steps/ownSteps'
import { selectEffortOfSteps, selectEffortOfTask } from '../../tasks/effort'
import { selectStep } from '../../team/agents'
import { mustBePeer, outsideAgentOf } from './conversations'

/** One for each agent of ours whose part of the stage is finished. */
export function reportStage(context: DecisionContext, task: TaskRecord, stage: StageRecord): void {
  const { number } = selectStagePlace(context.world, task.id, stage.id)
  for (const [agent, part] of Object.entries(stage.allocation) as [AgentId, string][]) {
    const record = context.world.agents[agent]
    if (!record || isElsewhere(context.world, agent) || stage.parts[agent] !== 'finished') continue
    const steps = stepsIn(context.world.steps[task.id]?.[agent]).filter((step) => step.stage === stage.id)
    const metadata = {
      task: task.name,
      stage: number,
      goal: stage.intention,
      part: withoutNotes(part),
      summary: withoutNotes(stage.summaries[agent] ?? ''),
      startedAt: stage.startedAt,
      endedAt: context.at,
      ...selectEffortOfSteps(context.world, steps),
    }
    const label = context.say('stageCheckpoint', { n: number, task: task.name })
    report(context, record, { task: task.id, stage: stage.id, label }, metadata)
  }
}

/** One for the manager of a task that was finished, with the figures of the whole task. A conversation is no such task. */
export function reportTask(context: DecisionContext, task: TaskRecord, summary: string): void {
  const record = task.manager === null ? undefined : context.world.agents[task.manager]
  if (!record || isElsewhere(context.world, record.id) || task.conversation) return
  const metadata = {
    task: task.name,
    goal: task.intention,
    summary,
    stages: task.stageOrder.length,
    startedAt: task.createdAt,
    endedAt: context.at,
    ...selectEffortOfTask(context.world, task.id),
  }
  const label = context.say('taskCheckpoint', { task: task.name })
  report(context, record, { task: task.id, stage: null, label }, metadata)
}

/** A checkpoint of one of ours. out: its id */
function report(
  context: DecisionContext,
  { id: agent, configId }: AgentRecord,
  about: { task: TaskId; stage: StageId | null; label: string; milestone?: true },
  metadata: object,
): string {
  const checkpoint = context.id()
  context.emit('checkpoint.reported', {
    ...about,
    agent,
    agentName: configId ?? agent,
    checkpoint,
    peer: null,
    session: about.task,
    timestamp: null,
    metadata: context.body(JSON.stringify(metadata), 'application/json'),
  })
  return checkpoint
}

/** An agent of ours sets a checkpoint during its work; known facts win over the agent's. Throws NOT_FOUND, EMPTY_TEXT. */
export function reportMilestone(
  context: DecisionContext,
  { agent, task, stage, step, label, metadata }: CommandOf<'reportMilestone'>,
): { checkpoint: string } {
  const [record, owner] = [context.world.agents[agent], context.world.tasks[task]]
  const own = selectStep(context.world, task, agent, step)
  if (!record || !owner || !own) throw new Fault('NOT_FOUND', { what: 'step', id: step })
  if (label.trim() === '') throw new Fault('EMPTY_TEXT')
  const { number } = selectStagePlace(context.world, task, stage)
  const steps = stepsIn(context.world.steps[task]?.[agent]).filter(
    (one) => one.stage === own.stage && one.thread === own.thread,
  )
  const facts = { task: owner.name, ...(number === 0 ? {} : { stage: number }), at: context.at }
  const said = { ...metadata, ...facts, ...selectEffortOfSteps(context.world, steps) }
  return { checkpoint: report(context, record, { task, stage, label, milestone: true }, said) }
}

/** The same id again replaces the checkpoint. Throws NOT_ALLOWED for an agent or a checkpoint of another system. */
export function reportCheckpoint(
  context: DecisionContext,
  command: CommandOf<'reportCheckpoint'>,
): { checkpoint: string } {
  const { type: _, uri, ...said } = command
  const peer = mustBePeer(context, command.peer, 'map', 'report checkpoints')
  const agent = outsideAgentOf(context, uri)
  if (context.world.agents[agent]?.outside?.peer !== peer.id) throw new Fault('NOT_ALLOWED', { what: 'speak for it' })
  const known = findCheckpoint(context.world, said.checkpoint)
  if (known && known.agent !== agent) throw new Fault('NOT_ALLOWED', { what: 'change a checkpoint of another agent' })
  context.emit('checkpoint.reported', { ...said, agent, task: null, stage: null })
  return { checkpoint: said.checkpoint }
}

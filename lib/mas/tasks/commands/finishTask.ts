/** A task ends. */

import type { DecisionContext } from '../../commands/decisionContext'
import { type StepId, SYSTEM_TASK } from '../../ids'
import { isElsewhere } from '../../members/traits'
import { deliver, deliverSystem } from '../../messages/commands/deliver'
import { reportTask } from '../../outside/commands/checkpoints'
import { closeConversationsOf } from '../../outside/commands/conversations'
import { releasedFiles, tellRequester } from '../../outside/commands/outsideWork'
import type { StructuredResult, TaskRecord } from '../../records'
import type { Said } from '../../said'
import { endStage } from '../../stages/commands/stages'
import { selectRunningStage } from '../../stages/plan'
import { isPartOver } from '../../statuses'
import { endOf } from '../../steps/commands/endings'
import { isPresent } from '../../team/agents'

type TaskEnd = { state: 'finished' | 'failed'; summary: string; result?: StructuredResult }

/** Ends a task with everything in it; its members and its requester are notified. */
export function finishTask(context: DecisionContext, task: TaskRecord, end: TaskEnd, by: StepId | null): void {
  const { state, summary, result } = end
  const why = context.say('ended', { what: context.say('theTask') })
  const running = selectRunningStage(context.world, task.id)
  if (running) {
    // Where nobody works in it any more, the judgement of the task is that of its last stage.
    const isReached = state === 'finished' && Object.values(running.parts).every(isPartOver)
    endStage(context, task, running, by, isReached ? { failed: null } : { failed: why, replacedBy: null })
  }
  context.emit('task.finished', { task: task.id, ...end })
  if (state === 'finished') reportTask(context, task, summary)
  endOf(context, { kind: 'task', task: task.id }, context.say('theTask'), by)
  closeConversationsOf(context, task.id, why)
  const ended = (says: string): Said =>
    context.said('taskEnded', { name: task.name, failed: state === 'failed', summary: says })
  const says = withHeadline(summary, result)
  const text = ended(says)
  deliverSystem(context, {
    task: task.id,
    receivers: task.group,
    text,
    instruction: { type: 'finish_task' },
  })
  tellAsker(context, task, text)
  const named = [says, ...(result?.facts ?? []).map(({ value, source }) => `${value} ${source ?? ''}`)].join('\n')
  const { files, left } = state === 'finished' ? releasedFiles(context, task, named) : { files: [], left: [] }
  const lacking = left.length === 0 ? '' : ` ${context.say('filesNotSent', { names: left.join(', ') })}`
  tellRequester(context, task, ended(`${says}${lacking}`), files)
}

/** The summary behind its headline, unless it begins with it. */
const withHeadline = (summary: string, result: StructuredResult | undefined): string => {
  const headline = result?.headline ?? null
  return headline === null || summary.startsWith(headline) ? summary : `${headline}\n\n${summary}`
}

/** Tell the person who asked, in the task and thread where they asked. */
function tellAsker(context: DecisionContext, task: TaskRecord, text: Said): void {
  if (task.requestedBy === null || task.requestedIn === null || !isPresent(context.world, task.requestedBy)) return
  if (isElsewhere(context.world, task.requestedBy)) return
  deliver(context, {
    task: task.requestedIn.task,
    sender: SYSTEM_TASK,
    receivers: [task.requestedBy],
    text,
    thread: task.requestedIn.thread,
  })
}

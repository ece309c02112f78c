/** Agents, tasks and stages as an answer names them. */

import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, StageId, TaskId } from '../../ids'
import { outsideAgentOf } from '../../outside/commands/conversations'
import { isPattern, selectPeerOf } from '../../outside/outside'
import type { AgentRecord, NewStage, StageRecord, StepRecord, TaskRecord } from '../../records'
import { whyNoRetry } from '../../stages/commands/stages'
import { selectPlan, selectRunningStage } from '../../stages/plan'
import { isTaskOver } from '../../statuses'
import { stageNameFrom } from '../../tasks/taskTitle'
import { agentNamed, namesWithHandles, stageHandle, stageNamed, taskHandle, taskNamed } from '../../team/handles'
import type { PlannedStage } from '../outcome'

/** The handles of these stages of a task. */
export const handlesOf = (context: DecisionContext, task: TaskId, stages: readonly StageId[]): string[] =>
  stages.flatMap((id) => {
    const stage = context.world.stages[task]?.[id]
    return stage ? [stageHandle(context.world, stage)] : []
  })

/** An answer asks for what cannot be; the message tells the model why. */
export class Refused extends Error {}

/** The agents by id. Throws Refused with the names that match none, and possible candidates. */
export function agentsNamed(
  context: DecisionContext,
  task: TaskRecord,
  texts: string[],
  among: readonly AgentId[] | null = null,
): AgentId[] {
  const found = texts.map((text) => ({
    text,
    agent: agentNamed(context.world, text, task.id) ?? metByUri(context, text),
  }))
  const unknown = found.filter(({ agent }) => agent === null || agent.removed).map(({ text }) => text)
  if (unknown.length > 0)
    throw new Refused(`${context.say('unknownAgents', { ids: unknown.join(', ') })} ${sayAgents(context, among)}`)
  return found.flatMap(({ agent }) => (agent ? [agent.id] : []))
}

/** An agent of a known system joins the team when it is first named; null: the text is no URI of one. */
function metByUri(context: DecisionContext, text: string): AgentRecord | null {
  const uri = text.trim()
  if (!uri.startsWith('agent://') || isPattern(uri) || selectPeerOf(context.world, uri) === null) return null
  const id = outsideAgentOf(context, uri)
  return context.world.agents[id] ?? null
}

/** So many names help to choose from; more are looked up with ask_info. */
const MOST_NAMED = 30

/** Those who could be meant: of this list, else of the whole team. */
export function sayAgents(context: DecisionContext, among: readonly AgentId[] | null): string {
  const { world } = context
  const all: AgentRecord[] =
    among === null ? Object.values(world.agents) : among.flatMap((id) => world.agents[id] ?? [])
  const agents = all.filter((agent) => !agent.removed)
  const names = namesWithHandles(world, agents.slice(0, MOST_NAMED))
  return context.say('namesAre', { names: agents.length > MOST_NAMED ? `${names} …` : names })
}

/** The stages of a task with their states, for a refusal. */
function sayStages(context: DecisionContext, task: TaskRecord): string {
  const stages = selectPlan(context.world, task.id)
  return context.say('stagesAre', {
    stages: stages.map((stage) => `${stageHandle(context.world, stage)} ${stage.state}`).join(', ') || '-',
  })
}

/** The task that an answer means: without a name the one at hand, in the base task the only one that the agent manages. */
export function taskMeant(context: DecisionContext, step: StepRecord, named: string | undefined): TaskRecord {
  const here = context.world.tasks[step.task]
  const own = managedBy(context, step)
  const [only, another] = here?.base ? own : here ? [here] : []
  const task = named === undefined ? (another === undefined ? only : undefined) : taskNamed(context.world, named)
  if (task) return task
  throw new Refused(
    named === undefined ? `${context.say('taskMissing')} ${sayTasks(context, own)}` : unknownTask(context, step, named),
  )
}

const managedBy = (context: DecisionContext, { agent }: StepRecord): TaskRecord[] =>
  Object.values(context.world.tasks).filter(
    (task: TaskRecord) => task.manager === agent && !task.base && !isTaskOver(task),
  )

const sayTasks = (context: DecisionContext, tasks: readonly TaskRecord[]): string =>
  context.say('tasksAre', { names: tasks.map((task) => `${task.name} (${taskHandle(task)})`).join(', ') || '-' })

/** That there is no such task, with those that the agent manages. */
function unknownTask(context: DecisionContext, step: StepRecord, text: string): string {
  return `${context.say('unknownTask', { id: text })} ${sayTasks(context, managedBy(context, step))}`
}

/** The stages that an answer plans, by ids. Throws Refused where they cannot be planned. */
export function stagesOf(context: DecisionContext, task: TaskRecord, planned: PlannedStage[]): NewStage[] {
  if (planned.length === 0) throw new Refused(context.say('noStages'))
  return planned.map(({ stage_name = '', stage_intention, agent_allocation, needs }) => {
    const entries = Object.entries(agent_allocation)
    if (entries.length === 0) throw new Refused(context.say('emptyAllocation'))
    const agents = agentsNamed(
      context,
      task,
      entries.map(([id]) => id),
    )
    const allocation = Object.fromEntries(agents.map((agent, index) => [agent, entries[index]?.[1] ?? '']))
    const needed = needsOf(context, task, allocation, needs ?? {})
    const name = stageNameFrom(stage_name)
    return { ...(name === '' ? {} : { name }), intention: stage_intention, allocation, ...needed }
  })
}

/** Whose results each part needs, by ids. All of them have a part in the stage, and none needs itself by a way round. */
function needsOf(
  context: DecisionContext,
  task: TaskRecord,
  allocation: Record<AgentId, string>,
  needs: Record<string, string[]>,
): { needs?: Record<AgentId, AgentId[]> } {
  const found: Record<AgentId, AgentId[]> = {}
  for (const [text, others] of Object.entries(needs)) {
    const named = agentsNamed(context, task, [text, ...others])
    const [agent, ...needed] = named
    if (agent === undefined) continue
    const strangers = named.filter((one) => allocation[one] === undefined)
    if (strangers.length > 0)
      throw new Refused(context.say('needsNoPart', { names: context.nameList(strangers).join(', ') }))
    found[agent] = needed
  }
  const isCircular = (agent: AgentId, above: AgentId[] = []): boolean =>
    above.includes(agent) || (found[agent] ?? []).some((one) => isCircular(one, [...above, agent]))
  if ((Object.keys(found) as AgentId[]).some((agent) => isCircular(agent)))
    throw new Refused(context.say('needsCircle'))
  return Object.keys(found).length === 0 ? {} : { needs: found }
}

/** whyNot: a message; null: the stage is valid */
function stageIn(
  context: DecisionContext,
  task: TaskRecord,
  id: string,
  whyNot: (stage: StageRecord) => string | null,
): StageRecord {
  const stage = stageNamed(context.world, task.id, id)
  const why = stage ? whyNot(stage) : context.say('unknownStage', { id })
  if (!stage || why !== null) throw new Refused(`${why} ${sayStages(context, task)}`)
  return stage
}

/** The running stage, also where an answer does not name it. Throws Refused where there is none, or it names another. */
export const runningOf = (context: DecisionContext, task: TaskRecord, named: string | undefined): StageRecord =>
  stageIn(context, task, named ?? selectRunningStage(context.world, task.id)?.id ?? '-', ({ state }) =>
    state === 'running' ? null : context.say('stageNotRunning'),
  )

/** The stage that an answer names, if it can be retried. Throws Refused. */
export const retriableOf = (context: DecisionContext, task: TaskRecord, id: string): StageRecord =>
  stageIn(context, task, id, (stage) => {
    const whyNot = whyNoRetry(context, stage)
    return whyNot && context.say(whyNot === 'isRetried' ? 'retriedAlready' : 'stageNotRunning')
  })

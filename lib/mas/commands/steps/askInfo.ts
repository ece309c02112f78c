/**
 * The system's answers to ask_info: what an agent may know of tasks, stages and others, as readable text with handles.
 *
 * No pools, credentials or drafts of others.
 */

import type { AgentId, TaskId } from '../../ids'
import type { AskInfo } from '../../outcome'
import type { AgentRecord, StageRecord, TaskRecord, World } from '../../records'
import { SKILLS } from '../../records'
import { selectStepsInOrder, selectWorkingState } from '../../selectors/agents'
import { agentNamed, namesWithHandles, stageHandle, stageNamed, taskHandle, taskNamed } from '../../selectors/handles'
import { isTaskOver } from '../../statuses'
import { sayInLanguage } from '../../words'

export const ANSWER_CHARACTERS = 8_000

/** Who asks, and in which task. */
type Asking = { agent: AgentId; task: TaskId }

/** The answer to a question that an agent asks in a task. */
export function answerInfo(world: World, asking: Asking, question: AskInfo): string {
  const lines = linesFor(world, asking, question)
  const text = lines.join('\n')
  if (text.length <= ANSWER_CHARACTERS) return text
  const kept: string[] = []
  let length = 0
  for (const line of lines) {
    if (length + line.length + 1 > ANSWER_CHARACTERS - 200) break
    kept.push(line)
    length += line.length + 1
  }
  kept.push(`(${kept.length} of ${lines.length} lines. Ask narrower: one task, one stage, or single agents by name.)`)
  return kept.join('\n')
}

function linesFor(world: World, asking: Asking, question: AskInfo): string[] {
  const asker = asking.agent
  const tasks = Object.values(world.tasks)
  switch (question.type) {
    case 'managed_tasks':
      return tasks.filter((task) => task.manager === asker && !task.load).flatMap((task) => taskLines(world, task))
    case 'my_tasks':
      return tasks
        .filter((task) => task.group.includes(asker) && !task.load)
        .flatMap((task) => taskLines(world, task, (stage) => stage.allocation[asker] !== undefined))
    case 'task': {
      const task = taskNamed(world, question.task_id)
      if (!task) return [sayInLanguage(world.team.language, 'unknownTask', { id: question.task_id })]
      return mayRead(world, asker, task)
        ? taskLines(world, task)
        : [sayInLanguage(world.team.language, 'notPartOfTask')]
    }
    case 'stage': {
      const found = findStage(world, asking, question.stage_id)
      if (!found) return [sayInLanguage(world.team.language, 'unknownStage', { id: question.stage_id })]
      return mayRead(world, asker, found.task)
        ? stageLines(world, found.task, found.stage)
        : [sayInLanguage(world.team.language, 'notPartOfTask')]
    }
    case 'startable_agents':
      return world.team.startable.map(
        (config) =>
          `config_id ${config.configId}: ${config.name}, ${config.role}. ${config.profile} ${abilities(config)}`,
      )
    case 'agents_in_mas':
    case 'agents_in_team':
      return Object.values(world.agents)
        .filter((agent) => !agent.removed)
        .map((agent) => profileLine(world, agent))
    case 'agents_in_task': {
      const task = taskNamed(world, question.task_id)
      if (!task) return [sayInLanguage(world.team.language, 'unknownTask', { id: question.task_id })]
      return mayRead(world, asker, task)
        ? profiles(world, task.group)
        : [sayInLanguage(world.team.language, 'notPartOfTask')]
    }
    case 'agents_in_stage': {
      const found = findStage(world, asking, question.stage_id)
      if (!found) return [sayInLanguage(world.team.language, 'unknownStage', { id: question.stage_id })]
      return mayRead(world, asker, found.task)
        ? profiles(world, Object.keys(found.stage.allocation) as AgentId[])
        : [sayInLanguage(world.team.language, 'notPartOfTask')]
    }
    case 'agent_states':
      return question.agents.flatMap((id) => {
        const agent = agentNamed(world, id, asking.task)
        return agent ? stateLines(world, agent) : [sayInLanguage(world.team.language, 'unknownAgents', { ids: id })]
      })
    case 'skills_and_tools':
      return [
        ...SKILLS.map((skill) => `skill ${skill}`),
        ...Object.entries(world.team.toolGuides).map(([name, guide]) => `tool ${name}: ${guide}`),
      ]
    default:
      return question satisfies never
  }
}

const mayRead = (world: World, asker: AgentId, task: TaskRecord): boolean =>
  task.group.includes(asker) || world.agents[asker]?.manager === true

/** A stage of the task at hand, else of the one task that has it among those that the asker may read; by its id, of any. */
function findStage(
  world: World,
  { agent, task: here }: Asking,
  text: string,
): { task: TaskRecord; stage: StageRecord } | null {
  const found = Object.values(world.tasks).flatMap((task: TaskRecord) => {
    // That of the base task is no work of anybody.
    const stage = task.base ? null : stageNamed(world, task.id, text)
    return stage ? [{ task, stage }] : []
  })
  const readable = found.filter(({ task }) => mayRead(world, agent, task))
  const own = found.filter(({ task }) => task.id === here)
  const exact = found.filter(({ stage }) => stage.id === text)
  return [own, readable, exact].find(({ length }) => length === 1)?.[0] ?? null
}

const nameOf = (world: World, id: AgentId): string => world.agents[id]?.name ?? id

const calledOf = (world: World, ids: readonly AgentId[]): string =>
  namesWithHandles(
    world,
    ids.flatMap((id) => world.agents[id] ?? []),
  )

function taskLines(world: World, task: TaskRecord, showsStage: (stage: StageRecord) => boolean = () => true): string[] {
  const stages = task.stageOrder.flatMap((id) => world.stages[task.id]?.[id] ?? []).filter((stage) => showsStage(stage))
  return [
    `task ${task.name} (task_id ${taskHandle(task)}): ${task.state}${isTaskOver(task) ? `, summary: ${task.summary ?? ''}` : ''}`,
    `  goal: ${task.intention}`,
    `  manager: ${calledOf(world, [task.manager])}; members: ${calledOf(world, task.group)}`,
    ...(task.requestedBy ? [`  asked for by: ${calledOf(world, [task.requestedBy])}`] : []),
    ...stages.flatMap((stage) => stageLines(world, task, stage)),
  ]
}

function stageLines(world: World, task: TaskRecord, stage: StageRecord): string[] {
  return [
    `  stage ${task.stageOrder.indexOf(stage.id) + 1} of ${task.stageOrder.length} (stage_id ${stageHandle(world, stage)}): ${stage.state}. ${stage.intention}`,
    ...(Object.entries(stage.allocation) as [AgentId, string][]).map(
      ([agent, goal]) =>
        `    ${calledOf(world, [agent])}: ${stage.parts[agent] ?? 'idle'}. goal: ${goal}${stage.summaries[agent] === undefined ? '' : ` summary: ${stage.summaries[agent]}`}`,
    ),
  ]
}

const abilities = (agent: { skills: string[]; tools: string[] }): string =>
  `skills: ${agent.skills.join(', ')}; tools: ${agent.tools.join(', ') || 'none'}.`

const KINDS = { human: 'person', llm: 'agent', outside: 'agent of another system' } as const

const profileLine = (world: World, agent: AgentRecord): string =>
  `${namesWithHandles(world, [agent])}: ${KINDS[agent.kind]}, ${agent.role}. ${agent.profile} ${agent.kind === 'llm' ? abilities(agent) : ''} ${selectWorkingState(world, agent.id)}`

const profiles = (world: World, ids: readonly AgentId[]): string[] =>
  ids.flatMap((id) => {
    const agent = world.agents[id]
    return agent ? [profileLine(world, agent)] : []
  })

function stateLines(world: World, agent: AgentRecord): string[] {
  const work = world.work[agent.id]
  const locks = work?.locks ?? []
  return [
    profileLine(world, agent),
    `  waits for: ${locks.map((lock) => (lock.on === null ? 'a confirmation' : nameOf(world, lock.on))).join(', ') || 'nobody'}`,
    `  steps to come: ${work?.todo.length ?? 0}`,
    ...(Object.keys(world.steps) as TaskId[]).flatMap((task) => {
      const steps = selectStepsInOrder(world, task, agent.id, undefined).filter((step) => !step.retired)
      const name = world.tasks[task]?.name ?? task
      return steps.length === 0
        ? []
        : [`  in ${name}: ${steps.map((step) => `${step.executor} ${step.state}`).join(', ')}`]
    }),
  ]
}

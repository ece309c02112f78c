/** Tasks, stages, agents and what was said, as the answers to ask_info write them: names and handles, no ids. */

import type { AgentId, StageId, TaskId } from '../../ids'
import { runsSteps } from '../../members/traits'
import type { AgentRecord, InfoLine, MessageRecord, StageRecord, StepRecord, TaskRecord, World } from '../../records'
import { sayNames } from '../../said'
import { selectPlan } from '../../stages/plan'
import { isPartOver, isStageOver, isStepOver, isTaskOver } from '../../statuses'
import { selectStepsInOrder, selectWorkingState } from '../../team/agents'
import { namesWithHandles, stageHandle, taskHandle } from '../../team/handles'
import { sayInLanguage, type WordData, type WordKey } from '../../words'
import { stepsIn } from '../ownSteps'

/** out: says what an answer needs, in the team's language */
export const sayer =
  ({ team }: World) =>
  <Key extends WordKey>(key: Key, ...data: WordData<Key>): string =>
    sayInLanguage(team.language, key, ...data)

/** `goal: read it`, with the colon of the team's language. */
export const labelled = ({ team }: World, label: string, text: string): string =>
  sayInLanguage(team.language, 'labelled', { label, text })

const nameOf = (world: World, id: AgentId): string => {
  const agent = world.agents[id]
  return agent === undefined ? '?' : namesWithHandles(world, [agent])
}
const namesOf = (world: World, ids: readonly AgentId[]): string =>
  namesWithHandles(
    world,
    ids.flatMap((id) => world.agents[id] ?? []),
  )
const taskName = (task: TaskRecord): string => `${task.name} (${taskHandle(task)})`

/** A task with its stages, as lines for a prompt. */
export function taskLines(
  world: World,
  task: TaskRecord,
  showsStage: (stage: StageRecord) => boolean = () => true,
): string[] {
  const say = sayer(world)
  const stages = selectPlan(world, task.id).filter((stage) => showsStage(stage))
  const ended = isTaskOver(task) ? `, ${labelled(world, say('summary'), task.summary ?? '')}` : ''
  return [
    `${say('infoTask', { name: task.name, handle: taskHandle(task), state: say('state', task) })}${ended}`,
    `  ${labelled(world, say('goal'), task.intention)}`,
    `  ${task.manager === null ? '' : `${labelled(world, say('manager'), nameOf(world, task.manager))}; `}${labelled(world, say('members'), namesOf(world, task.group))}`,
    ...(task.requestedBy ? [`  ${labelled(world, say('askedFor'), nameOf(world, task.requestedBy))}`] : []),
    ...stages.flatMap((stage) => stageLines(world, stage)),
  ]
}

/** A stage with the state of each part, as lines for a prompt. */
export function stageLines(world: World, stage: StageRecord): string[] {
  const say = sayer(world)
  const parts = (Object.entries(stage.allocation) as [AgentId, string][]).map(([agent, goal]) => {
    const [summary, why] = [stage.summaries[agent], stage.partReasons[agent]]
    return [
      `    ${labelled(world, nameOf(world, agent), say('state', { state: stage.parts[agent] ?? 'idle' }))}`,
      labelled(world, say('goal'), goal),
      ...(summary === undefined ? [] : [labelled(world, say('summary'), summary)]),
      ...(why === undefined ? [] : [labelled(world, say('reason'), why)]),
    ].join('. ')
  })
  return [`  ${labelled(world, stageHandle(world, stage), `${say('state', stage)}. ${stage.intention}`)}`, ...parts]
}

/** Its skills and tools as one line. */
export function abilities(world: World, agent: Pick<AgentRecord, 'skills' | 'tools'>): string {
  const say = sayer(world)
  return `${labelled(world, say('skills'), agent.skills.join(', '))}; ${labelled(world, say('tools'), agent.tools.join(', ') || say('none'))}.`
}

/** Who it is, what it can do, and whether it works. */
export function profileLine(world: World, agent: AgentRecord): string {
  const say = sayer(world)
  const about = [say('agentKind', agent), `${agent.role}.`].join(', ')
  const can = runsSteps(world, agent.id) ? abilities(world, agent) : ''
  const text = [about, agent.profile, can, say('state', { state: selectWorkingState(world, agent.id) })]
  return labelled(world, nameOf(world, agent.id), text.filter(Boolean).join(' '))
}

/** What the one who asks may see of the steps and notes of others: those of its own tasks. */
export type InfoReach = (task: TaskId, step?: StepRecord) => boolean

/** The full state of an agent: model, waits, what is to come, working memory with the intentions, memory. */
export function stateLines(world: World, agent: AgentRecord, sees: InfoReach): string[] {
  const say = sayer(world)
  const work = world.work[agent.id]
  const waits = (work?.locks ?? []).map((lock) => (lock.on === null ? say('confirmation') : nameOf(world, lock.on)))
  return [
    profileLine(world, agent),
    ...(runsSteps(world, agent.id) ? [`  ${labelled(world, say('model'), agent.model)}`] : []),
    ...(agent.paused === null ? [] : [`  ${labelled(world, say('paused'), agent.paused.reason)}`]),
    `  ${labelled(world, say('waitsFor'), waits.length === 0 ? say('nobody') : sayNames(world.team.language, waits))}`,
    `  ${labelled(world, say('toCome'), String(work?.todo.length ?? 0))}`,
    ...workingLines(world, agent, sees),
    ...memoryLines(world, agent, sees),
  ]
}

function workingLines(world: World, agent: AgentRecord, sees: InfoReach): string[] {
  const say = sayer(world)
  const lines: string[] = []
  let [hiddenTasks, hiddenSteps] = [0, 0]
  for (const task of Object.values<TaskRecord>(world.tasks)) {
    const live = stepsIn(world.steps[task.id]?.[agent.id]).filter(({ retired }) => !retired)
    if (!sees(task.id)) {
      hiddenTasks += live.length > 0 ? 1 : 0
      hiddenSteps += live.length
      continue
    }
    for (const stage of placesOf(world, task, agent.id)) {
      const own = selectStepsInOrder(world, task.id, agent.id, stage?.id ?? null)
      const steps = own.filter((step) => !step.retired && sees(task.id, step) && (stage !== null || !isStepOver(step)))
      if (steps.length === 0 && stage === null) continue
      const where = stage === null ? say('noStage') : stageHandle(world, stage)
      const said = steps.length === 0 ? say('nothingYet') : ''
      lines.push(`  ${labelled(world, say('inTask', { task: taskName(task), where }), said)}`.trimEnd())
      for (const step of steps)
        lines.push(`    ${labelled(world, `${step.executor} ${say('state', step)}`, step.intention)}`)
    }
  }
  return hiddenTasks === 0
    ? lines
    : [...lines, `  ${say('stepsElsewhere', { tasks: hiddenTasks, steps: hiddenSteps })}`]
}

/** The stages in which the agent has work that is not taken away from it, and its work outside of them. */
function placesOf(world: World, task: TaskRecord, agent: AgentId): (StageRecord | null)[] {
  const live = new Set<StageId | null>(
    stepsIn(world.steps[task.id]?.[agent]).flatMap((step) => (step.retired ? [] : [step.stage])),
  )
  const stages = selectPlan(world, task.id)
  const open = (stage: StageRecord): boolean =>
    stage.allocation[agent] !== undefined && !isStageOver(stage) && !isPartOver(stage.parts[agent])
  const own = stages.filter((stage) => live.has(stage.id) || open(stage))
  return live.has(null) ? [...own, null] : own
}

function memoryLines(world: World, agent: AgentRecord, sees: InfoReach): string[] {
  const say = sayer(world)
  const notes = world.memory[agent.id] ?? []
  const shown = notes.filter(({ task }) => task === null || sees(task))
  const hidden = notes.length - shown.length
  return [
    ...(notes.length === 0 ? [] : [`  ${labelled(world, say('memory'), '').trimEnd()}`]),
    ...shown.map(({ key, text }) => `    ${labelled(world, key, text)}`),
    ...(hidden === 0 ? [] : [`    ${say('notesElsewhere', { n: hidden })}`]),
  ]
}

const clockOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`
const stageOf = (world: World, task: TaskId, stage: StageId | null): string => {
  const record = stage === null ? undefined : world.stages[task]?.[stage]
  return record === undefined ? '' : `, ${stageHandle(world, record)}`
}

/** When, from whom, to whom, and its text. */
export function messageLine(world: World, message: MessageRecord): string {
  const { sender, receivers } = message
  const from = sender === 'system:task' ? sayInLanguage(world.team.language, 'theTask') : nameOf(world, sender)
  const to = receivers.length === 0 ? '' : ` → ${namesOf(world, receivers)}`
  const head = `${clockOf(message.at)} ${from}${to}${stageOf(world, message.task, message.stage)}`
  return labelled(world, head, message.text)
}

/** When, from whom, and its text. */
export function infoLine(world: World, task: TaskId, line: InfoLine): string {
  const head = `${clockOf(line.at)} ${nameOf(world, line.agent)}${stageOf(world, task, line.stage)}`
  return labelled(world, head, line.content)
}

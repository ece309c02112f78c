/** Tasks, stages, agents and what was said, as the answers to ask_info write them: names and handles, no ids. */
import type { AgentId, StageId, TaskId } from '../../ids'
import { stepsIn } from '../../ownSteps'
import type { AgentRecord, InfoLine, MessageRecord, StageRecord, StepRecord, TaskRecord, World } from '../../records'
import { sayNames } from '../../said'
import { selectStepsInOrder, selectWorkingState } from '../../selectors/agents'
import { namesWithHandles, stageHandle, taskHandle } from '../../selectors/handles'
import { isPartOver, isStageOver, isStepOver, isTaskOver } from '../../statuses'
import { sayInLanguage } from '../../words'
import { INFO_WORDS, type InfoWords, labelled } from './infoWords'

/** In the team's language. */
export const wordsOf = (world: World): InfoWords => INFO_WORDS[world.team.language]

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
  const words = wordsOf(world)
  const stages = task.stageOrder.flatMap((id) => world.stages[task.id]?.[id] ?? []).filter((stage) => showsStage(stage))
  const ended = isTaskOver(task) ? `, ${labelled(words, words.summary, task.summary ?? '')}` : ''
  const { manager, members, goal, askedBy } = words
  return [
    `${words.task(task.name, taskHandle(task), words.states[task.state])}${ended}`,
    `  ${labelled(words, goal, task.intention)}`,
    `  ${labelled(words, manager, nameOf(world, task.manager))}; ${labelled(words, members, namesOf(world, task.group))}`,
    ...(task.requestedBy ? [`  ${labelled(words, askedBy, nameOf(world, task.requestedBy))}`] : []),
    ...stages.flatMap((stage) => stageLines(world, stage)),
  ]
}

/** A stage with the state of each part, as lines for a prompt. */
export function stageLines(world: World, stage: StageRecord): string[] {
  const words = wordsOf(world)
  const parts = (Object.entries(stage.allocation) as [AgentId, string][]).map(([agent, goal]) => {
    const [summary, why] = [stage.summaries[agent], stage.partReasons[agent]]
    return [
      `    ${labelled(words, nameOf(world, agent), words.states[stage.parts[agent] ?? 'idle'])}`,
      labelled(words, words.goal, goal),
      ...(summary === undefined ? [] : [labelled(words, words.summary, summary)]),
      ...(why === undefined ? [] : [labelled(words, words.reason, why)]),
    ].join('. ')
  })
  return [
    `  ${labelled(words, stageHandle(world, stage), `${words.states[stage.state]}. ${stage.intention}`)}`,
    ...parts,
  ]
}

/** Its skills and tools as one line. */
export function abilities(world: World, agent: Pick<AgentRecord, 'skills' | 'tools'>): string {
  const words = wordsOf(world)
  return `${labelled(words, words.skills, agent.skills.join(', '))}; ${labelled(words, words.tools, agent.tools.join(', ') || words.none)}.`
}

/** Who it is, what it can do, and whether it works. */
export function profileLine(world: World, agent: AgentRecord): string {
  const words = wordsOf(world)
  const about = [words.kinds[agent.kind], `${agent.role}.`].join(', ')
  const can = agent.kind === 'llm' ? abilities(world, agent) : ''
  const text = [about, agent.profile, can, words.states[selectWorkingState(world, agent.id)]]
  return labelled(words, nameOf(world, agent.id), text.filter(Boolean).join(' '))
}

/** What the one who asks may see of the steps and notes of others: those of its own tasks. */
export type InfoReach = (task: TaskId, step?: StepRecord) => boolean

/** The full state of an agent: model, waits, what is to come, working memory with the intentions, memory. */
export function stateLines(world: World, agent: AgentRecord, sees: InfoReach): string[] {
  const words = wordsOf(world)
  const work = world.work[agent.id]
  const waits = (work?.locks ?? []).map((lock) => (lock.on === null ? words.confirmation : nameOf(world, lock.on)))
  return [
    profileLine(world, agent),
    ...(agent.kind === 'llm' ? [`  ${labelled(words, words.model, agent.model)}`] : []),
    ...(agent.paused === null ? [] : [`  ${labelled(words, words.paused, agent.paused.reason)}`]),
    `  ${labelled(words, words.waitsFor, waits.length === 0 ? words.nobody : sayNames(world.team.language, waits))}`,
    `  ${labelled(words, words.toCome, String(work?.todo.length ?? 0))}`,
    ...workingLines(world, agent, sees),
    ...memoryLines(world, agent, sees),
  ]
}

function workingLines(world: World, agent: AgentRecord, sees: InfoReach): string[] {
  const words = wordsOf(world)
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
      const where = stage === null ? words.noStage : stageHandle(world, stage)
      const said = steps.length === 0 ? words.nothingYet : ''
      lines.push(`  ${labelled(words, words.inTask(taskName(task), where), said)}`.trimEnd())
      for (const step of steps)
        lines.push(`    ${labelled(words, `${step.executor} ${words.states[step.state]}`, step.intention)}`)
    }
  }
  return hiddenTasks === 0 ? lines : [...lines, `  ${words.elsewhere(hiddenTasks, hiddenSteps)}`]
}

/** The stages in which the agent has work that is not taken away from it, and its work outside of them. */
function placesOf(world: World, task: TaskRecord, agent: AgentId): (StageRecord | null)[] {
  const live = new Set<StageId | null>(
    stepsIn(world.steps[task.id]?.[agent]).flatMap((step) => (step.retired ? [] : [step.stage])),
  )
  const stages = task.stageOrder.flatMap((id) => world.stages[task.id]?.[id] ?? [])
  const open = (stage: StageRecord): boolean =>
    stage.allocation[agent] !== undefined && !isStageOver(stage) && !isPartOver(stage.parts[agent])
  const own = stages.filter((stage) => live.has(stage.id) || open(stage))
  return live.has(null) ? [...own, null] : own
}

function memoryLines(world: World, agent: AgentRecord, sees: InfoReach): string[] {
  const words = wordsOf(world)
  const notes = world.memory[agent.id] ?? []
  const shown = notes.filter(({ task }) => task === null || sees(task))
  const hidden = notes.length - shown.length
  return [
    ...(notes.length === 0 ? [] : [`  ${labelled(words, words.memory, '').trimEnd()}`]),
    ...shown.map(({ key, text }) => `    ${labelled(words, key, text)}`),
    ...(hidden === 0 ? [] : [`    ${words.notesElsewhere(hidden)}`]),
  ]
}

const clockOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`
const stageOf = (world: World, task: TaskId, stage: StageId | null): string => {
  const record = stage === null ? undefined : world.stages[task]?.[stage]
  return record === undefined ? '' : `, ${stageHandle(world, record)}`
}

/** When, from whom, to whom, and its text. */
export function messageLine(world: World, message: MessageRecord): string {
  const words = wordsOf(world)
  const { sender, receivers } = message
  const from = sender === 'system:task' ? sayInLanguage(world.team.language, 'theTask') : nameOf(world, sender)
  const to = receivers.length === 0 ? '' : ` ${words.to} ${namesOf(world, receivers)}`
  const head = `${clockOf(message.at)} ${from}${to}${stageOf(world, message.task, message.stage)}`
  return labelled(words, head, message.text)
}

/** When, from whom, and its text. */
export function infoLine(world: World, task: TaskId, line: InfoLine): string {
  const head = `${clockOf(line.at)} ${nameOf(world, line.agent)}${stageOf(world, task, line.stage)}`
  return labelled(wordsOf(world), head, line.content)
}

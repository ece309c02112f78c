/** Answers to ask_info, as text with handles. An agent gets only its own tasks, and in the base task only its own thread. */

import { threadOf } from '../../access/visibility'
import { beginningOf } from '../../bodies'
import type { AgentId } from '../../ids'
import type { AgentRecord, MessageRecord, StageRecord, StepRecord, TaskRecord, World } from '../../records'
import { SKILLS } from '../../records'
import { selectRunningStage } from '../../stages/plan'
import { agentNamed, stageNamed, taskHandle, taskNamed } from '../../team/handles'
import type { AskInfo } from '../outcome'
import {
  abilities,
  type InfoReach,
  infoLine,
  labelled,
  messageLine,
  profileLine,
  sayer,
  stageLines,
  stateLines,
  taskLines,
} from './infoLines'

export const ANSWER_CHARACTERS = 8_000
/** Room for the line that says what was left out. */
const CUT_CHARACTERS = 200

/** Who asks, from where. */
type Asker = Pick<StepRecord, 'agent' | 'task' | 'thread'> & Partial<Pick<StepRecord, 'stage'>>

/** from: of lines that are too many the first are kept, or the last. */
type Answer = { lines: string[]; keeps: 'first' | 'last' }
const all = (lines: string[]): Answer => ({ lines, keeps: 'first' })

/** Answers a question. out: at most ANSWER_CHARACTERS; what is cut is counted, with how to ask for less. */
export function answerInfo(world: World, asker: Asker, question: AskInfo): string {
  const { lines, keeps } = answerTo(world, asker, question)
  const text = lines.join('\n')
  if (text.length <= ANSWER_CHARACTERS) return text
  const say = sayer(world)
  const ordered = keeps === 'first' ? lines : lines.toReversed()
  const kept: string[] = []
  let left = ANSWER_CHARACTERS - CUT_CHARACTERS
  for (const line of ordered) {
    if (line.length + 1 > left) break
    kept.push(line)
    left -= line.length + 1
  }
  const [first = ''] = ordered
  if (kept.length === 0) kept.push(`${beginningOf(first, left)}${say('lineCut', { n: first.length })}`)
  const how = say(keeps === 'first' ? 'askNarrower' : 'askNarrowerPool')
  const cut = say('linesCut', { kept: kept.length, all: lines.length, how })
  return (keeps === 'first' ? [...kept, cut] : [cut, ...kept.reverse()]).join('\n')
}

function answerTo(world: World, asker: Asker, question: AskInfo): Answer {
  const say = sayer(world)
  const orNone = (lines: string[], none: string): Answer => all(lines.length === 0 ? [none] : lines)
  const listed = (isOwn: (task: TaskRecord) => boolean, showsStage?: (stage: StageRecord) => boolean): Answer => {
    const own = Object.values<TaskRecord>(world.tasks).filter((task) => isToldHere(world, asker, task) && isOwn(task))
    return orNone(
      own.flatMap((task) => taskLines(world, task, showsStage)),
      say('noTasks'),
    )
  }
  switch (question.type) {
    case 'managed_tasks':
      return listed(({ manager }) => manager === asker.agent)
    case 'my_tasks':
      return listed(
        ({ group }) => group.includes(asker.agent),
        ({ allocation }) => allocation[asker.agent] !== undefined,
      )
    case 'task':
      return ofTask(world, asker, question.task_id, (task) => taskLines(world, task))
    case 'stage':
      return ofStage(world, asker, question, (stage) => stageLines(world, stage))
    case 'startable_agents':
      return orNone(
        world.team.startable.map((config) =>
          labelled(
            world,
            `config_id ${config.configId}`,
            `${config.name}, ${config.role}. ${config.profile} ${abilities(world, config)}`,
          ),
        ),
        say('noConfigs'),
      )
    case 'agents_in_mas':
    case 'agents_in_team': {
      const present = Object.values<AgentRecord>(world.agents).filter((agent) => !agent.removed)
      return all(present.map((agent) => profileLine(world, agent)))
    }
    case 'agents_in_task':
      return ofTask(world, asker, question.task_id, (task) => profiles(world, task.group))
    case 'agents_in_stage':
      return ofStage(world, asker, question, (stage) => profiles(world, Object.keys(stage.allocation) as AgentId[]))
    case 'agent_states':
      return all(
        question.agents.flatMap((id) => {
          const agent = agentNamed(world, id, asker.task)
          return agent ? stateLines(world, agent, reachOf(world, asker)) : [unknownAgent(world, id)]
        }),
      )
    case 'skills_and_tools':
      return all([
        ...SKILLS.map((skill) => say('infoSkill', { name: skill, guide: world.team.skillGuides[skill] ?? '' })),
        ...Object.entries(world.team.toolGuides).map(([name, guide]) => say('infoTool', { name, guide })),
      ])
    case 'messages':
    case 'shared_info':
      return pool(world, asker, question)
    default:
      return question satisfies never
  }
}

/** Nothing is answered from a talk in another task, nor from another task in a talk. */
const isToldHere = (world: World, asker: Asker, task: TaskRecord): boolean =>
  task.id === asker.task || (!task.talk && !world.tasks[asker.task]?.talk)

/** A member reads its task, a manager every one: it looks for who can do what. */
const mayRead = (world: World, asker: Asker, task: TaskRecord): boolean =>
  isToldHere(world, asker, task) && (task.group.includes(asker.agent) || world.agents[asker.agent]?.manager === true)

/** What a member sees of a task's steps and notes; in the base task what belongs to its thread. */
function reachOf(world: World, asker: Asker): InfoReach {
  return (id, step) => {
    const task = world.tasks[id]
    if (!task?.group.includes(asker.agent) || !isToldHere(world, asker, task)) return false
    if (!task.base) return true
    const isHere = id === asker.task && asker.thread !== null
    return isHere && (step === undefined || step.thread === asker.thread)
  }
}

const notYours = (world: World): Answer => all([sayer(world)('notPartOfTask')])
const unknownAgent = (world: World, id: string): string => sayer(world)('unknownAgents', { ids: id })
const unknownStage = (world: World, id: string): Answer => all([sayer(world)('unknownStage', { id })])

function unknownTask(world: World, asker: Asker, id: string): Answer {
  const say = sayer(world)
  const mine = Object.values<TaskRecord>(world.tasks).filter(
    (task) => task.group.includes(asker.agent) && isToldHere(world, asker, task),
  )
  const names = mine.map((task) => `${task.name} (${taskHandle(task)})`).join(', ')
  return all([`${say('unknownTask', { id })} ${say('namesAre', { names })}`])
}

function ofTask(
  world: World,
  asker: Asker,
  named: string | undefined,
  linesOf: (task: TaskRecord) => string[],
): Answer {
  const task = named === undefined ? world.tasks[asker.task] : taskNamed(world, named)
  if (!task) return unknownTask(world, asker, named ?? '')
  return mayRead(world, asker, task) ? all(linesOf(task)) : notYours(world)
}

type OfStage = { stage_id?: string | undefined; task_id?: string | undefined }

/** A handle means a stage of the named task, or of the current one; an id, a stage of any task; nothing, the stage at hand. */
function ofStage(
  world: World,
  asker: Asker,
  { stage_id, task_id }: OfStage,
  linesOf: (stage: StageRecord) => string[],
): Answer {
  const named = task_id === undefined ? null : taskNamed(world, task_id)
  if (task_id !== undefined && !named) return unknownTask(world, asker, task_id)
  const here = named?.id ?? asker.task
  const near = stage_id === undefined ? (stageAtHand(world, here, asker) ?? null) : stageNamed(world, here, stage_id)
  const anywhere = Object.values<Record<string, StageRecord>>(world.stages).flatMap((stages) => Object.values(stages))
  const stage = near ?? (named ? null : (anywhere.find(({ id }) => id === stage_id) ?? null))
  const task = stage === null ? undefined : world.tasks[stage.task]
  if (!stage || !task) return unknownStage(world, stage_id ?? '-')
  return mayRead(world, asker, task) ? all(linesOf(stage)) : notYours(world)
}

const stageAtHand = (world: World, task: TaskRecord['id'], { stage }: Asker): StageRecord | null | undefined =>
  (stage == null ? null : world.stages[task]?.[stage]) ?? selectRunningStage(world, task)

const profiles = (world: World, ids: readonly AgentId[]): string[] =>
  ids.flatMap((id) => world.agents[id] ?? []).map((agent) => profileLine(world, agent))

/** Messages of a task, or lines of its shared info pool: of members only, the newest where they are too many. */
function pool(world: World, asker: Asker, question: Extract<AskInfo, { type: 'messages' | 'shared_info' }>): Answer {
  const say = sayer(world)
  const task = question.task_id === undefined ? world.tasks[asker.task] : taskNamed(world, question.task_id)
  if (!task) return unknownTask(world, asker, question.task_id ?? '')
  if (!task.group.includes(asker.agent) || !isToldHere(world, asker, task)) return notYours(world)
  const stage = question.stage_id === undefined ? null : stageNamed(world, task.id, question.stage_id)
  if (question.stage_id !== undefined && !stage) return unknownStage(world, question.stage_id)
  const agents = new Set<string>()
  for (const name of question.agents ?? []) {
    const agent = agentNamed(world, name, task.id)
    if (!agent) return all([unknownAgent(world, name)])
    agents.add(agent.id)
  }
  const isOf = (...ids: readonly string[]): boolean => agents.size === 0 || ids.some((id) => agents.has(id))
  const isIn = (of: string | null): boolean => stage === null || of === stage.id
  if (question.type === 'messages') {
    const said = messagesAtHand(world, asker, task).filter(
      (message) => isIn(message.stage) && isOf(message.sender, ...message.receivers),
    )
    if (said.length === 0) return all([say('noMessages')])
    return { lines: said.map((one) => messageLine(world, one)), keeps: 'last' }
  }
  // Its lines belong to no thread.
  if (task.base) return all([say('noPoolInBase')])
  const shared = (world.info[task.id] ?? []).filter((line) => isIn(line.stage) && isOf(line.agent))
  if (shared.length === 0) return all([say('noSharedInfo')])
  return { lines: shared.map((line) => infoLine(world, task.id, line)), keeps: 'last' }
}

/** What the task orders its members' runtimes says nothing to them. */
const messagesAtHand = (world: World, asker: Asker, task: TaskRecord): MessageRecord[] =>
  Object.values<MessageRecord>(world.messages[task.id] ?? {})
    .filter((message) => message.instruction?.type !== 'update_working_memory')
    .filter((message) => !task.base || (task.id === asker.task && threadOf(message) === asker.thread))
    .sort((a, b) => a.seq - b.seq)

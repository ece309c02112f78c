/** Acts of operators and managers on tasks, stages, steps and agents. */
import { Fault } from '@/lib/faults'
import { decide } from '@/lib/mas/commands'
import type { CommandOf, StageSpec } from '@/lib/mas/commands/command'
import { asId, type StageId, type StepId, type TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { toolCallOf } from '@/lib/mas/steps/toolCall'
import { bareId, findStep } from '@/lib/mas/team/agents'
import type { StageSpecBody } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { entryPages } from '@/server/engine/snapshots/entryPages'
import { countersOfErased } from '../../../numbers'
import type { Store } from '../../../store'
import { assertNotErased, mustFind, resolveKnownAgent, resolveReceivers, resolveTaskId } from '../../records/resolve'
import { mustFitTool, neededTool, readArguments } from '../../records/toolArguments'
import type { CommandCall, Routes } from '../../route'

const PAGE = 1_000

/** Each becomes one command; who may give it is decided by the command. */
export function addOperateRoutes(routes: Routes): void {
  addAgentActs(routes)
  addStepActs(routes)
  addStageActs(routes)
  addTaskActs(routes)
}

function addAgentActs({ addCommand: act }: Routes): void {
  const ofAgent = [
    ['pause', 'pauseAgent', 'Pause an agent: it starts no more steps; a running one finishes.'],
    ['resume', 'resumeAgent', 'Resume an agent; it processes what it received meanwhile.'],
    [
      'remove',
      'removeAgent',
      'Remove an agent that was made at run time: its parts fail, and those who wait for it are told.',
    ],
  ] as const
  for (const [name, type, summary] of ofAgent)
    act({
      path: `/api/agents/{id}/${name}`,
      scope: 'operate',
      summary,
      body: schemas.postAct,
      command: ({ world, id, body }) => ({ type, agent: resolveKnownAgent(world, id).id, ...body }),
    })
  act({
    path: '/api/agents/{id}/read_now',
    scope: 'operate',
    summary: 'Pause an agent and have it process this message first. It stays paused until it is resumed.',
    body: schemas.postReadNow,
    command: ({ world, id, body: { message, reason } }) => {
      const agent = resolveKnownAgent(world, id).id
      return { type: 'readNow', agent, message, reason }
    },
  })
}

function addStepActs({ addCommand: act, gateway }: Routes): void {
  const { store, tools, now } = gateway
  const stepId = (id: string): StepId => asId<StepId>(bareId(id))
  act({
    path: '/api/steps/{id}/cancel',
    scope: 'operate',
    summary: 'Cancel a step: it fails; a running call is aborted.',
    body: schemas.postAct,
    command: ({ id, body }) => ({ type: 'cancelStep', step: stepId(id), ...body }),
  })
  act({
    path: '/api/steps/{id}/retry',
    scope: 'operate',
    summary:
      'Retry a failed step, as a new one; a tool call also with other arguments. A call that needs a confirmation is held as ever.',
    body: schemas.postRetryStep,
    bodyLimit: 4 * 1024 * 1024,
    async command({ world, person, id, head, body: { arguments: text, reason } }) {
      const command = { type: 'retryStep' as const, step: stepId(id), reason }
      if (text === null) return command
      const { json, ref, body } = readArguments(text)
      const edited = { command: { ...command, arguments: ref }, bodies: [body] }
      // A repeat gets its first outcome, whatever the tool takes now.
      if (await store.journal.outcome(head.id, person.id)) return edited
      // A person who may not retry the step learns nothing of the tool.
      const tried = decide(world, { ...head, by: person.id, command: edited.command }, now())
      if (!tried.ok) throw tried.fault
      const step = findStep(world, command.step)
      const call = step && toolCallOf(step)
      if (!step || !call) throw new Fault('NO_TOOL_CALL')
      await mustFitTool(await neededTool(tools, person, { server: step.executor, tool: call.name }), json)
      return edited
    },
  })
}

function addStageActs({ addCommand: act }: Routes): void {
  act({
    path: '/api/stages/{id}/finish',
    scope: 'operate',
    summary: 'Finish a stage; the next one starts.',
    body: schemas.postAct,
    command: ({ id, body }) => ({ type: 'finishStage', stage: stageId(id), ...body }),
  })
  act({
    path: '/api/stages/{id}/retry',
    scope: 'operate',
    summary: 'Retry a stage: it fails, and the changed one after it starts.',
    body: schemas.postRetryStage,
    command: ({ world, id, body: { reason, ...stage } }) => ({
      type: 'retryStage',
      stage: stageId(id),
      better: stageSpecOf(world, stage),
      reason,
    }),
  })
  act({
    path: '/api/stages/{id}/rename',
    scope: 'operate',
    summary: 'Rename a stage that is not over, and change its goal where one is given: agents read the goal.',
    body: schemas.postRenameStage,
    command: ({ id, body }) => ({ type: 'renameStage', stage: stageId(id), ...body }),
  })
  act({
    path: '/api/tasks/{id}/stages',
    scope: 'operate',
    summary: 'Add stages at the end of the plan; the first one starts when none is running.',
    body: schemas.postStages,
    command: ({ body: { stages, reason }, ...of }) => ({
      type: 'addStages',
      task: taskId(of),
      stages: stages.map((stage) => stageSpecOf(of.world, stage)),
      reason,
    }),
  })
}

function addTaskActs({ addCommand: act, gateway: { store } }: Routes): void {
  act({
    path: '/api/tasks',
    scope: 'operate',
    summary: 'Make a task with members and stages. Without stages its manager is asked to plan them.',
    body: schemas.postTask,
    command: ({ world, body }) => ({
      ...body,
      type: 'makeTask',
      stages: body.stages.map((stage) => stageSpecOf(world, stage)),
      members: resolveReceivers(world, body.members),
      manager: resolveKnownAgent(world, body.manager).id,
    }),
  })
  const ofTask = [
    ['pause', 'pauseTask', 'Pause a task: its steps do not run; messages in it wait.'],
    ['resume', 'resumeTask', 'Resume a task.'],
  ] as const
  for (const [name, type, summary] of ofTask)
    act({
      path: `/api/tasks/{id}/${name}`,
      scope: 'operate',
      summary,
      body: schemas.postAct,
      command: ({ body, ...of }) => ({ type, task: taskId(of), ...body }),
    })
  act({
    path: '/api/tasks/{id}/finish',
    scope: 'operate',
    summary: 'Finish a task and everything in it.',
    body: schemas.postFinishTask,
    command: ({ body, ...of }) => ({ type: 'finishTask', task: taskId(of), ...body }),
  })
  act({
    path: '/api/tasks/{id}/participants',
    scope: 'operate',
    summary:
      'Add and remove members of a task. A removed member can read what came before; handTo gets what they were asked.',
    body: schemas.postParticipants,
    command: ({ body: { add, remove, handTo, reason }, ...of }) => ({
      type: 'changeParticipants',
      add: resolveReceivers(of.world, add),
      remove: resolveReceivers(of.world, remove),
      task: taskId(of),
      handTo: handTo === null ? null : resolveKnownAgent(of.world, handTo).id,
      reason,
    }),
  })
  act({
    path: '/api/tasks/{id}/rate',
    scope: 'answer',
    summary:
      'Rate the result of an ended task: for the person who asked for it, and operators. A later rating replaces it.',
    body: schemas.postRating,
    command: ({ body, ...of }) => ({ type: 'rateTask', task: taskId(of), ...body }),
  })
  act({
    path: '/api/tasks/{id}/rename',
    scope: 'operate',
    summary: 'Rename a task: for operators, its manager and the person who asked for it.',
    body: schemas.postRename,
    command: ({ body, ...of }) => ({ type: 'renameTask', task: taskId(of), ...body }),
  })
  act({
    path: '/api/tasks/{id}/erase',
    scope: 'operate',
    access: 'operator',
    summary:
      'Erase a task at rest, archived or not: its texts, files, steps and notes, for good. Not erased: earlier backups, files in the workspace.',
    body: schemas.postAct,
    async command({ world, id, body: { reason } }) {
      assertNotErased(world, id)
      const task = asId<TaskId>(bareId(id))
      const found = mustFind(await foundOf(store, task), 'task', id)
      return { type: 'eraseTask', task, reason, found }
    },
  })
  act({
    path: '/api/tasks/{id}/manager',
    scope: 'operate',
    summary: 'Make another member the manager of a task; open judgements go to them.',
    body: schemas.postManager,
    command: ({ body: { agent, reason }, ...of }) => ({
      type: 'changeManager',
      task: taskId(of),
      agent: resolveKnownAgent(of.world, agent).id,
      reason,
    }),
  })
}

/** out: null: the journal has no such task */
async function foundOf(
  store: Pick<Store, 'archive' | 'journal' | 'counters'>,
  task: TaskId,
): Promise<CommandOf<'eraseTask'>['found'] | null> {
  let [from, rows] = [0, 0]
  for await (const page of entryPages((after, limit) => store.archive.entriesOf('task', task, after, limit), 0, PAGE)) {
    from = from === 0 ? (page[0]?.seq ?? 0) : from
    rows += page.length
  }
  return from === 0 ? null : { from, rows, counters: await countersOfErased(store, task) }
}

const taskId = ({ world, person, id }: CommandCall): TaskId => resolveTaskId(world, id, person).id
const stageId = (id: string): StageId => asId<StageId>(bareId(id))

/** Goals by agent, whichever form of id the caller used. Throws RECEIVER_UNKNOWN. */
function stageSpecOf(world: World, { intention, allocation }: StageSpecBody): StageSpec {
  const goals = Object.entries(allocation).flatMap(([text, goal]) =>
    resolveReceivers(world, [text]).map((agent) => [agent, goal] as const),
  )
  return { intention, allocation: Object.fromEntries(goals) }
}

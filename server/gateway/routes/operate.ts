/** Acts of operators and managers on tasks, stages, steps and agents. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import type { StageSpec } from '@/lib/mas/commands/command'
import { type AgentId, asId, type MessageId, type StageId, type StepId, type TaskId } from '@/lib/mas/ids'
import type { AgentRecord, World } from '@/lib/mas/records'
import { bareId } from '@/lib/mas/selectors/agents'
import type { CommandHead, StageSpecBody } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { addCommandRoute, type CommandRoute } from '../commandRoute'
import { resolveAgentId, resolveReceivers, resolveTaskId, shown } from '../resolve'
import type { Env, GatewayContext } from '../route'

/** Each becomes one command; who may give it is decided by the command. */
export function addOperateRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const act = <Body extends CommandHead>(route: CommandRoute<Body>) => addCommandRoute(app, gateway, route)
  addAgentActs(act)
  addStageActs(act)
  addTaskActs(act)
}

type Act = <Body extends CommandHead>(route: CommandRoute<Body>) => void

function addAgentActs(act: Act): void {
  act({
    path: '/api/agents/{id}/pause',
    summary: 'Pause an agent: it starts no more steps; a running one finishes.',
    body: schemas.postAct,
    command: ({ world, id, body: { reason } }) => ({ type: 'pauseAgent', agent: agentId(world, id), reason }),
  })
  act({
    path: '/api/agents/{id}/resume',
    summary: 'Resume an agent; it processes what it received meanwhile.',
    body: schemas.postAct,
    command: ({ world, id, body: { reason } }) => ({ type: 'resumeAgent', agent: agentId(world, id), reason }),
  })
  act({
    path: '/api/agents/{id}/remove',
    summary: 'Remove an agent that was made at run time: its parts fail, and those who wait for it are told.',
    body: schemas.postAct,
    command: ({ world, id, body: { reason } }) => ({ type: 'removeAgent', agent: agentId(world, id), reason }),
  })
  act({
    path: '/api/agents/{id}/read_now',
    summary: 'Pause an agent and have it process this message first. It stays paused until it is resumed.',
    body: schemas.postReadNow,
    command: ({ world, id, body: { message, reason } }) => ({
      type: 'readNow',
      agent: agentId(world, id),
      message: asId<MessageId>(message),
      reason,
    }),
  })
  act({
    path: '/api/steps/{id}/cancel',
    summary: 'Cancel a step: it fails; a running call is aborted.',
    body: schemas.postAct,
    command: ({ id, body: { reason } }) => ({ type: 'cancelStep', step: asId<StepId>(bareId(id)), reason }),
  })
  act({
    path: '/api/steps/{id}/retry',
    summary: 'Retry a failed step, as a new one.',
    body: schemas.postAct,
    command: ({ id, body: { reason } }) => ({ type: 'retryStep', step: asId<StepId>(bareId(id)), reason }),
  })
}

function addStageActs(act: Act): void {
  act({
    path: '/api/stages/{id}/finish',
    summary: 'Finish a stage; the next one starts.',
    body: schemas.postAct,
    command: ({ id, body: { reason } }) => ({ type: 'finishStage', stage: stageId(id), reason }),
  })
  act({
    path: '/api/stages/{id}/retry',
    summary: 'Retry a stage: it fails, and the changed one after it starts.',
    body: schemas.postRetryStage,
    command: ({ world, id, body }) => ({
      type: 'retryStage',
      stage: stageId(id),
      better: stageSpecOf(world, body),
      reason: body.reason,
    }),
  })
  act({
    path: '/api/stages/{id}/rename',
    summary: 'Rename a stage that is not over, and change its goal where one is given: agents read the goal.',
    body: schemas.postRenameStage,
    command: ({ id, body: { name, intention } }) => ({
      type: 'renameStage',
      stage: stageId(id),
      name,
      ...(intention === undefined ? {} : { intention }),
    }),
  })
  act({
    path: '/api/tasks/{id}/stages',
    summary: 'Add stages at the end of the plan; the first one starts when none is running.',
    body: schemas.postStages,
    command: ({ body: { stages, reason }, ...of }) => ({
      type: 'addStages',
      stages: stages.map((stage) => stageSpecOf(of.world, stage)),
      task: taskId(of),
      reason,
    }),
  })
}

function addTaskActs(act: Act): void {
  act({
    path: '/api/tasks',
    summary: 'Make a task with members and stages. Without stages its manager is asked to plan them.',
    body: schemas.postTask,
    command: ({ world, body: { name, intention, stages, members, manager, reason } }) => ({
      type: 'makeTask',
      name,
      intention,
      stages: stages.map((stage) => stageSpecOf(world, stage)),
      members: resolveReceivers(world, members),
      manager: agentId(world, manager),
      reason,
    }),
  })
  act({
    path: '/api/tasks/{id}/pause',
    summary: 'Pause a task: its steps do not run; messages in it wait.',
    body: schemas.postAct,
    command: ({ body: { reason }, ...of }) => ({ type: 'pauseTask', task: taskId(of), reason }),
  })
  act({
    path: '/api/tasks/{id}/resume',
    summary: 'Resume a task.',
    body: schemas.postAct,
    command: ({ body: { reason }, ...of }) => ({ type: 'resumeTask', task: taskId(of), reason }),
  })
  act({
    path: '/api/tasks/{id}/finish',
    summary: 'Finish a task and everything in it.',
    body: schemas.postFinishTask,
    command: ({ body: { state, summary, reason }, ...of }) => ({
      type: 'finishTask',
      task: taskId(of),
      state,
      summary,
      reason,
    }),
  })
  act({
    path: '/api/tasks/{id}/participants',
    summary:
      'Add and remove members of a task. A removed member can read what came before; handTo gets what they were asked.',
    body: schemas.postParticipants,
    command: ({ body: { add, remove, handTo, reason }, ...of }) => ({
      type: 'changeParticipants',
      add: resolveReceivers(of.world, add),
      remove: resolveReceivers(of.world, remove),
      task: taskId(of),
      handTo: handTo === null ? null : agentId(of.world, handTo),
      reason,
    }),
  })
  act({
    path: '/api/tasks/{id}/rename',
    summary: 'Rename a task: for operators, its manager and the person who asked for it.',
    body: schemas.postRename,
    command: ({ body: { name }, ...of }) => ({ type: 'renameTask', task: taskId(of), name }),
  })
  act({
    path: '/api/tasks/{id}/manager',
    summary: 'Make another member the manager of a task; open judgements go to them.',
    body: schemas.postManager,
    command: ({ body: { agent, reason }, ...of }) => ({
      type: 'changeManager',
      task: taskId(of),
      agent: agentId(of.world, agent),
      reason,
    }),
  })
  act({
    path: '/api/tasks/{id}/tool_rules',
    summary: 'Allow a tool for a task, have it always ask there, or take either back. For operators.',
    body: schemas.postToolRule,
    command: ({ body: { server, tool, rule, overAlways, reason }, ...of }) => ({
      type: 'ruleTool',
      task: taskId(of),
      server,
      tool,
      rule,
      overAlways,
      reason,
    }),
  })
}

const taskId = ({ world, person, id }: { world: World; person: AgentRecord; id: string }): TaskId =>
  resolveTaskId(world, id, person).id
const stageId = (id: string): StageId => asId<StageId>(bareId(id))

function agentId(world: World, text: string): AgentId {
  const agent = resolveAgentId(world, text)
  if (!agent) throw new Fault('NOT_FOUND', { what: 'agent', id: shown(text) })
  return agent.id
}

/** Goals by agent, whichever form of id the caller used. Throws RECEIVER_UNKNOWN. */
function stageSpecOf(world: World, { intention, allocation }: StageSpecBody): StageSpec {
  const goals = Object.entries(allocation).flatMap(([text, goal]) =>
    resolveReceivers(world, [text]).map((agent) => [agent, goal] as const),
  )
  return { intention, allocation: Object.fromEntries(goals) }
}

/** Acts of operators and managers on tasks, stages, steps and agents. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import type { Command, StageSpec } from '@/lib/mas/commands/command'
import { type AgentId, asId, type MessageId, type StageId, type StepId } from '@/lib/mas/ids'
import type { AgentRecord, World } from '@/lib/mas/records'
import { bareId } from '@/lib/mas/selectors/agents'
import type { StageSpecBody } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { commitAs } from '../commands'
import { resolveAgentId, resolveReceivers, resolveTaskId, shown } from '../resolve'
import { addRoute, type Env, type GatewayContext } from '../route'

export function addOperateRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  for (const act of ACTS) addAct(app, gateway, act)
  addReadNowRoute(app, gateway)
  addStageRoutes(app, gateway)
  addTaskRoutes(app, gateway)
}

type Target = { world: World; id: string; reason: string; person: AgentRecord }
/** An act that needs nothing but its target and a reason. */
type Act = { path: string; summary: string; command: (target: Target) => Command }

const ACTS: Act[] = [
  {
    path: '/api/agents/{id}/pause',
    summary: 'Pause an agent: it starts no more steps; a running one finishes.',
    command: ({ world, id, reason }) => ({ type: 'pauseAgent', agent: agentId(world, id), reason }),
  },
  {
    path: '/api/agents/{id}/resume',
    summary: 'Resume an agent; it processes what it received meanwhile.',
    command: ({ world, id, reason }) => ({ type: 'resumeAgent', agent: agentId(world, id), reason }),
  },
  {
    path: '/api/agents/{id}/remove',
    summary: 'Remove an agent that was made at run time: its parts fail, and those who wait for it are told.',
    command: ({ world, id, reason }) => ({ type: 'removeAgent', agent: agentId(world, id), reason }),
  },
  {
    path: '/api/tasks/{id}/pause',
    summary: 'Pause a task: its steps do not run; messages in it wait.',
    command: ({ world, id, reason, person }) => ({
      type: 'pauseTask',
      task: resolveTaskId(world, id, person).id,
      reason,
    }),
  },
  {
    path: '/api/tasks/{id}/resume',
    summary: 'Resume a task.',
    command: ({ world, id, reason, person }) => ({
      type: 'resumeTask',
      task: resolveTaskId(world, id, person).id,
      reason,
    }),
  },
  {
    path: '/api/steps/{id}/cancel',
    summary: 'Cancel a step: it fails; a running call is aborted.',
    command: ({ id, reason }) => ({ type: 'cancelStep', step: asId<StepId>(bareId(id)), reason }),
  },
  {
    path: '/api/steps/{id}/retry',
    summary: 'Retry a failed step, as a new one.',
    command: ({ id, reason }) => ({ type: 'retryStep', step: asId<StepId>(bareId(id)), reason }),
  },
  {
    path: '/api/stages/{id}/finish',
    summary: 'Finish a stage; the next one starts.',
    command: ({ id, reason }) => ({ type: 'finishStage', stage: asId<StageId>(bareId(id)), reason }),
  },
]

function addAct(app: OpenAPIHono<Env>, gateway: GatewayContext, { path, summary, command }: Act): void {
  const { engine } = gateway
  addRoute(app, gateway, {
    method: 'post',
    path,
    access: 'person',
    summary,
    params: schemas.idParams,
    body: schemas.postAct,
    answers: schemas.commandAnswer,
    handle: async ({ caller: { person }, params: { id }, body }) =>
      commitAs(engine, person.id, body, command({ world: engine.world(), id, reason: body.reason, person })),
  })
}

function addReadNowRoute(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine } = gateway

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/agents/{id}/read_now',
    access: 'person',
    summary: 'Pause an agent and have it process this message first. It stays paused until it is resumed.',
    params: schemas.idParams,
    body: schemas.postReadNow,
    answers: schemas.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const world = engine.world()
      const message = asId<MessageId>(body.message)
      return commitAs(engine, caller.person.id, body, {
        type: 'readNow',
        agent: agentId(world, params.id),
        message,
        reason: body.reason,
      })
    },
  })
}

function addStageRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine } = gateway

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/stages/{id}/retry',
    access: 'person',
    summary: 'Retry a stage: it fails, and the changed one after it starts.',
    params: schemas.idParams,
    body: schemas.postRetryStage,
    answers: schemas.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const world = engine.world()
      const better = stageSpecOf(world, body)
      return commitAs(engine, caller.person.id, body, {
        type: 'retryStage',
        stage: asId<StageId>(bareId(params.id)),
        better,
        reason: body.reason,
      })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/stages/{id}/rename',
    access: 'person',
    summary: 'Rename a stage that is not over, and change its goal where one is given: agents read the goal.',
    params: schemas.idParams,
    body: schemas.postRenameStage,
    answers: schemas.commandAnswer,
    handle: async ({ caller, params, body }) =>
      commitAs(engine, caller.person.id, body, {
        type: 'renameStage',
        stage: asId<StageId>(bareId(params.id)),
        name: body.name,
        ...(body.intention === undefined ? {} : { intention: body.intention }),
      }),
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/tasks/{id}/stages',
    access: 'person',
    summary: 'Add stages at the end of the plan; the first one starts when none is running.',
    params: schemas.idParams,
    body: schemas.postStages,
    answers: schemas.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const world = engine.world()
      const stages = body.stages.map((stage) => stageSpecOf(world, stage))
      return commitAs(engine, caller.person.id, body, {
        type: 'addStages',
        task: resolveTaskId(world, params.id, caller.person).id,
        stages,
        reason: body.reason,
      })
    },
  })
}

function addTaskRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine } = gateway

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/tasks',
    access: 'person',
    summary: 'Make a task with members and stages. Without stages its manager is asked to plan them.',
    body: schemas.postTask,
    answers: schemas.commandAnswer,
    handle: async ({ caller, body }) => {
      const world = engine.world()
      const { name, intention, reason } = body
      const stages = body.stages.map((stage) => stageSpecOf(world, stage))
      const members = resolveReceivers(world, body.members)
      return commitAs(engine, caller.person.id, body, {
        type: 'makeTask',
        name,
        intention,
        manager: agentId(world, body.manager),
        members,
        stages,
        reason,
      })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/tasks/{id}/finish',
    access: 'person',
    summary: 'Finish a task and everything in it.',
    params: schemas.idParams,
    body: schemas.postFinishTask,
    answers: schemas.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const { state, summary, reason } = body
      const task = resolveTaskId(engine.world(), params.id, caller.person).id
      return commitAs(engine, caller.person.id, body, { type: 'finishTask', task, state, summary, reason })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/tasks/{id}/participants',
    access: 'person',
    summary:
      'Add and remove members of a task. A removed member can read what came before; handTo gets what they were asked.',
    params: schemas.idParams,
    body: schemas.postParticipants,
    answers: schemas.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const world = engine.world()
      const [add, remove] = [resolveReceivers(world, body.add), resolveReceivers(world, body.remove)]
      const task = resolveTaskId(world, params.id, caller.person).id
      const handTo = body.handTo === null ? null : agentId(world, body.handTo)
      return commitAs(engine, caller.person.id, body, {
        type: 'changeParticipants',
        task,
        add,
        remove,
        handTo,
        reason: body.reason,
      })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/tasks/{id}/rename',
    access: 'person',
    summary: 'Rename a task: for operators, its manager and the person who asked for it.',
    params: schemas.idParams,
    body: schemas.postRename,
    answers: schemas.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const task = resolveTaskId(engine.world(), params.id, caller.person).id
      return commitAs(engine, caller.person.id, body, { type: 'renameTask', task, name: body.name })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/tasks/{id}/manager',
    access: 'person',
    summary: 'Make another member the manager of a task; open judgements go to them.',
    params: schemas.idParams,
    body: schemas.postManager,
    answers: schemas.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const world = engine.world()
      const task = resolveTaskId(world, params.id, caller.person).id
      return commitAs(engine, caller.person.id, body, {
        type: 'changeManager',
        task,
        agent: agentId(world, body.agent),
        reason: body.reason,
      })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/tasks/{id}/tool_rules',
    access: 'person',
    summary: 'Allow a tool for a task, have it always ask there, or take either back. For operators.',
    params: schemas.idParams,
    body: schemas.postToolRule,
    answers: schemas.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const { server, tool, rule, overAlways, reason } = body
      const task = resolveTaskId(engine.world(), params.id, caller.person).id
      const command = { type: 'ruleTool' as const, task, server, tool, rule, overAlways, reason }
      return commitAs(engine, caller.person.id, body, command)
    },
  })
}

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

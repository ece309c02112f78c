/** What people do with tasks, stages, steps and agents when they direct the work. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import type { Command, StageSpec } from '@/lib/mas/commands/command'
import { type AgentId, asId, type MessageId, type StageId, type StepId } from '@/lib/mas/ids'
import type { AgentRecord, World } from '@/lib/mas/records'
import { bareId } from '@/lib/mas/selectors/agents'
import type { CommandAnswer, CommandHead, StageSpecBody } from '@/lib/wire'
import { commitAs } from '../commands'
import { resolveAgentId, resolveReceivers, resolveTaskId, shown } from '../resolve'
import { addRoute, type Env, type GatewayContext } from '../route'
import * as shapes from '../schemas'
import type { SignedInCaller } from '../sessions'

type Reasoned = CommandHead & { reason: string }

export function addOperateRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine } = gateway

  const put = (caller: SignedInCaller, body: CommandHead, command: Command): Promise<CommandAnswer> =>
    commitAs(engine, caller.person.id, body, command)

  /** An act that needs nothing but what it is done to, and why. */
  function addAct(
    path: string,
    says: string,
    make: (world: World, id: string, reason: string, person: AgentRecord) => Command,
  ): void {
    addRoute(app, gateway, {
      method: 'post',
      path,
      access: 'person',
      says,
      params: shapes.idParams,
      body: shapes.postAct,
      answers: shapes.commandAnswer,
      handle: ({ caller, params, body }: { caller: SignedInCaller; params: { id: string }; body: Reasoned }) =>
        put(caller, body, make(engine.world(), params.id, body.reason, caller.person)),
    })
  }

  addAct(
    '/api/agents/{id}/pause',
    'The agent begins no more steps; one that runs comes to its end.',
    (world, id, reason) => ({
      type: 'pauseAgent',
      agent: agentId(world, id),
      reason,
    }),
  )
  addRoute(app, gateway, {
    method: 'post',
    path: '/api/agents/{id}/read_now',
    access: 'person',
    says: 'The agent is paused, takes this message in before everything else, and then rests until it is let go on.',
    params: shapes.idParams,
    body: shapes.postReadNow,
    answers: shapes.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const world = engine.world()
      const message = asId<MessageId>(body.message)
      return put(caller, body, { type: 'readNow', agent: agentId(world, params.id), message, reason: body.reason })
    },
  })
  addAct('/api/agents/{id}/resume', 'The agent goes on, and takes in what waited for it.', (world, id, reason) => ({
    type: 'resumeAgent',
    agent: agentId(world, id),
    reason,
  }))
  addAct(
    '/api/agents/{id}/remove',
    'An agent that was made at run time leaves the team: its parts fail, and who waits for it hears so.',
    (world, id, reason) => ({ type: 'removeAgent', agent: agentId(world, id), reason }),
  )
  addAct(
    '/api/tasks/{id}/pause',
    'The steps of the task are passed over; what is sent in it waits.',
    (world, id, reason, person) => ({
      type: 'pauseTask',
      task: resolveTaskId(world, id, person).id,
      reason,
    }),
  )
  addAct('/api/tasks/{id}/resume', 'The task goes on.', (world, id, reason, person) => ({
    type: 'resumeTask',
    task: resolveTaskId(world, id, person).id,
    reason,
  }))
  addAct('/api/steps/{id}/cancel', 'The step fails; a call that runs is aborted.', (_, id, reason) => ({
    type: 'cancelStep',
    step: asId<StepId>(bareId(id)),
    reason,
  }))
  addAct('/api/steps/{id}/retry', 'A failed step is done again, as a new one.', (_, id, reason) => ({
    type: 'retryStep',
    step: asId<StepId>(bareId(id)),
    reason,
  }))
  addAct('/api/stages/{id}/finish', 'The stage is finished, and the next one starts.', (_, id, reason) => ({
    type: 'finishStage',
    stage: asId<StageId>(bareId(id)),
    reason,
  }))

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/stages/{id}/retry',
    access: 'person',
    says: 'The stage is judged failed, and a changed one is placed behind it and started.',
    params: shapes.idParams,
    body: shapes.postRetryStage,
    answers: shapes.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const world = engine.world()
      const better = stageWish(world, body)
      return put(caller, body, {
        type: 'retryStage',
        stage: asId<StageId>(bareId(params.id)),
        better,
        reason: body.reason,
      })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/tasks',
    access: 'person',
    says: 'Make a task with its members and stages. Without stages its manager is asked to plan them.',
    body: shapes.postTask,
    answers: shapes.commandAnswer,
    handle: async ({ caller, body }) => {
      const world = engine.world()
      const { name, intention, reason } = body
      const stages = body.stages.map((stage) => stageWish(world, stage))
      const members = resolveReceivers(world, body.members)
      return put(caller, body, {
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
    path: '/api/tasks/{id}/stages',
    access: 'person',
    says: 'Add stages at the end of the plan; the first starts when none runs.',
    params: shapes.idParams,
    body: shapes.postStages,
    answers: shapes.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const world = engine.world()
      const stages = body.stages.map((stage) => stageWish(world, stage))
      return put(caller, body, {
        type: 'addStages',
        task: resolveTaskId(world, params.id, caller.person).id,
        stages,
        reason: body.reason,
      })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/tasks/{id}/finish',
    access: 'person',
    says: 'The task ends, with all that belongs to it.',
    params: shapes.idParams,
    body: shapes.postFinishTask,
    answers: shapes.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const { state, summary, reason } = body
      const task = resolveTaskId(engine.world(), params.id, caller.person).id
      return put(caller, body, { type: 'finishTask', task, state, summary, reason })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/tasks/{id}/participants',
    access: 'person',
    says: 'Who joins the task, and who leaves it. Whoever leaves reads up to that moment.',
    params: shapes.idParams,
    body: shapes.postParticipants,
    answers: shapes.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const world = engine.world()
      const [add, remove] = [resolveReceivers(world, body.add), resolveReceivers(world, body.remove)]
      const task = resolveTaskId(world, params.id, caller.person).id
      return put(caller, body, { type: 'changeParticipants', task, add, remove, reason: body.reason })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/tasks/{id}/manager',
    access: 'person',
    says: 'Make someone else the manager; what was to be judged goes to them.',
    params: shapes.idParams,
    body: shapes.postManager,
    answers: shapes.commandAnswer,
    handle: async ({ caller, params, body }) => {
      const world = engine.world()
      const task = resolveTaskId(world, params.id, caller.person).id
      return put(caller, body, { type: 'changeManager', task, agent: agentId(world, body.agent), reason: body.reason })
    },
  })
}

function agentId(world: World, text: string): AgentId {
  const agent = resolveAgentId(world, text)
  if (!agent) throw new Fault('NOT_FOUND', { what: 'agent', id: shown(text) })
  return agent.id
}

/** Goals by whatever id an agent was called by. Throws RECEIVER_UNKNOWN. */
function stageWish(world: World, { intention, allocation }: StageSpecBody): StageSpec {
  const goals = Object.entries(allocation).flatMap(([text, goal]) =>
    resolveReceivers(world, [text]).map((agent) => [agent, goal] as const),
  )
  return { intention, allocation: Object.fromEntries(goals) }
}

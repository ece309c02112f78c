/** Answering for a model: operators and developers read the prompts that wait for a person, and write the answers. */

import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import { asId, type StepId } from '@/lib/mas/ids'
import { stepIn } from '@/lib/mas/ownSteps'
import type { World } from '@/lib/mas/records'
import { findStep, selectName } from '@/lib/mas/selectors/agents'
import type { ByHandAnswer } from '@/lib/wire'
import { type PersonCall, promptPartsOf } from '@/server/models'
import { shown } from '../resolve'
import { canSeeAll } from '../rights'
import { addRoute, type Env, type GatewayContext } from '../route'
import * as shapes from '../schemas'
import type { SignedInCaller } from '../sessions'

export function addByHandRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { queue, engine } = gateway

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/by_hand',
    access: 'person',
    says: 'The calls of models that are people, the longest waiting first. Operators and developers.',
    answers: shapes.byHandAnswer,
    async handle({ caller }): Promise<ByHandAnswer> {
      assertMayAnswer(caller)
      const world = engine.world()
      return { calls: (queue?.list() ?? []).map((call) => shownCall(world, call)) }
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/by_hand/{call}',
    access: 'person',
    says: 'Answer such a call, or refuse it with a reason. The first answer counts; NOT_FOUND when it waits no more.',
    params: shapes.byHandParams,
    body: shapes.postByHand,
    answers: shapes.taken,
    async handle({ caller, params, body }) {
      assertMayAnswer(caller)
      const { name } = caller.person
      const taken =
        'answer' in body ? queue?.answer(params.call, body.answer, name) : queue?.refuse(params.call, body.refuse, name)
      if (!taken) throw new Fault('NOT_FOUND', { what: 'call that waits', id: shown(params.call) })
      return { taken: true }
    },
  })
}

function assertMayAnswer({ person }: SignedInCaller): void {
  if (!canSeeAll(person)) throw new Fault('NOT_ALLOWED', { what: 'answer for a model' })
}

function shownCall(world: World, { turns, ...call }: PersonCall): ByHandAnswer['calls'][number] {
  const task = call.step === null ? undefined : Object.values(world.tasks).find((one) => holdsStep(world, one.id, call))
  const step = call.step === null ? null : findStep(world, asId<StepId>(call.step))
  const agent = step ? selectName(world, step.agent) : call.agent
  return { ...call, agent, task: task ? { id: task.id, name: task.name } : null, parts: promptPartsOf(turns) }
}

const holdsStep = (world: World, task: keyof World['steps'], { step }: Pick<PersonCall, 'step'>): boolean =>
  step !== null && Object.values(world.steps[task] ?? {}).some((own) => stepIn(own, asId(step)) !== undefined)

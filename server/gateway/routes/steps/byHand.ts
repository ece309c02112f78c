/** Models that are people: operators and developers read the waiting prompts and write the answers. */
import { Fault } from '@/lib/faults'
import { canReadStep, canSeeAll, taskAccessOf } from '@/lib/mas/access/access'
import { asId, type StepId } from '@/lib/mas/ids'
import type { AgentRecord, World } from '@/lib/mas/records'
import { findStep, selectName } from '@/lib/mas/team/agents'
import type { ByHandAnswer } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import type { PersonCall } from '@/server/shared/personCall'
import { shown } from '../../records/resolve'
import type { Routes } from '../../route'

export function addByHandRoutes({ add, gateway }: Routes): void {
  const { personCalls, engine } = gateway

  add('GET /api/by_hand', {
    scope: 'read',
    summary: 'Waiting calls of models that are people, oldest first. For operators and developers.',
    answers: schemas.byHandAnswer,
    async handle({ person }) {
      assertMayAnswer(person)
      const world = engine.world()
      const calls = personCalls.list().filter((call) => mayRead(world, person, call))
      return { calls: calls.map((call) => shownCall(world, call)) }
    },
  })

  add('POST /api/by_hand/{call}', {
    scope: 'operate',
    summary:
      'Answer such a call, or refuse it with a reason. The first answer counts; NOT_FOUND when it no longer waits.',
    params: schemas.byHandParams,
    body: schemas.postByHand,
    answers: schemas.takenAnswer,
    async handle({ person, params, body }) {
      assertMayAnswer(person)
      const known = personCalls.list().find(({ id }) => id === params.call)
      if (known && !mayRead(engine.world(), person, known))
        throw new Fault('NOT_FOUND', { what: 'call that waits', id: shown(params.call) })
      const { name } = person
      const answer = 'answer' in body ? { text: body.answer, by: name } : { refused: body.refuse, by: name }
      if (!(await personCalls.settle(params.call, answer)))
        throw new Fault('NOT_FOUND', { what: 'call that waits', id: shown(params.call) })
      return { taken: true as const }
    },
  })
}

function assertMayAnswer(person: AgentRecord): void {
  if (!canSeeAll(person)) throw new Fault('NOT_ALLOWED', { what: 'answer for a model' })
}

/** A prompt is read by who may read its step. */
function mayRead(world: World, person: AgentRecord, call: PersonCall): boolean {
  const step = call.step === null ? null : findStep(world, asId<StepId>(call.step))
  return step === null || canReadStep(taskAccessOf(world, person, step.task), step)
}

function shownCall(world: World, call: PersonCall): ByHandAnswer['calls'][number] {
  const step = call.step === null ? null : findStep(world, asId<StepId>(call.step))
  const task = step && world.tasks[step.task]
  const agent = step ? selectName(world, step.agent) : call.agent
  return { ...call, agent, task: task ? { id: task.id, name: task.name } : null }
}

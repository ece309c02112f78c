/** Calls the model of a step with a prompt that a person changed. */

import { randomUUID } from 'node:crypto'
import { Fault } from '@/lib/faults'
import { type AgentId, asId, type StepId } from '@/lib/mas/ids'
import { mustBeAffordable, triedStep } from '@/lib/mas/steps/commands/tryCall'
import { bareId } from '@/lib/mas/team/agents'
import * as schemas from '@/lib/wire/http'
import { ModelError } from '@/server/models/model'
import { oneAtATime } from '@/server/shared/oneAtATime'
import { tryPrompt } from '@/server/skills'
import { commitAs } from '../../commands'
import type { Routes } from '../../route'

const PROMPT_BYTES = 4 * 1024 * 1024
/** How soon to try again while another trial of the same person is under way, s. */
const PAUSE_S = 5

export function addTryCallRoutes({ add, gateway }: Routes): void {
  const { engine, store, now, modelOf } = gateway
  const trying = oneAtATime<AgentId>(now)

  add('POST /api/steps/{id}/try', {
    scope: 'operate',
    isCostly: true,
    summary:
      "Call the model of a step with another prompt. The call is recorded and paid; nothing of the step changes. Developers' and operators'.",
    body: schemas.postTriedCall,
    bodyLimit: PROMPT_BYTES,
    answers: schemas.triedCall,
    async handle({ caller, person, params, body, request, world }) {
      const step = triedStep(world, person, asId<StepId>(bareId(params.id)))
      const before = step.calls.find(({ id }) => id === body.call)
      if (!before) throw new Fault('NOT_FOUND', { what: 'call', id: body.call })
      mustBeAffordable(world, person.id, step)
      const end = trying.begin(person.id)
      if (end === null) throw new Fault('TOO_MANY', { seconds: PAUSE_S })
      const stopping = new AbortController()
      const stop = (): void => stopping.abort()
      request.socket.once('close', stop)
      try {
        // A repeat after a lost answer would be paid twice. Asked only now: the first one may have been under way.
        if (await store.journal.outcome(body.id, person.id)) throw new Fault('COMMAND_ID_TAKEN')
        const parts = { world, step, model: modelFor(before.model), newId: randomUUID, clock: () => performance.now() }
        const tried = await tryPrompt({ ...parts, now: now(), signal: stopping.signal }, body.sections)
        // Without a time limit: what was paid counts, whenever its answer came.
        await commitAs(
          engine,
          caller,
          { id: body.id },
          { type: 'tryCall', step: step.id, call: tried.call },
          tried.bodies,
        )
        return { call: tried.call, text: tried.text, reasoning: tried.reasoning }
      } finally {
        request.socket.off('close', stop)
        end()
      }
    },
  })

  function modelFor(name: string) {
    try {
      return modelOf(name)
    } catch (error) {
      if (error instanceof ModelError) throw new Fault('NOT_FOUND', { what: 'model', id: name })
      throw error
    }
  }
}

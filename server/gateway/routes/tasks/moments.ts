/** The moments of a task: which there are, and what differs between two. */
import type { AgentRecord, World } from '@/lib/mas/records'
import * as schemas from '@/lib/wire/http'
import { parseView } from '@/lib/wire/views'
import { compareMoments, scopeOfMoment } from '@/server/monitor'
import { bucketsOf, changesAround, placesFor } from '../../records/moments'
import { mustFind, resolveTaskId } from '../../records/resolve'
import { worldWithRestored } from '../../records/restoredWorld'
import type { Routes } from '../../route'

export function addMomentRoutes({ add, gateway }: Routes): void {
  const { engine, past, moments, taskChanges } = gateway

  async function partsFor(person: AgentRecord, id: string) {
    const now = await worldWithRestored(engine.world(), past, id)
    const task = resolveTaskId(now, id, person).id
    const all = await taskChanges.of(task)
    return { now, task, all, places: placesFor(now, task, person.id, all) }
  }

  add('GET /api/tasks/{id}/moments', {
    scope: 'read',
    isCostly: true,
    summary:
      'How the changes of a task are spread, and where people are asked, answer, something fails or a stage begins or ends.',
    answers: schemas.momentsOfTask,
    async handle({ person, params }) {
      const { all, places } = await partsFor(person, params.id)
      return bucketsOf(all, places)
    },
  })

  add('GET /api/tasks/{id}/moments/changes', {
    scope: 'read',
    isCostly: true,
    summary: 'The changes of a task around an entry, one by one.',
    query: schemas.momentChangesQuery,
    answers: schemas.momentChanges,
    async handle({ person, params, query: { around } }) {
      const { all, places } = await partsFor(person, params.id)
      return changesAround(all, places, around)
    },
  })

  add('GET /api/tasks/{id}/moments/compare', {
    scope: 'read',
    isCostly: true,
    summary: 'Which stages, steps, messages and requests of a task differ between two moments, or a moment and now.',
    query: schemas.momentCompareQuery,
    answers: schemas.momentCompare,
    async handle({ person, params, query: { from, to } }) {
      const now: World = await worldWithRestored(engine.world(), past, params.id)
      const task = resolveTaskId(now, params.id, person).id
      const view = parseView(`task:${task}`)
      const worldAt = async (wanted: number): Promise<World> => {
        const seq = Math.min(wanted, engine.world().seq)
        const isOpen = view !== null && scopeOfMoment(now, null, person.id, view, { task, seq }).scopeKey !== null
        return mustFind(isOpen ? await moments.worldAt(task, seq) : null, 'task', params.id)
      }
      const [was, is] = [await worldAt(from), await worldAt(to ?? engine.world().seq)]
      return compareMoments(now, task, person.id, was, is)
    },
  })
}

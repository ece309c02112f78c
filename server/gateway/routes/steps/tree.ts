/** Steps of a task's tree that its view does not hold. */
import type { AgentRecord } from '@/lib/mas/records'
import { bareId } from '@/lib/mas/team/agents'
import * as schemas from '@/lib/wire/http'
import { scopeOfMoment, worldOfMoment } from '@/server/monitor'
import { mustFind, resolveTaskId } from '../../records/resolve'
import { worldWithRestored } from '../../records/restoredWorld'
import { nextFailure, rulerOf } from '../../records/treeFailures'
import { matchesIn, pageOfLane, partsOfNow, partsOfWorld, type TreeParts } from '../../records/treeSteps'
import type { Routes } from '../../route'

export function addTreeRoutes({ add, gateway }: Routes): void {
  const { engine, store, past, moments } = gateway

  async function partsFor(person: AgentRecord, id: string, moment: number | undefined): Promise<TreeParts> {
    const world = await worldWithRestored(engine.world(), past, id)
    const task = resolveTaskId(world, id, person)
    if (moment === undefined) return partsOfNow({ world, store, past, person, task })
    const seq = Math.min(moment, engine.world().seq)
    const { scopeKey } = scopeOfMoment(
      world,
      null,
      person.id,
      { kind: 'tree', task: task.id, older: null },
      { task: task.id, seq },
    )
    const then = mustFind(scopeKey === null ? null : await moments.worldAt(task.id, seq), 'task', id)
    const shown = worldOfMoment(world, then, task.id, null)
    const record = mustFind(shown.tasks[task.id], 'task', id)
    const whole = { person: person.id, upTo: Number.POSITIVE_INFINITY, threads: null }
    const access = scopeKey === 'all' ? whole : null
    // The words of a step do not change: the index finds them, and the world says how the step was.
    const search = task.opened === undefined ? store.search : null
    return partsOfWorld({ world: shown, task: record, access, search, end: seq + 1 })
  }
  const laneIn = ({ stage, agent }: { stage?: string | undefined; agent: string }) => ({
    stage: stage === undefined ? null : bareId(stage),
    agent: bareId(agent),
  })

  add('GET /api/tasks/{id}/tree/steps', {
    scope: 'read',
    isCostly: true,
    summary:
      'Steps of one agent in one stage, in the order in which they ran, also those that have left the live world, by page.',
    query: schemas.treeStepsQuery,
    answers: schemas.treeSteps,
    async handle({ person, params, query: { stage, agent, before, at, moment } }) {
      return pageOfLane(await partsFor(person, params.id, moment), laneIn({ stage, agent }), { before, at })
    },
  })

  add('GET /api/tasks/{id}/tree/matches', {
    scope: 'read',
    isCostly: true,
    summary:
      'Steps of a task that fit words, a state and an agent, the newest first, also those that have left the live world.',
    query: schemas.treeMatchesQuery,
    answers: schemas.treeMatches,
    async handle({ person, params, query }) {
      return matchesIn(await partsFor(person, params.id, query.moment), query)
    },
  })

  add('GET /api/tasks/{id}/tree/failure', {
    scope: 'read',
    isCostly: true,
    summary: 'The next failed step of a task in the order of its tree, with the page of steps that holds it.',
    query: schemas.treeFailureQuery,
    answers: schemas.treeFailure,
    async handle({ person, params, query: { from = null, stage, agent, back, moment } }) {
      const lane = agent === undefined ? null : laneIn({ stage, agent })
      return nextFailure(await partsFor(person, params.id, moment), { step: from, lane }, back === 'yes')
    },
  })

  add('GET /api/tasks/{id}/tree/ruler', {
    scope: 'read',
    isCostly: true,
    summary: 'How many steps each agent has in each stage of a task, and where among all steps failures are.',
    query: schemas.treeRulerQuery,
    answers: schemas.treeRuler,
    async handle({ person, params, query: { moment } }) {
      return rulerOf(await partsFor(person, params.id, moment))
    },
  })
}

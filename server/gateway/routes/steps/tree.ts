/** Steps of a task's tree that its view does not hold. */
import type { AgentRecord } from '@/lib/mas/records'
import { bareId } from '@/lib/mas/selectors/agents/agents'
import * as schemas from '@/lib/wire/http'
import { resolveTaskId } from '../../records/resolve'
import { worldWithRestored } from '../../records/restoredWorld'
import { nextFailure, rulerOf } from '../../records/treeFailures'
import { matchesIn, pageOfLane, type TreeParts } from '../../records/treeSteps'
import type { Routes } from '../../route'

export function addTreeRoutes({ add, gateway }: Routes): void {
  const { engine, store, past } = gateway

  async function partsFor(person: AgentRecord, id: string): Promise<TreeParts> {
    const world = await worldWithRestored(engine.world(), past, id)
    return { world, store, past, person, task: resolveTaskId(world, id, person) }
  }
  const laneIn = ({ stage, agent }: { stage?: string | undefined; agent: string }) => ({
    stage: stage === undefined ? null : bareId(stage),
    agent: bareId(agent),
  })

  add('GET /api/tasks/{id}/tree/steps', {
    isCostly: true,
    summary:
      'Steps of one agent in one stage, in the order in which they ran, also those that have left the live world, by page.',
    query: schemas.treeStepsQuery,
    answers: schemas.treeSteps,
    async handle({ person, params, query: { stage, agent, before, at } }) {
      return pageOfLane(await partsFor(person, params.id), laneIn({ stage, agent }), { before, at })
    },
  })

  add('GET /api/tasks/{id}/tree/matches', {
    isCostly: true,
    summary:
      'Steps of a task that fit words, a state and an agent, the newest first, also those that have left the live world.',
    query: schemas.treeMatchesQuery,
    answers: schemas.treeMatches,
    async handle({ person, params, query }) {
      return matchesIn(await partsFor(person, params.id), query)
    },
  })

  add('GET /api/tasks/{id}/tree/failure', {
    isCostly: true,
    summary: 'The next failed step of a task in the order of its tree, with the page of steps that holds it.',
    query: schemas.treeFailureQuery,
    answers: schemas.treeFailure,
    async handle({ person, params, query: { from = null, stage, agent, back } }) {
      const lane = agent === undefined ? null : laneIn({ stage, agent })
      return nextFailure(await partsFor(person, params.id), { step: from, lane }, back === 'yes')
    },
  })

  add('GET /api/tasks/{id}/tree/ruler', {
    isCostly: true,
    summary: 'How many steps each agent has in each stage of a task, and where among all steps failures are.',
    answers: schemas.treeRuler,
    async handle({ person, params }) {
      return rulerOf(await partsFor(person, params.id))
    },
  })
}

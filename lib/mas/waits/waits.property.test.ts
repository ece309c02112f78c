/** Waits over any history: docs/rules R25, R27. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import { anyWaitMoves, walkWaits } from '@/test/waitStories'
import { TEAM } from '@/test/worldHistories'
import { selectOutcome } from '../asks/outcomes'
import type { Entry } from '../events'
import type { AgentId, WaitingId } from '../ids'
import { selectNextStep } from '../members'
import type { MessageRecord, World } from '../records'
import { isSettled } from '../statuses'
import { selectCircleReplies, selectWaits, type WaitEdge } from './waits'

const runs = { numRuns: process.env.CONVENE_ALL ? 500 : 25 }

const locksOf = (world: World): WaitingId[] =>
  Object.values(world.work).flatMap(({ locks }) => locks.map((lock) => lock.id))
const blocked = (world: World): WaitEdge[] => selectWaits(world).edges.filter((edge) => edge.isBlocked)

const tellings = (world: World): MessageRecord[] =>
  Object.values(world.messages).flatMap((messages) =>
    Object.values(messages).filter((message: MessageRecord) => message.dispatch.startsWith('blocked:')),
  )
const isOf = ({ dispatch }: MessageRecord, cause: string | null): boolean => dispatch.startsWith(`blocked:${cause}:`)
const isOpenFor = (world: World, message: MessageRecord, person: AgentId): boolean => {
  const outcome = selectOutcome(world, message, person)
  return outcome !== null && !isSettled(outcome.state)
}

describe('any history', () => {
  it('[R25] has one edge for each open lock, and each that nobody can answer is told to the operators', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(anyWaitMoves(), (moves) => {
        walkWaits(moves, ({ story: { world } }) => {
          const { edges } = selectWaits(world)
          expect(edges.map(({ lock }) => lock.id).sort()).toEqual(locksOf(world).sort())
          for (const edge of edges) seen.add(edge.state)
          const causes = new Set(blocked(world).map((edge) => edge.cause))
          for (const cause of causes) expect(tellings(world).some((one) => isOf(one, cause))).toBe(true)
          // What asks for nothing any more is taken back.
          for (const one of tellings(world).filter((telling) => isOpenFor(world, telling, TEAM.ana.id))) {
            expect([...causes].some((cause) => isOf(one, cause))).toBe(true)
          }
          // A circle that can open has been given the reply that opens it.
          expect(selectCircleReplies(world)).toEqual([])
        })
      }),
      runs,
    )
    expect([...seen].sort()).toEqual(expect.arrayContaining(['circle', 'deadEnd', 'waiting']))
  })

  it('[R25] one command of an operator frees any wait, and leaves the others as they were', () => {
    fc.assert(
      fc.property(anyWaitMoves(), fc.nat(), (moves, pick) => {
        const { story } = walkWaits(moves, () => {})
        const { edges } = selectWaits(story.world)
        const edge = edges[pick % Math.max(1, edges.length)]
        if (!edge) return
        const before = locksOf(story.world)
        const { agent, lock } = edge
        const done = story.put(TEAM.ana.id, { type: 'releaseWait', agent, waiting: lock.id, reason: 'it is late' })
        expect(done).not.toBeNull()
        expect(locksOf(story.world).sort()).toEqual(before.filter((id) => id !== lock.id).sort())
      }),
      runs,
    )
  })

  it('[R27] tells the asker of every outcome but an answer, unless the asker itself is over', () => {
    fc.assert(
      fc.property(anyWaitMoves(), (moves) => {
        const { entries } = walkWaits(moves, () => {}).story
        for (const { event, cause } of entries) {
          if (event.type !== 'lock.released' || !['released', 'expired', 'failed'].includes(event.outcome)) continue
          expect(isTold(entries, cause, event.agent, event.waiting)).toBe(true)
        }
      }),
      runs,
    )
  })

  it('[R26] a locked agent runs a reply, or what serves one, and nothing else', () => {
    fc.assert(
      fc.property(anyWaitMoves(), (moves) => {
        walkWaits(moves, ({ story: { world } }) => {
          for (const agent of Object.keys(world.work) as AgentId[]) {
            if ((world.work[agent]?.locks.length ?? 0) === 0) continue
            const step = selectNextStep(world, agent)
            const serves = world.work[agent]?.todo.some(
              (ref) => stepIn(world.steps[ref.task]?.[agent], ref.step)?.bypassesLock === true,
            )
            if (step) expect(serves).toBe(true)
          }
        })
      }),
      runs,
    )
  })
})

const isTold = (entries: readonly Entry[], cause: string, agent: AgentId, waiting: WaitingId): boolean =>
  entries.some(
    (entry) =>
      entry.cause === cause &&
      entry.event.type === 'message.sent' &&
      entry.event.sender === 'system:task' &&
      entry.event.returnWaiting === waiting &&
      entry.event.receivers.includes(agent),
  )

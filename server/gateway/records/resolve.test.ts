/** Resolving the ids of requests: what the caller may see is found, everything else is refused alike. */
import { describe, expect, it } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import type { AgentRecord } from '@/lib/mas/records'
import { TEAM, walk } from '@/test/worldHistories'
import {
  resolveAgentId,
  resolveMessageId,
  resolveReceivers,
  resolveRequestId,
  resolveStageId,
  resolveTaskId,
  shown,
} from './resolve'

const { world } = walk([])
const task = Object.values(world.tasks).find((one) => !one.base)
if (!task) throw new Error('no task')
const personOf = (id: AgentId): AgentRecord => {
  const found = world.agents[id]
  if (!found) throw new Error('nobody')
  return found
}
const refusal = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (fault) {
    return fault
  }
}

describe('a text in a refusal', () => {
  it('a text in a refusal is whole up to 100 characters, and cut after them', () => {
    expect([shown('x'.repeat(100)), shown('x'.repeat(101))]).toEqual(['x'.repeat(100), `${'x'.repeat(100)}…`])
  })
})

describe('an id of a member', () => {
  it('a member is named by a uuid, a configured id or a StateID, and never by a name that every object has', () => {
    for (const text of [TEAM.ben.id, 'ben', `HumanAgent_${TEAM.ben.id}`])
      expect(resolveAgentId(world, text)?.id).toBe(TEAM.ben.id)
    for (const text of ['nobody', '', 'constructor', '__proto__', 'toString'])
      expect(resolveAgentId(world, text)).toBeNull()
  })

  it('a member is among the receivers once, however often and in whatever form they are named', () => {
    expect(resolveReceivers(world, ['ben', TEAM.lee.id, TEAM.ben.id])).toEqual([TEAM.ben.id, TEAM.lee.id])
    expect(refusal(() => resolveReceivers(world, ['ben', 'nobody']))).toMatchObject({
      code: 'RECEIVER_UNKNOWN',
      data: { id: 'nobody' },
    })
  })
})

describe('an id of a task', () => {
  it('[R58] a task that the caller cannot see is refused exactly as one that does not exist', () => {
    expect(resolveTaskId(world, task.id, personOf(TEAM.ben.id)).id).toBe(task.id)
    expect(resolveTaskId(world, task.id).id).toBe(task.id)
    const hidden = refusal(() => resolveTaskId(world, task.id, personOf(TEAM.lee.id)))
    expect(hidden).toMatchObject({ code: 'NOT_FOUND', data: { what: 'task', id: task.id } })
    expect(refusal(() => resolveTaskId(world, 'constructor'))).toMatchObject({
      code: 'NOT_FOUND',
      data: { what: 'task' },
    })
  })
})

describe('an id of a stage', () => {
  it('a stage is one of its task; null and no_relative are no stage', () => {
    const [stage] = Object.values(world.stages[task.id] ?? {})
    if (!stage) throw new Error('no stage')
    expect(resolveStageId(world, task.id, stage.id)).toBe(stage.id)
    for (const none of [null, '', 'no_relative']) expect(resolveStageId(world, task.id, none)).toBeNull()
    const base = world.baseTask ?? task.id
    for (const [where, text] of [
      [base, stage.id],
      [task.id, 'constructor'],
    ] as const)
      expect(refusal(() => resolveStageId(world, where, text))).toMatchObject({
        code: 'NOT_FOUND',
        data: { what: 'stage' },
      })
  })
})

describe('an id of a message or a request', () => {
  it('a message or a request is found in any task, and never by a name that every object has', () => {
    const messages = Object.values(world.messages).flatMap((own) => Object.values(own))
    expect(messages.length).toBeGreaterThan(1)
    for (const { id } of messages) expect(resolveMessageId(world, id).id).toBe(id)
    for (const { id } of Object.values(world.requests).flatMap((own) => Object.values(own)))
      expect(resolveRequestId(world, id).id).toBe(id)
    expect(refusal(() => resolveMessageId(world, 'constructor'))).toMatchObject({
      code: 'NOT_FOUND',
      data: { what: 'message' },
    })
    expect(refusal(() => resolveRequestId(world, 'constructor'))).toMatchObject({
      code: 'NOT_FOUND',
      data: { what: 'request' },
    })
  })
})

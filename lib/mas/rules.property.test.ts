/** What must hold over any history: docs/rules R1 to R8. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { anyMoves, TEAM, walk } from '@/test/worldHistories'
import { decide } from './commands'
import type { AgentId, StageId, TaskId } from './ids'
import { type BudgetRecord, emptyWorld, type StepRecord, type World } from './records'
import { reduceEntry } from './reduce'
import { reduceAll } from './reduce/reduceAll'
import { isOpen, isStepOver, isTaskOver } from './statuses'

const runs = { numRuns: process.env.CONVENE_ALL ? 1_000 : 60 }

describe('any history', () => {
  it('[R1] gives the same state from any cut, also through JSON', () => {
    fc.assert(
      fc.property(anyMoves(), fc.nat(), (moves, cut) => {
        const { entries, world } = walk(moves)
        const k = cut % (entries.length + 1)
        const atCut: World = JSON.parse(JSON.stringify(reduceAll(emptyWorld, entries.slice(0, k))))
        expect(reduceAll(atCut, entries.slice(k))).toEqual(world)
      }),
      runs,
    )
  })

  it('[R1] is decided the same way again: same commands, same ids, same entries', () => {
    fc.assert(
      fc.property(anyMoves(30), (moves) => {
        expect(walk(moves).entries).toEqual(walk(moves).entries)
      }),
      { numRuns: 30 },
    )
  })

  it('[R2] leaves the branches of every other task and agent identical', () => {
    fc.assert(
      fc.property(anyMoves(), (moves) => {
        const { entries } = walk(moves)
        let world = emptyWorld
        for (const entry of entries) {
          const next = reduceEntry(world, entry)
          const event = entry.event
          const task = 'task' in event ? event.task : null
          const agent = 'agent' in event ? event.agent : null
          for (const branch of ['stages', 'steps', 'messages', 'deliveries', 'requests', 'info', 'effects'] as const) {
            for (const other of Object.keys(world[branch]) as TaskId[]) {
              if (other !== task) expect(next[branch][other]).toBe(world[branch][other])
            }
          }
          for (const other of Object.keys(world.work) as AgentId[]) {
            if (other !== agent) expect(next.work[other]).toBe(world.work[other])
          }
          world = next
        }
      }),
      { numRuns: process.env.CONVENE_ALL ? 300 : 30 },
    )
  })

  it('[R3] is decided on the world that its own events make', () => {
    fc.assert(
      fc.property(anyMoves(20), (moves) => {
        const story = walk(moves)
        const decided = decide(
          story.world,
          { id: 'x', by: 'system:start', command: { type: 'startNode', node: 'n2', epoch: 2 } },
          story.world.at,
        )
        if (!decided.ok) throw new Error('refused')
        const entries = decided.events.map((event, index) => ({
          seq: story.world.seq + 1 + index,
          at: story.world.at,
          by: 'system:start',
          cause: 'x',
          event,
        }))
        expect(reduceAll(story.world, entries)).toEqual(decided.world)
      }),
      { numRuns: 30 },
    )
  })

  it('[R6] [R7] [R8] refers to nothing that is over, loses no wait and keeps its queues, after every command', () => {
    const holds = ({ world }: { world: World }): void => {
      expect(endRuleBreaches(world), 'no lock, open request or waiting step refers to something that is over').toEqual(
        [],
      )
      expect(
        lostWaits(world),
        'every wait has someone who can end it: a reply that will run, or an open request',
      ).toEqual([])
      expect(queueBreaches(world), 'a queue holds exactly the steps that neither ended nor run, each once').toEqual([])
    }
    fc.assert(
      fc.property(anyMoves(120), (moves) => void walk(moves, holds)),
      runs,
    )
  })

  it('reaches every state of tasks, stages, parts, steps and requests, so that the rules above are tried on them', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(anyMoves(150), (moves) => {
        const { world } = walk(moves)
        for (const task of Object.values(world.tasks)) seen.add(`task ${task.state}`)
        for (const stage of allOf(world.stages)) seen.add(`stage ${stage.state}`)
        for (const stage of allOf(world.stages)) for (const part of Object.values(stage.parts)) seen.add(`part ${part}`)
        for (const step of allSteps(world)) seen.add(`step ${step.state}`)
        for (const request of allOf(world.requests)) seen.add(`request ${request.kind} ${request.state}`)
      }),
      { numRuns: 150, seed: 7 },
    )
    for (const state of [
      'task running',
      'task finished',
      'stage running',
      'stage finished',
      'stage failed',
      'part idle',
      'part working',
      'part finished',
      'part failed',
      'step init',
      'step pending',
      'step finished',
      'step failed',
      'request answer answered',
      'request part answered',
      'request confirm answered',
      'request part superseded',
    ])
      expect(seen).toContain(state)
  })
})

const allOf = <T>(byTask: Record<TaskId, Record<string, T>>): T[] =>
  Object.values(byTask).flatMap((map) => Object.values(map))
const allSteps = (world: World): StepRecord[] =>
  Object.values(world.steps).flatMap((agents) => Object.values(agents).flatMap((own) => stepsIn(own)))

function endRuleBreaches(world: World): string[] {
  const breaches: string[] = []
  const isOver = (task: TaskId, stage: StageId | null): boolean => {
    const owner = world.tasks[task]
    if (!owner || isTaskOver(owner)) return true
    const record = stage === null ? null : world.stages[task]?.[stage]
    return record ? record.state === 'finished' || record.state === 'failed' : false
  }
  for (const [agent, work] of Object.entries(world.work)) {
    for (const lock of work.locks)
      if (isOver(lock.task, lock.stage)) breaches.push(`lock of ${agent} in something over`)
  }
  for (const request of allOf(world.requests)) {
    if (isOpen(request) && isOver(request.task, request.stage))
      breaches.push(`request ${request.kind} in something over`)
    if (isOpen(request) && request.kind === 'confirm') {
      const step = allSteps(world).find((one) => one.id === request.step)
      if (step?.state !== 'pending') breaches.push(`confirmation of a step that is ${step?.state}`)
    }
  }
  for (const [task, { stops }] of Object.entries(world.budgets) as [TaskId, BudgetRecord][]) {
    for (const [key, { request }] of Object.entries(stops ?? {})) {
      const asked = world.requests[task]?.[request]
      if (!asked || !isOpen(asked)) breaches.push(`${key} stands still though nobody is asked`)
    }
  }
  for (const step of allSteps(world)) {
    if (isStepOver(step)) continue
    if (isOver(step.task, step.stage)) breaches.push(`step ${step.executor} ${step.state} in something over`)
    if (!world.tasks[step.task]?.group.includes(step.agent)) breaches.push(`step ${step.executor} of one who left`)
  }
  return breaches
}

function lostWaits(world: World): string[] {
  return Object.entries(world.work).flatMap(([agent, work]) =>
    work.locks
      .filter((lock) => {
        const reply = allSteps(world).some((step) => !isStepOver(step) && step.answers?.waiting === lock.id)
        const request = allOf(world.requests).some((one) => isOpen(one) && one.lock === lock.id)
        // Its receiver or the task is paused: it will be asked when they go on.
        const queued = allOf(world.messages).some(
          (message) =>
            message.waiting?.includes(lock.id) === true &&
            message.receivers.some(
              (agent) => world.deliveries[message.task]?.[agent]?.[message.id]?.state === 'queued',
            ),
        )
        return !reply && !request && !queued
      })
      .map((lock) => `${agent} waits for ${lock.on ?? 'a decision'} for ever`),
  )
}

function queueBreaches(world: World): string[] {
  const breaches: string[] = []
  for (const [agent, work] of Object.entries(world.work) as [AgentId, World['work'][AgentId]][]) {
    const steps = Object.values(world.steps).flatMap((agents) => stepsIn(agents[agent]))
    const due = steps.filter((step) => step.state === 'init' || step.state === 'pending').map((step) => step.id)
    const queued = work.todo.map((ref) => ref.step)
    if (new Set(queued).size !== queued.length) breaches.push(`${agent} has a step twice`)
    if ([...due].sort().join() !== [...queued].sort().join())
      breaches.push(`${agent}: due ${due.length}, queued ${queued.length}`)
    const running = steps.filter((step) => step.state === 'running').map((step) => step.id)
    if (running.length > 1) breaches.push(`${agent} runs ${running.length} steps`)
    if ((running[0] ?? null) !== (work.running?.step ?? null))
      breaches.push(`${agent}: what runs is not what the queue says`)
  }
  return breaches
}

describe('people', () => {
  it('[R5] the slower of two answers learns who was first, and nothing changes', () => {
    const story = walk([])
    story.run(TEAM.reader.id, () => ({
      state: 'finished',
      reason: null,
      result: { kind: 'text', text: '', body: null, made: null },
      sync: {},
      steps: {
        add: [{ step_intention: 'ask', type: 'skill', executor: 'send_message', text_content: 'ask' }],
        insert: [],
      },
      instruct: null,
      calls: [],
      memory: [],
      call: null,
      repairs: [],
    }))
    story.run(TEAM.reader.id, (step) => ({
      state: 'finished',
      reason: null,
      result: { kind: 'text', text: '', body: null, made: null },
      sync: {
        send_message: {
          receiver: [TEAM.ben.id],
          message: 'which?',
          stage_relative: step.stage ?? 'no_relative',
          need_reply: true,
          waiting: true,
        },
      },
      steps: { add: [], insert: [] },
      instruct: null,
      calls: [],
      memory: [],
      call: null,
      repairs: [],
    }))
    const request = story.openRequests().find((one) => one.kind === 'answer')
    if (!request) throw new Error('no request was opened')
    expect(story.world.work[TEAM.reader.id]?.locks).toHaveLength(1)
    const answer = (text: string) =>
      ({ type: 'answerRequest', request: request.id, decision: 'answer', text, arguments: null, digest: null }) as const
    expect(story.put(TEAM.ben.id, answer('3.20'))).not.toBeNull()
    expect(story.world.work[TEAM.reader.id]?.locks).toHaveLength(0)
    const before = story.world
    const late = decide(story.world, { id: 'late', by: TEAM.ana.id, command: answer('3.50') }, story.world.at)
    expect(late).toMatchObject({ ok: false, fault: { code: 'REQUEST_OVER', data: { by: 'Ben' } } })
    expect(story.world).toBe(before)
  })
})

/** What leaves the world, over any history: only what is at rest, and whole; what goes on does not miss it. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stepIn, stepsIn } from '@/lib/mas/steps/ownSteps'
import { anyMoves, BASE_TASK, outcomeOf, Story, send, TEAM, walk } from '@/test/worldHistories'
import {
  archivableAt,
  selectArchivableThreads,
  selectEvictable,
  selectTaskArchivable,
  TASK_ARCHIVE_AFTER_MS,
  THREAD_RETIRE_AFTER_MS,
  UNSEEN_ARCHIVE_AFTER_MS,
  WINDOW,
} from '../archive/archivable'
import { pieceOf } from '../archive/branches'
import { type EvictedLanes, withEvicted } from '../archive/evictedLanes'
import { event } from '../events'
import { type AgentId, asId, type MessageId, type StepId, type TaskId } from '../ids'
import type { StepRecord, World } from '../records'
import { reduceEntry } from '../reduce'
import { isOpen, isStepOver, isTaskOver } from '../statuses'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const stepsOf = (world: World, task: TaskId): StepRecord[] =>
  Object.values(world.steps[task] ?? {}).flatMap((own) => stepsIn(own))

/** Records that something open names and that are not there. */
function missed(world: World): string[] {
  const found: string[] = []
  for (const [agent, work] of Object.entries(world.work) as [AgentId, World['work'][AgentId]][]) {
    for (const ref of [...work.todo, ...(work.running ? [work.running] : [])])
      if (!stepIn(world.steps[ref.task]?.[agent], ref.step)) found.push(`${agent} has a step to run that is gone`)
    for (const lock of work.locks) {
      if (lock.message !== null && !world.messages[lock.task]?.[lock.message]) found.push(`a lock's message is gone`)
      if (lock.request !== null && !world.requests[lock.task]?.[lock.request]) found.push(`a lock's request is gone`)
    }
  }
  for (const task of Object.keys(world.tasks) as TaskId[]) {
    for (const step of stepsOf(world, task)) {
      if (isStepOver(step)) continue
      const { message } = step.cause
      if (message !== null && !world.messages[task]?.[message]) found.push(`the message behind a step is gone`)
      if (step.answers && !world.messages[task]?.[step.answers.message]) found.push(`what a reply answers is gone`)
    }
    for (const request of Object.values(world.requests[task] ?? {}))
      if (isOpen(request) && request.message !== null && !world.messages[task]?.[request.message])
        found.push(`the message behind an open request is gone`)
    for (const own of Object.values(world.deliveries[task] ?? {}))
      for (const id of Object.keys(own) as MessageId[])
        if (!world.messages[task]?.[id]) found.push(`a delivery is left without its message`)
  }
  return found
}

/** What of a task would be lost to somebody if it left. */
function openIn(world: World, task: TaskId): string[] {
  const found: string[] = []
  for (const step of stepsOf(world, task)) if (!isStepOver(step)) found.push('step')
  for (const request of Object.values(world.requests[task] ?? {})) {
    if (isOpen(request)) found.push('request')
  }
  for (const work of Object.values(world.work))
    for (const lock of work.locks) if (lock.task === task) found.push('lock')
  return found
}

const timer = (story: Story, command: Parameters<Story['put']>[1]) => story.put('system:timer', command)

describe('[R24] a task that is over', () => {
  it('leaves whole, only with nothing open, and never before its time; all others stay as they are', () => {
    let [left, held] = [0, 0]
    fc.assert(
      fc.property(anyMoves(60), fc.boolean(), (moves, isFinished) => {
        const story = walk(moves)
        const task = Object.values(story.world.tasks).find((one) => !one.base)
        if (!task) return
        if (isFinished)
          story.put(TEAM.ana.id, { type: 'finishTask', task: task.id, state: 'failed', summary: 's', reason: 'r' })
        story.pass(TASK_ARCHIVE_AFTER_MS - HOUR_MS)
        expect(timer(story, { type: 'archiveTask', task: task.id })).toBeNull()
        story.pass(8 * DAY_MS)
        const before = story.world
        const decided = timer(story, { type: 'archiveTask', task: task.id })
        if (decided === null) {
          held += 1
          expect(story.world).toBe(before)
          const record = before.tasks[task.id]
          if (record && isTaskOver(record)) expect(openIn(before, task.id)).not.toEqual([])
          return
        }
        left += 1
        expect(openIn(before, task.id)).toEqual([])
        expect(Object.values(pieceOf(story.world, task.id)).filter((branch) => branch !== undefined)).toEqual([])
        expect(Object.entries(pieceOf(story.world, BASE_TASK))).toEqual(Object.entries(pieceOf(before, BASE_TASK)))
        expect(missed(story.world)).toEqual([])
      }),
      { numRuns: process.env.CONVENE_ALL ? 600 : 60 },
    )
    expect(left).toBeGreaterThan(10)
    expect(held).toBeGreaterThan(10)
  })

  it('waits longer for those who have not seen what was asked in it', () => {
    const story = walk([])
    const task = Object.values(story.world.tasks).find((one) => !one.base)
    if (!task) throw new Error('no task')
    story.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { task: task.id, kind: 'urgent' }))
    story.put(TEAM.ana.id, { type: 'finishTask', task: task.id, state: 'finished', summary: 's', reason: 'r' })
    const over = story.world.tasks[task.id]
    if (!over) throw new Error('gone')
    const unseen = selectTaskArchivable(story.world, over)
    expect(unseen?.unseen).toBe(true)
    if (unseen) expect(archivableAt(unseen, 'task')).toBe(unseen.since + UNSEEN_ARCHIVE_AFTER_MS.task)
    for (const person of [TEAM.ana.id, TEAM.ben.id]) {
      const messages = Object.keys(story.world.deliveries[task.id]?.[person] ?? {}) as MessageId[]
      story.put(person, { type: 'markShown', messages })
    }
    const seen = selectTaskArchivable(story.world, over)
    expect(seen?.unseen).toBe(false)
    if (seen) expect(archivableAt(seen, 'task')).toBe(seen.since + TASK_ARCHIVE_AFTER_MS)
  })
})

describe('[R24] a thread of the base task', () => {
  const threadOf = (story: Story) => Object.values(story.world.messages[BASE_TASK] ?? {})[0]?.thread ?? null

  it('stays while an agent works on it, while its task runs, and for an hour after', () => {
    const story = walk([])
    const [task] = Object.values(story.world.tasks).filter((one) => !one.base)
    const thread = threadOf(story)
    if (!task || thread === null) throw new Error('no thread')
    story.pass(2 * HOUR_MS)
    expect(timer(story, { type: 'retireThread', thread })).toBeNull()
    story.put(TEAM.ana.id, { type: 'finishTask', task: task.id, state: 'finished', summary: 's', reason: 'r' })
    while (story.run(TEAM.manager.id, () => outcomeOf({}))) {}
    for (const message of Object.values(story.world.messages[BASE_TASK] ?? {}))
      for (const person of message.receivers) story.put(person, { type: 'markShown', messages: [message.id] })
    for (const request of story.openRequests())
      story.put(TEAM.ana.id, {
        type: 'answerRequest',
        request: request.id,
        decision: 'answer',
        text: 'so',
        arguments: null,
        digest: null,
      })
    while (story.run(TEAM.manager.id, () => outcomeOf({}))) {}
    const rest = selectArchivableThreads(story.world).get(thread)
    expect(rest).toBeDefined()
    story.pass(THREAD_RETIRE_AFTER_MS - HOUR_MS / 2)
    expect(timer(story, { type: 'retireThread', thread })).toBeNull()
    story.pass(UNSEEN_ARCHIVE_AFTER_MS.thread)
    expect(timer(story, { type: 'retireThread', thread })).not.toBeNull()
    const left = Object.values(story.world.messages[BASE_TASK] ?? {}).filter((one) => one.thread === thread)
    expect(left).toEqual([])
    expect(stepsOf(story.world, BASE_TASK).filter((step) => step.thread === thread)).toEqual([])
    expect(missed(story.world)).toEqual([])
  })

  it('over any history leaves nothing behind that misses it, and what goes on goes on', () => {
    let left = 0
    fc.assert(
      fc.property(anyMoves(60), (moves) => {
        const story = walk(moves)
        story.pass(2 * DAY_MS)
        for (const thread of selectArchivableThreads(story.world).keys())
          if (timer(story, { type: 'retireThread', thread })) left += 1
        expect(missed(story.world)).toEqual([])
        while (story.run(TEAM.manager.id, () => outcomeOf({}))) {}
        expect(missed(story.world)).toEqual([])
      }),
      { numRuns: 60 },
    )
    expect(left).toBeGreaterThan(5)
  })
})

describe('[R24] old records of a task that goes on', () => {
  /** A base task with so many threads of which all was seen, and one question that is open since the beginning. */
  function crowded(count: number): Story {
    const story = new Story()
    story.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { text: 'still open', kind: 'action' }))
    for (let n = 0; n < count; n++) {
      story.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { text: `note ${n}` }))
      const messages = Object.keys(story.world.deliveries[BASE_TASK]?.[TEAM.ben.id] ?? {}).slice(-1) as MessageId[]
      story.put(TEAM.ben.id, { type: 'markShown', messages })
    }
    return story
  }

  it('leave, the oldest first, until the window is full again; what is open stays', () => {
    const story = crowded(WINDOW + 40)
    const first = Object.values(story.world.messages[BASE_TASK] ?? {})[0]
    timer(story, { type: 'evictRecords', task: BASE_TASK })
    const messages = Object.values(story.world.messages[BASE_TASK] ?? {})
    // Forty-one too many; the open one is among them and stays.
    expect(messages).toHaveLength(WINDOW + 1)
    expect(messages[0]).toBe(first)
    expect(messages[1]?.text).toBe('note 40')
    expect(stepsOf(story.world, BASE_TASK)).toHaveLength(WINDOW)
    expect(missed(story.world)).toEqual([])
    expect(selectEvictable(story.world, BASE_TASK)).toBeNull()
  })

  it('do not leave a stage that runs as long as its agent has few of them', () => {
    const story = walk([])
    const [task] = Object.values(story.world.tasks).filter((one) => !one.base)
    if (!task) throw new Error('no task')
    const agents = Array.from({ length: 30 }, (_, n) => asId<AgentId>(`agent-${n}`))
    const stage = Object.values(story.world.stages[task.id] ?? {}).find((one) => one.state === 'running')
    const [like] = stepsOf(story.world, task.id)
    if (!stage || !like) throw new Error('no stage')
    const steps = Object.fromEntries(
      agents.map((agent) => [
        agent,
        Object.fromEntries(
          Array.from({ length: 60 }, (_, n) => {
            const id = asId<StepId>(`${agent}-${n}`)
            return [id, { ...like, id, agent, stage: stage.id, state: 'finished' as const, createdSeq: n }]
          }),
        ),
      ]),
    )
    const running = { ...story.world, steps: { ...story.world.steps, [task.id]: steps } }
    expect(selectEvictable(running, task.id)).toBeNull()
    const over = {
      ...running,
      stages: { ...running.stages, [task.id]: { [stage.id]: { ...stage, state: 'finished' as const } } },
    }
    const found = selectEvictable(over, task.id)
    expect(Object.values(found?.steps ?? {}).flat()).toHaveLength(30 * 60 - WINDOW)
  })
})

describe('[R545] steps that leave', () => {
  it('are counted as before, with what they used and when: any of them, in any order', () => {
    let counted = 0
    fc.assert(
      fc.property(anyMoves(60), fc.array(fc.nat(20), { maxLength: 12 }), (moves, picks) => {
        const { world } = walk(moves)
        const before = lanesOf(world)
        let now = world
        for (const pick of picks) {
          const all = Object.keys(now.steps).flatMap((task) => stepsOf(now, task as TaskId))
          const step = all[pick % Math.max(1, all.length)]
          if (step === undefined) break
          const { task, agent, id } = step
          const gone = event('records.evicted', { task, steps: { [agent]: [id] }, messages: [], requests: [] })
          now = reduceEntry(now, { event: gone, seq: now.seq + 1, at: now.at })
          counted += 1
        }
        expect(lanesOf(now)).toEqual(before)
      }),
      { numRuns: 60 },
    )
    expect(counted).toBeGreaterThan(100)
  })

  /** What each agent's steps in each stage come to, whether they are in the world or not. */
  function lanesOf(world: World): EvictedLanes {
    const live = Object.keys(world.steps).flatMap((task) => stepsOf(world, task as TaskId))
    const gone = Object.values(world.evicted).flatMap((lanes) => Object.entries(lanes))
    // Stages have ids of their own; steps without one are told apart by their task elsewhere.
    const staged = live.filter(({ stage }) => stage !== null)
    return withEvicted(Object.fromEntries(gone.filter(([, { stage }]) => stage !== null)), staged)
  }
})

/** What a person may read: their own, what their tasks hold, what they saw before they left, and files. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, goals, LEE, MANAGER, messagesOf, must, READER, stepsOf, storyOf } from '@/test/stories'
import { BASE_TASK, send } from '@/test/worldHistories'
import type { AgentId, TaskId } from '../ids'
import type { Access, AgentRecord, FileVersion, MessageRecord } from '../records'
import { canReadMessage, canReadRequest, canReadStep, canSeeFile, canSeeTask, taskAccessOf } from './access'

/** Ben has left the task in which Ana went on; Lee never was in it. */
const told = () => {
  const { story, task } = storyOf(goals('read', READER))
  story.put(ANA, send(ANA, [BEN], { task, text: 'before' }))
  story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [BEN], reason: 'he goes' })
  story.put(ANA, send(ANA, [READER], { task, text: 'after' }))
  story.put(LEE, send(LEE, [MANAGER], { text: 'of Lee' }))
  const { world } = story
  const person = (id: AgentId, access?: Access): AgentRecord => {
    const record = must(world.agents[id], 'person')
    return access === undefined ? record : { ...record, access }
  }
  const message = (text: string, of: TaskId = task): MessageRecord =>
    must(
      messagesOf(world, of).find((one) => one.text === text),
      'message',
    )
  return { world, task, person, message }
}

describe('how far a person sees into a task', () => {
  it('is all of it for members, operators and developers, nothing for others and for who has no access', () => {
    const { world, task, person } = told()
    const sees = (id: AgentId, access?: Access) => [
      taskAccessOf(world, person(id, access), task) !== null,
      canSeeTask(world, person(id, access), task),
    ]
    expect(sees(ANA)).toEqual([true, true])
    expect(sees(ANA, 'participant')).toEqual([true, true])
    expect(sees(ANA, 'none')).toEqual([false, false])
    expect(sees(LEE)).toEqual([false, false])
    expect(sees(LEE, 'operator')).toEqual([true, true])
    expect(sees(LEE, 'developer')).toEqual([true, true])
    expect(taskAccessOf(world, person(ANA), 'none' as TaskId)).toBeNull()
    expect(canSeeTask(world, person(ANA), 'none' as TaskId)).toBe(false)
    expect(canSeeTask(world, person(LEE), BASE_TASK)).toBe(true)
    expect(canSeeTask(world, person(LEE, 'none'), BASE_TASK)).toBe(false)
  })

  it('ends for a former member with the last entry that they saw, that one included', () => {
    const { world, task, person, message } = told()
    const reach = must(taskAccessOf(world, person(BEN), task), 'reach')
    expect(Number.isFinite(reach.upTo)).toBe(true)
    expect([message('before'), message('after')].map((one) => canReadMessage(reach, one))).toEqual([true, false])
    const at = (seq: number) => [
      canReadMessage(reach, { ...message('before'), seq }),
      canReadRequest(reach, { openedSeq: seq, thread: null, asked: [] }),
      canReadStep(reach, { createdSeq: seq, agent: READER, thread: null }),
    ]
    expect(at(reach.upTo)).toEqual([true, true, true])
    expect(at(reach.upTo + 1)).toEqual([false, false, false])
    expect(canSeeTask(world, person(BEN), task)).toBe(true)
  })

  it('is in the base task their own threads, and what they did themselves in any', () => {
    const { world, person, message } = told()
    const { thread } = message('of Lee', BASE_TASK)
    const reach = (id: AgentId) => must(taskAccessOf(world, person(id), BASE_TASK), 'reach')
    const step = (agent: AgentId, of: typeof thread) => ({ createdSeq: 1, agent, thread: of })
    expect(canReadStep(reach(LEE), step(MANAGER, thread))).toBe(true)
    expect(canReadStep(reach(BEN), step(MANAGER, thread))).toBe(false)
    expect(canReadStep(reach(LEE), step(MANAGER, null))).toBe(false)
    expect(canReadStep(reach(BEN), step(BEN, thread))).toBe(true)
    expect(canReadStep(reach(ANA), step(MANAGER, null))).toBe(true)
    expect(canReadMessage(reach(BEN), message('of Lee', BASE_TASK))).toBe(false)
    expect([canReadStep(null, step(BEN, null)), canReadMessage(null, message('before'))]).toEqual([false, false])
  })
})

describe('a file', () => {
  const facts = { path: null, carriers: [], uploader: null }

  it('is seen by who uploaded it, and by readers of a message that carries it', () => {
    const { world, person, message } = told()
    const sees = (id: AgentId, more: Partial<Parameters<typeof canSeeFile>[2]>, access?: Access) =>
      canSeeFile(world, person(id, access), { ...facts, ...more }, ['files'])
    expect([sees(LEE, { uploader: LEE }), sees(LEE, { uploader: BEN }), sees(LEE, {})]).toEqual([true, false, false])
    expect(sees(LEE, { uploader: LEE }, 'none')).toBe(false)
    const carriers = [message('after')]
    expect([sees(ANA, { carriers }), sees(BEN, { carriers }), sees(LEE, { carriers })]).toEqual([true, false, false])
    expect(sees(BEN, { carriers: [message('after'), message('before')] })).toBe(true)
    expect(sees(ANA, { carriers }, 'none')).toBe(false)
  })

  it('of the workspace is seen by who holds a file tool or sees all, but not below inbox/', () => {
    const { world, person } = told()
    const sees = (path: string | null, tools: string[], access: Access = 'participant') =>
      canSeeFile(world, { ...person(LEE, access), tools }, { ...facts, path }, ['files'])
    expect(sees('a.md', ['files'])).toBe(true)
    expect(sees('a.md', ['search'])).toBe(false)
    expect(sees('a.md', [])).toBe(false)
    expect(sees('a.md', ['search', 'files'])).toBe(true)
    expect([sees('a.md', [], 'operator'), sees('a.md', [], 'developer'), sees('a.md', ['files'], 'none')]).toEqual([
      true,
      true,
      false,
    ])
    for (const path of ['inbox', 'inbox/a.md', 'INBOX/a.md'])
      expect(sees(path, ['files'], 'operator'), path).toBe(false)
    for (const path of ['inboxes/a.md', 'a/inbox/b.md']) expect(sees(path, ['files']), path).toBe(true)
    expect(sees(null, ['files'], 'operator')).toBe(false)
  })
  it('that a step wrote is seen by readers of the step below inbox/, and elsewhere by who holds a file tool', () => {
    const { world, task, person } = told()
    const step = must(stepsOf(world, READER, task)[0], 'step')
    const version: FileVersion = {
      change: 'made',
      before: null,
      now: null,
      shared: false,
      seq: step.createdSeq,
      at: 1,
      task,
      agent: step.agent,
      step: step.id,
      thread: null,
    }
    const sees = (id: AgentId, path: string) =>
      canSeeFile(world, { ...person(id, 'participant'), tools: [] }, { ...facts, path, versions: [version] }, ['files'])
    expect([sees(ANA, 'inbox/a.md'), sees(LEE, 'inbox/a.md')]).toEqual([true, false])
    expect([sees(ANA, 'a.md'), sees(LEE, 'a.md')]).toEqual([false, false])
  })
})

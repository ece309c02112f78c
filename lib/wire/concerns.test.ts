/** Fixed cases of what is left of an entry whose task is hidden from the viewer. */
import { expect, it } from 'vitest'
import { type Entry, event, type MasEvent } from '../mas/events'
import { type AgentId, asId, type MessageId, type StepId, SYSTEM_TASK, type TaskId, type WaitingId } from '../mas/ids'
import { emptyWorld } from '../mas/records'
import { concerns, cut } from './concerns'
import { classText } from './viewClass'

const [agent, ana] = [asId<AgentId>('agent'), asId<AgentId>('ana')]
const [hidden, seen] = [asId<TaskId>('hidden'), asId<TaskId>('seen')]
const view = { kind: 'agent', agent } as const
const cls = classText({ see: 'tasks', tasks: [seen] }, '')
const entryOf = (fact: MasEvent): Entry => ({ seq: 1, at: 5, by: ana, cause: 'command', event: fact })
const released = (task: TaskId): Entry =>
  entryOf(event('lock.released', { agent, task, waiting: asId<WaitingId>('w'), outcome: 'released', by: ana }))

it('[R60] who ended a wait in a hidden task is not told, by its event or by its entry; that it ended is', () => {
  expect(concerns(emptyWorld, released(hidden).event, view, cls)).toBe(true)
  expect(cut(released(hidden), view, cls)).toMatchObject({
    by: '',
    cause: '',
    event: { type: 'lock.released', waiting: 'w', by: SYSTEM_TASK },
  })
  expect(cut(released(seen), view, cls)).toEqual(released(seen))
})

it('[R60] an entry of a hidden task names none of what it is about', () => {
  const about = { on: ana, message: asId<MessageId>('m'), request: null, stage: null, step: asId<StepId>('s') }
  const lock = { id: asId<WaitingId>('w'), kind: 'message', ...about } as const
  const added = cut(entryOf(event('lock.added', { agent, task: hidden, lock })), view, cls)
  expect(added.event).toMatchObject({ lock: { on: null, message: null, request: null, stage: null } })
})

it('[R58] in which thread a task was asked for is in no entry of any view', () => {
  const members = { manager: agent, group: [agent, ana], requestedBy: ana }
  const requestedIn = { task: seen, thread: asId<MessageId>('root') }
  const task = {
    task: hidden,
    name: 'Compare',
    intention: 'compare',
    base: false,
    load: false,
    ...members,
    requestedIn,
  }
  for (const [shown, all] of [
    [{ kind: 'task', task: task.task } as const, classText({ see: 'all' }, '')],
    [view, classText({ see: 'all' }, '')],
  ] as const)
    expect(JSON.stringify(cut(entryOf(event('task.added', task)), shown, all))).not.toContain('root')
})

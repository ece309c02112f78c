/** A request that changes an earlier result, and one from a template: what the new task keeps of it. */
import { expect, it } from 'vitest'
import { ANA, BEN, goals, MANAGER, must, READER, storyOf, submits, tell } from '@/test/stories'
import { BASE_TASK, type Story } from '@/test/worldHistories'
import type { CommandOf } from '../../commands/command'
import { event } from '../../events'
import { asId, type MessageId, type StepId, type TaskId, type TemplateId } from '../../ids'
import { PLAIN_QUESTION } from '../../messages/commands/personSends'
import type { AskedChange, TaskRecord } from '../../records'
import { selectRatings } from '../ratings'

const TEMPLATE = asId<TemplateId>('00000000-0000-4000-8000-000000000900')
const sha = (letter: string) => ({ sha: letter.repeat(64), bytes: 4, kept: true })

function ended() {
  const { story, task } = storyOf(goals('read', READER))
  submits(story, READER)
  story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'Done.', reason: 'it is done' })
  return { story, task }
}

const changeOf = (of: TaskId): AskedChange => ({
  of,
  name: 'Compare',
  passage: 'Pears cost 3.20.',
  comment: 'Leave out south.',
  files: ['report.md', 'gone.md', 'unknown.md'],
})

const wrote = (task: TaskId, path: string, now: ReturnType<typeof sha> | null) =>
  event('files.changed', {
    task,
    agent: READER,
    step: asId<StepId>('00000000-0000-4000-8000-000000000901'),
    thread: null,
    changes: [{ path, change: now === null ? 'removed' : 'changed', before: null, now, shared: false }],
    more: 0,
    complete: true,
    keep: 20,
  })

/** The task that the manager makes for this request. */
function madeFor(story: Story, more: Partial<CommandOf<'sendMessage'>>, name = 'Change it'): TaskRecord {
  const before = new Set(Object.keys(story.world.tasks))
  const request = { task: BASE_TASK, sender: ANA, receivers: [MANAGER], text: name, attachments: [] }
  story.put(ANA, { ...PLAIN_QUESTION, ...request, ...more })
  story.run(MANAGER, () => tell({ action: 'add_task', task_name: name, task_intention: name, members: [READER] }))
  return must(
    Object.values(story.world.tasks).find(({ id }) => !before.has(id)),
    'new task',
  )
}

it('[R510] the task for a requested change names the other task and begins with its files as they are then; both name each other', () => {
  const { story, task } = ended()
  story.happens(wrote(task, 'report.md', sha('a')))
  story.happens(wrote(task, 'gone.md', sha('b')))
  story.happens(wrote(task, 'report.md', sha('c')))
  story.happens(wrote(task, 'gone.md', null))
  const made = madeFor(story, { change: changeOf(task) })
  expect(made).toMatchObject({
    changeOf: task,
    start: {
      name: 'Compare',
      passage: 'Pears cost 3.20.',
      comment: 'Leave out south.',
      files: [
        { path: 'report.md', sha: 'c'.repeat(64), bytes: 4 },
        { path: 'gone.md', sha: null, bytes: null },
        { path: 'unknown.md', sha: null, bytes: null },
      ],
    },
  })
  expect(story.world.tasks[task]?.changedBy).toEqual([made.id])
  const again = madeFor(story, { change: { ...changeOf(task), files: [] } }, 'Once more')
  expect(story.world.tasks[task]?.changedBy).toEqual([made.id, again.id])
  expect(again.start?.files).toEqual([])
})

it('[R510] a task without such a request begins with nothing', () => {
  const { story } = ended()
  const made = madeFor(story, {})
  expect([made.changeOf, made.start, made.fromTemplate]).toEqual([undefined, undefined, undefined])
  expect(Object.values(story.world.tasks).some(({ changedBy }) => changedBy !== undefined)).toBe(false)
})

it('[R514] a task begun from a template keeps it, and so do ratings of its results, for everybody who uses it', () => {
  const { story } = ended()
  const made = madeFor(story, { fromTemplate: TEMPLATE })
  expect(made.fromTemplate).toBe(TEMPLATE)
  story.put(ANA, { type: 'finishTask', task: made.id, state: 'finished', summary: 'Done.', reason: 'it is done' })
  story.put(ANA, { type: 'rateTask', task: made.id, rating: 'down', sentence: 'Too long.' })
  const seen = (by: typeof ANA | null, template: TemplateId | null) =>
    selectRatings(story.world, by, template).map(({ task, sentence }) => [task, sentence])
  const one = [[made.id, 'Too long.']]
  expect(seen(BEN, TEMPLATE)).toEqual(one)
  // Ana asked for it, by that template: it is one rating.
  expect(seen(ANA, TEMPLATE)).toEqual(one)
  expect([seen(BEN, null), seen(null, asId<TemplateId>('another'))]).toEqual([[], []])
})

it('[R514] a scheduled request from a template is one of that template', () => {
  const { story } = ended()
  const schedule = { name: 'Weekly', text: 'Compare', attachments: [], cron: '0 8 * * 1', timeZone: 'UTC' }
  story.put(ANA, { type: 'saveTemplate', template: null, name: 'Compare', text: 'Compare', fields: [] })
  const [template] = Object.values(story.world.templates)
  story.put(ANA, { type: 'saveSchedule', schedule: null, ...schedule, template: must(template, 'template').id })
  const [saved] = Object.values(story.world.schedules)
  const { id, next } = must(saved, 'schedule')
  story.put('system:timer', { type: 'askScheduled', schedule: id, due: next ?? 0 })
  const asked = asId<MessageId>(must(story.world.schedules[id]?.last, 'request').message)
  const message = must(Object.values(story.world.messages).find((own) => own[asked])?.[asked], 'message')
  expect(message.fromTemplate).toBe(template?.id)
})

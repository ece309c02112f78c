/** Which files of finished work reach the agent of another system that asked for it. */
import { expect, it } from 'vitest'
import { goals, must, tell } from '@/test/stories'
import { type Story, send, TEAM } from '@/test/worldHistories'
import { event } from '../../events'
import type { FileChange, MessageRecord, TaskRecord } from '../../records'
import { stepsIn } from '../../steps/ownSteps'
import { ADAPTER, comesIn, outsider, withPeer } from './test/outsideStories'

const MIB = 1024 * 1024
type Left = { path: string; bytes?: number; kept?: boolean; sha?: string | null; change?: FileChange['change'] }

/** The manager has begun what the agent outside asked for, and Reader left these files. */
function worked(files: Left[]): { story: Story; work: TaskRecord } {
  const story = withPeer()
  story.put(ADAPTER, comesIn({ to: TEAM.manager.id, text: 'Compare the lists' }))
  const stages = [goals('read', TEAM.reader.id)]
  const task = { task_name: 'Compare', task_intention: 'compare', members: [TEAM.reader.id], stages }
  story.run(TEAM.manager.id, () => tell({ action: 'add_task', ...task }))
  const work = must(
    Object.values(story.world.tasks).find((one: TaskRecord) => one.requestedBy === outsider(story).id),
    'work',
  )
  const step = must(stepsIn(story.world.steps[work.id]?.[TEAM.reader.id])[0], 'step').id
  const changes = files.map(({ path, bytes = 10, kept = true, sha = 'c'.repeat(64), change = 'made' }): FileChange => {
    return { path, change, before: null, now: change === 'removed' ? null : { sha, bytes, kept }, shared: false }
  })
  const about = { task: work.id, agent: TEAM.reader.id, step, thread: null }
  story.happens(event('files.changed', { ...about, changes, more: 0, complete: true, keep: 20 }))
  return { story, work }
}

/** The work ends with this summary. out: the files of the message that tells its end */
function released({ story, work }: ReturnType<typeof worked>, summary: string) {
  story.put(ADAPTER, comesIn({ to: TEAM.manager.id, theirs: 'msg-2', needReply: true }))
  story.run(TEAM.manager.id, () =>
    tell({ action: 'finish_task', task_id: work.id, state: 'finished', task_summary: summary }),
  )
  const messages = Object.values(story.world.messages).flatMap((all): MessageRecord[] => Object.values(all))
  const end = messages.filter((one) => one.receivers.includes(outsider(story).id) && one.text.includes(summary)).at(-1)
  return must(end, 'end').attachments.map(({ savedAs, body }) => [savedAs, body.mime])
}

it('[R147] the files that the result names are sent with their kind, and no draft that nobody names', () => {
  const work = worked([{ path: 'out/report.md' }, { path: 'out/draft.md' }, { path: 'table.CSV' }, { path: 'raw.x' }])
  expect(released(work, 'See out/report.md, table.CSV and raw.x.')).toEqual([
    ['out/report.md', 'text/markdown'],
    ['raw.x', 'application/octet-stream'],
    ['table.CSV', 'text/csv'],
  ])
})

it('[R147] a file that is gone or was not kept is not sent', () => {
  const work = worked([
    { path: 'a.md' },
    { path: 'b.md', kept: false },
    { path: 'c.md', sha: null },
    { path: 'd.md', change: 'removed' },
  ])
  expect(released(work, 'a.md b.md c.md d.md')).toEqual([['a.md', 'text/markdown']])
})

it.each([
  [20, 20],
  [21, 20],
])('[R147] of %i files %i are sent, the newest', (count, sent) => {
  const paths = Array.from({ length: count }, (_, n) => `${String(n).padStart(2, '0')}.md`)
  const all = released(worked(paths.map((path) => ({ path }))), paths.join(', '))
  expect(all.map(([path]) => path)).toEqual(paths.slice(count - sent))
})

it('[R147] files of 6 MiB together are sent, and of more the newest that fit', () => {
  const half = { bytes: 3 * MIB }
  const summary = 'a.md and b.md'
  const both = [
    { path: 'a.md', ...half },
    { path: 'b.md', ...half },
  ]
  expect(released(worked(both), summary)).toHaveLength(2)
  const [first] = both
  expect(released(worked([must(first, 'a'), { path: 'b.md', bytes: 3 * MIB + 1 }]), summary)).toEqual([
    ['b.md', 'text/markdown'],
  ])
})

it('[R147] a path counts as named after "./", and not where that stands in a longer one', () => {
  const names = (summary: string) => released(worked([{ path: 'a.md' }]), summary).length
  expect([names('./a.md'), names('See ./a.md.'), names('x/./a.md'), names('../a.md')]).toEqual([1, 1, 0, 0])
})

it('[R147] what members say to each other names no file for the one outside', () => {
  const made = worked([{ path: 'draft.md' }, { path: 'report.md' }])
  made.story.put(TEAM.ana.id, {
    type: 'changeParticipants',
    task: made.work.id,
    add: [TEAM.ana.id],
    remove: [],
    reason: 'to look',
  })
  made.story.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.reader.id], { task: made.work.id, text: 'draft.md is bad' }))
  expect(released(made, 'See report.md.')).toEqual([['report.md', 'text/markdown']])
})

/** Which files below inbox/ a tool call may use: with a second task, thread and person. */
import { expect, it } from 'vitest'
import { BASE_TASK, openTask, Story, send, TEAM } from '@/test/worldHistories'
import { bodyOf } from '../bodies'
import { type AgentId, asId, type TaskId, type ThreadId } from '../ids'
import type { MessageRecord } from '../records'
import { stepSeesFile } from './access'

const attachment = (savedAs: string) => ({ name: 'a.txt', body: bodyOf('a').ref, savedAs })

/** A message of Ana's that carries a file. */
function sent(story: Story, task: TaskId, savedAs: string): MessageRecord {
  story.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { task, attachments: [attachment(savedAs)] }))
  const all: MessageRecord[] = Object.values(story.world.messages[task] ?? {})
  const found = all.find(({ attachments }) => attachments.some((one) => one.savedAs === savedAs))
  if (!found) throw new Error('it was not sent')
  return found
}

function told() {
  const story = new Story()
  const asked = sent(story, BASE_TASK, 'inbox/1/asked.txt')
  sent(story, BASE_TASK, 'inbox/2/other.txt')
  const task = openTask(story)
  if (task === null) throw new Error('there is no task')
  sent(story, task, 'inbox/3/own.txt')
  const record = story.world.tasks[task]
  if (!record) throw new Error('there is no task')
  const thread: ThreadId = asked.thread ?? asId<ThreadId>(asked.id)
  const tasks = { ...story.world.tasks, [task]: { ...record, requestedIn: { task: BASE_TASK, thread } } }
  return { world: { ...story.world, tasks }, task, thread }
}

const FILES = ['inbox/1/asked.txt', 'inbox/2/other.txt', 'inbox/3/own.txt', 'inbox/4/unsent.txt']

it('[R95] an agent uses what its task carries and what the task was asked for with, and no other file below inbox/', () => {
  const { world, task, thread } = told()
  const step = { agent: TEAM.reader.id, task, thread: null, byHand: false }
  expect(FILES.filter((path) => stepSeesFile(world, step, path))).toEqual(['inbox/1/asked.txt', 'inbox/3/own.txt'])
  const inThread = { ...step, agent: TEAM.manager.id, task: BASE_TASK, thread }
  expect(FILES.filter((path) => stepSeesFile(world, inThread, path))).toEqual(['inbox/1/asked.txt'])
  expect(FILES.filter((path) => stepSeesFile(world, { ...inThread, thread: null }, path))).toEqual([])
  const folders = ['inbox', 'Inbox', 'inbox/1', 'inbox/2', 'inbox/3', 'inbox/33', 'in', '', 'inboxes/a']
  expect(folders.filter((path) => stepSeesFile(world, step, path))).toEqual([
    'inbox/1',
    'inbox/3',
    'in',
    '',
    'inboxes/a',
  ])
})

it('[R95] an agent writes a new file beside what its task carries, and none beside files of others', () => {
  const { world, task } = told()
  const step = { agent: TEAM.reader.id, task, thread: null, byHand: false }
  const paths = [
    'inbox/3/report.md',
    'inbox/1/report.md',
    'inbox/2/report.md',
    'inbox/report.md',
    'inbox/3/sub/report.md',
  ]
  expect(paths.filter((path) => stepSeesFile(world, step, path))).toEqual(['inbox/3/report.md', 'inbox/1/report.md'])
})

it('[R95] a file that another task carries is no new file, though it lies in the same folder', () => {
  const story = new Story()
  const task = openTask(story)
  if (task === null) throw new Error('there is no task')
  sent(story, task, 'inbox/3/own.txt')
  sent(story, BASE_TASK, 'inbox/3/other.txt')
  const step = { agent: TEAM.reader.id, task, thread: null, byHand: false }
  expect(stepSeesFile(story.world, step, 'inbox/3/other.txt')).toBe(false)
  expect(stepSeesFile(story.world, step, 'inbox/3/new.txt')).toBe(true)
})

it('[R456] a file is found by its name however its letters are composed, and so is one of another task', () => {
  const story = new Story()
  const task = openTask(story)
  if (task === null) throw new Error('there is no task')
  const [own, other] = ['inbox/3/Prés.txt', 'inbox/3/Été.txt']
  sent(story, task, own)
  sent(story, BASE_TASK, other.normalize('NFD'))
  const step = { agent: TEAM.reader.id, task, thread: null, byHand: false }
  const sees = (path: string) => stepSeesFile(story.world, step, path)
  expect([own, own.normalize('NFD')].map(sees)).toEqual([true, true])
  expect([other, other.normalize('NFD')].map(sees)).toEqual([false, false])
  expect(sees('inbox/3/Nouveau-é.txt'.normalize('NFD'))).toBe(true)
})

it('[R95] a person who runs a tool by hand uses what they can see', () => {
  const { world, task } = told()
  const by = (agent: AgentId) =>
    FILES.filter((path) => stepSeesFile(world, { agent, task, thread: null, byHand: true }, path))
  expect(by(TEAM.ana.id)).toEqual(FILES.slice(0, 3))
  expect(by(TEAM.lee.id)).toEqual([])
})

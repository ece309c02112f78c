/** Notes in prompts: those of a talk are used there alone. */
import { expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { asId, type TaskId } from '@/lib/mas/ids'
import { selectTalk } from '@/lib/mas/tasks/talks'
import { BASE_TASK, Story, TEAM } from '@/test/worldHistories'
import { writeMemory } from './fittingLists'

const { ana, ben, reader } = TEAM

it('[R818] what an agent notes in a talk is in the prompts of that talk alone, and nothing else is there', () => {
  const story = new Story()
  story.put(ana.id, { type: 'openTalk', with: reader.id })
  const talk = selectTalk(story.world, ana.id, reader.id)?.id ?? asId<TaskId>('none')
  const note = (key: string, task: TaskId | null) =>
    story.happens(event('memory.added', { agent: reader.id, note: { key, text: `noted ${key}`, task } }))
  note('1', talk)
  note('2', BASE_TASK)
  note('3', null)
  note('4', asId<TaskId>('archived'))
  const inTask = (task: TaskId) => writeMemory(story.world, { agent: reader.id, task }, 1_000) ?? ''
  expect(inTask(talk)).toContain('noted 1')
  for (const other of ['2', '3', '4']) expect(inTask(talk)).not.toContain(`noted ${other}`)
  expect(inTask(BASE_TASK)).not.toContain('noted 1')
  for (const other of ['2', '3', '4']) expect(inTask(BASE_TASK)).toContain(`noted ${other}`)
  story.put(ana.id, { type: 'openTalk', with: ben.id })
  expect(
    writeMemory(story.world, { agent: reader.id, task: selectTalk(story.world, ana.id, ben.id)?.id ?? talk }, 1_000),
  ).toBeNull()
})

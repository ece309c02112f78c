/** Who may be given a message of somebody else. */
import { expect, it } from 'vitest'
import { ANA, BEN, goals, LEE, messagesOf, must, READER, storyOf } from '@/test/stories'
import { BASE_TASK, Story, send, TEAM } from '@/test/worldHistories'
import { asId, type MessageId } from '../ids'
import { mayBePutTo } from './visibility'

it('a message of a task may be put to operators and to members of the task', () => {
  const { story, task } = storyOf(goals('read', READER))
  story.put(BEN, send(BEN, [READER], { task, text: 'read it first' }))
  const { id } = must(
    messagesOf(story.world, task).find(({ text }) => text === 'read it first'),
    'message',
  )
  const mayGo = (who: typeof BEN) => mayBePutTo(story.world, task, id, who)
  expect([mayGo(ANA), mayGo(BEN), mayGo(LEE)]).toEqual([true, true, false])
})

it('a message of the base task may be put to operators and to those of its thread', () => {
  const story = new Story()
  story.put(BEN, send(BEN, [TEAM.manager.id], { text: 'the wish of Ben' }))
  const { id } = must(
    messagesOf(story.world, BASE_TASK).find(({ text }) => text === 'the wish of Ben'),
    'message',
  )
  const mayGo = (who: typeof BEN, message = id) => mayBePutTo(story.world, BASE_TASK, message, who)
  expect([mayGo(ANA), mayGo(BEN), mayGo(LEE)]).toEqual([true, true, false])
  // One that left the world cannot be looked at: to be a member is enough.
  expect(mayGo(LEE, asId<MessageId>('gone'))).toBe(true)
})

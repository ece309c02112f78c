/** Fixed cases of what a participant sees of the base task: the laws elsewhere compare two sides that both ask here. */
import { describe, expect, it } from 'vitest'
import { BASE_TASK, outcomeOf, Story, send, TEAM } from '@/test/worldHistories'
import type { AgentId, MessageId } from '../ids'
import type { MessageRecord, RequestRecord } from '../records'
import { canReadMessage, canReadRequest, canSeeRequest, canSeeTask, taskAccessOf } from './access'
import { isVisibleMessage, isVisibleRequest, threadsOf, threadsSince } from './visibility'

const { ana, ben, lee, manager } = TEAM
const must = <T>(found: T | undefined | null, what: string): T => {
  if (found === undefined || found === null) throw new Error(`there is no ${what}`)
  return found
}
const messagesOf = (story: Story): MessageRecord[] => Object.values(story.world.messages[BASE_TASK] ?? {})
const said = (story: Story, text: string): MessageRecord =>
  must(
    messagesOf(story).find((one) => one.text === text),
    text,
  )
const requestsOf = (story: Story): RequestRecord[] => Object.values(story.world.requests[BASE_TASK] ?? {})
const tell = (story: Story, by: AgentId, to: AgentId[], text: string, replyTo: MessageId | null = null): void =>
  void must(story.put(by, send(by, to, { text, replyTo })), text)

/** Ben's thread with the manager, who asks him there; he hands the question to Lee. */
function handedStory(): Story {
  const story = new Story()
  must(story.put(ben.id, send(ben.id, [manager.id], { text: 'the wish of Ben', kind: 'action' })), 'wish')
  const asks = {
    receiver: [ben.id],
    message: 'which?',
    stage_relative: 'no_relative',
    need_reply: true,
    waiting: false,
  }
  story.run(manager.id, () => outcomeOf({ sync: { send_message: asks } }))
  const [request] = requestsOf(story)
  const wish = { to: ana.id, requests: [must(request, 'request').id], sentence: 'Please.' }
  must(story.put(ben.id, { type: 'handOver', ...wish }), 'hand-over')
  return story
}

describe('a request in the base task', () => {
  const threads = (...ids: string[]) => new Set(ids as MessageId[])
  const request = (thread: string | null, ...asked: AgentId[]) => ({ thread: thread as MessageId | null, asked })

  it('is seen by the one who is asked, in whatever thread it stands', () => {
    expect(isVisibleRequest(request('theirs', lee.id, ben.id), threads('mine'), lee.id)).toBe(true)
    expect(isVisibleRequest(request(null, lee.id), threads(), lee.id)).toBe(true)
  })

  it('is seen with its thread, by those who see that', () => {
    expect(isVisibleRequest(request('mine', ben.id), threads('mine'), lee.id)).toBe(true)
  })

  it('is not seen by others, with a thread or with none', () => {
    expect(isVisibleRequest(request('theirs', ben.id), threads('mine'), lee.id)).toBe(false)
    expect(isVisibleRequest(request(null, ben.id), threads('mine'), lee.id)).toBe(false)
  })
})

describe('a thread of the base task', () => {
  it('is seen whole by the one who began it or is addressed in it, and by no other participant', () => {
    const story = new Story()
    tell(story, ana.id, [manager.id], 'first')
    const root = said(story, 'first')
    tell(story, ana.id, [ben.id], 'second', root.id)
    expect([...threadsOf(story.world, BASE_TASK, ben.id)]).toEqual([root.id])
    expect([...threadsOf(story.world, BASE_TASK, lee.id)]).toEqual([])
    for (const message of messagesOf(story)) {
      expect(isVisibleMessage(message, threadsOf(story.world, BASE_TASK, ben.id), ben.id)).toBe(true)
      expect(isVisibleMessage(message, threadsOf(story.world, BASE_TASK, lee.id), lee.id)).toBe(false)
    }
  })

  it('is seen since the first message from or to a person there', () => {
    const story = new Story()
    tell(story, ana.id, [ben.id], 'first')
    const root = said(story, 'first')
    const since = (person: AgentId) => [...threadsSince(story.world, BASE_TASK, person)]
    const first = [[root.id, root.seq]]
    expect([since(ana.id), since(ben.id), since(lee.id)]).toEqual([first, first, []])
    tell(story, ana.id, [lee.id], 'Lee too', root.id)
    expect([since(ana.id), since(ben.id)]).toEqual([first, first])
    expect(since(lee.id)).toEqual([[root.id, said(story, 'Lee too').seq]])
  })
})

describe('reading as HTTP and commands ask it', () => {
  it('is nothing for who has no access, all for operators and developers, own threads for participants', () => {
    const story = handedStory()
    const { world } = story
    const as = (access: 'participant' | 'operator' | 'developer' | 'none') => ({
      ...must(world.agents[lee.id], 'Lee'),
      access,
    })
    const message = said(story, 'the wish of Ben')
    const request = must(requestsOf(story)[0], 'request')
    const reads = (access: Parameters<typeof as>[0]) => {
      const reach = taskAccessOf(world, as(access), BASE_TASK)
      return [
        canSeeTask(world, as(access), BASE_TASK),
        canReadMessage(reach, message),
        canReadRequest(reach, request),
        canSeeRequest(world, as(access), request),
      ]
    }
    expect(reads('none')).toEqual([false, false, false, false])
    expect(reads('participant')).toEqual([true, false, false, false])
    expect(reads('operator')).toEqual([true, true, true, true])
    expect(reads('developer')).toEqual([true, true, true, true])
  })
})

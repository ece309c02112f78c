/** Who reads a message, over any history: its audience is asked before everything else that gives access. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyMoves, walk } from '@/test/worldHistories'
import type { AgentId } from '../ids'
import type { AgentRecord, Audience, MessageRecord, World } from '../records'
import { canReadMessage, canReadRequest, canSeeFile, taskAccessOf } from './access'
import { isVisibleMessage, isVisibleRequest, mayBePutTo, threadOf, threadsOf } from './visibility'

const peopleIn = (world: World): AgentRecord[] => Object.values(world.agents).filter(({ kind }) => kind === 'human')
const messagesIn = (world: World): MessageRecord[] =>
  Object.values(world.messages).flatMap((own: Record<string, MessageRecord>) => Object.values(own))

/** The world in which this message has that audience. */
const withAudience = (world: World, { task, id, ...said }: MessageRecord, audience: Audience): World => ({
  ...world,
  messages: { ...world.messages, [task]: { ...world.messages[task], [id]: { ...said, task, id, audience } } },
})

/** By which ways this person reads the message, or what it asks of somebody. */
function waysIn(world: World, person: AgentRecord, { task, id }: MessageRecord): string[] {
  const message = world.messages[task]?.[id]
  if (!message) throw new Error('there is no message')
  const file = {
    name: 'a.txt',
    body: { sha: 'a', bytes: 1, mime: 'text/plain', preview: '' },
    savedAs: 'inbox/1/a.txt',
  }
  const carrier = { ...message, attachments: [file] }
  const { audience, seq: openedSeq } = message
  const ask = { openedSeq, thread: threadOf(message), asked: [], ...(audience === 'task' ? {} : { audience }) }
  const [access, threads] = [taskAccessOf(world, person, task), threadsOf(world, task, person.id)]
  const ways = {
    read: canReadMessage(access, message),
    thread: isVisibleMessage(message, threads, person.id),
    request: canReadRequest(access, ask),
    threadOfRequest: isVisibleRequest(ask, threads, person.id),
    put: mayBePutTo(world, task, id, person.id),
    file: canSeeFile(world, person, { path: 'inbox/1/a.txt', carriers: [carrier], uploader: null }, []),
  }
  return Object.entries(ways).flatMap(([way, isOpen]) => (isOpen ? [way] : []))
}

describe('[R571] a message that is for two members', () => {
  it('is read by nobody else, operators and developers included, and by the two as one of their task', () => {
    let [others, kept] = [0, 0]
    fc.assert(
      fc.property(anyMoves(), fc.nat(), fc.nat(), (moves, a, b) => {
        const { world } = walk(moves)
        const people = peopleIn(world)
        const messages = messagesIn(world)
        const message = messages[a % messages.length]
        if (!message) return
        const ids = [...people.map(({ id }) => id)]
        const members = [ids[b % ids.length], ids[(b + 1) % ids.length]] as [AgentId, AgentId]
        const closed = withAudience(world, message, { members })
        for (const person of people) {
          if (members.includes(person.id)) {
            expect(waysIn(closed, person, message)).toEqual(waysIn(world, person, message))
            kept += 1
          } else {
            others += waysIn(world, person, message).length
            expect(waysIn(closed, person, message), `${person.name} reads it`).toEqual([])
          }
        }
      }),
      { numRuns: 40 },
    )
    expect([others > 40, kept > 40]).toEqual([true, true])
  })
})

/** What a page is sent for one new message does not grow with what it holds already. */
import { expect, it } from 'vitest'
import { type Entry, event } from '@/lib/mas/events'
import { type AgentId, asId, type MessageId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import type { View } from '@/lib/wire/views'
import { BASE_TASK, Story, send, TEAM } from '@/test/worldHistories'
import { openMonitor } from '.'

const { ana, ben, lee, manager } = TEAM
const LIVE = 3_300
/** A hundredth of what the whole of the base task takes at so many messages. */
const MOST_BYTES = 19_000
const VIEWS: View[] = ['me', 'overview', 'direct', `task:${BASE_TASK}`, `tree:${BASE_TASK}`]

const idAt = (n: number): MessageId => asId(`00000000-0000-4000-9000-${String(n).padStart(12, '0')}`)

/** A base task in which Ben and the manager have exchanged so many messages, two in a thread. */
function longStory(): Story {
  const story = new Story()
  const entries = Array.from({ length: LIVE }, (_, n): Entry => {
    const [sender, receiver] = n % 2 === 0 ? [ben.id, manager.id] : [manager.id, ben.id]
    const message = idAt(n)
    const said = event('message.sent', {
      task: BASE_TASK,
      message,
      sender,
      receivers: [receiver],
      text: `Message ${n}: please compare the two lists and tell me what differs between them.`,
      stage: null,
      kind: 'fyi',
      waiting: null,
      audience: 'task',
      returnWaiting: null,
      instruction: null,
      dispatch: message,
      thread: idAt(n - (n % 2)),
      answersRequest: null,
      replyTo: null,
      attachments: [],
      mention: false,
      fromStep: null,
    })
    return { seq: story.world.seq + 1 + n, at: story.world.at, by: sender, cause: `said-${n}`, event: said }
  })
  story.world = reduceAll(story.world, entries)
  return story
}

type Sent = { event: string; bytes: number; sub: string }

async function watched(story: Story, person: AgentId) {
  const sent: Sent[] = []
  let listener: (entries: Entry[], world: World) => void = () => {}
  let now = 0
  const monitor = openMonitor({
    engine: {
      node: 'n1',
      world: () => story.world,
      onDecision: (heard) => {
        listener = heard
        return () => {}
      },
    },
    journal: 'journal',
    run: 'run',
    now: () => now,
    schedule: () => () => {},
  })
  const connection = {
    person,
    send: (name: string, message: unknown) => {
      const { sub } = message as { sub: string }
      sent.push({ event: name, bytes: JSON.stringify(message).length, sub })
    },
  }
  for (const [n, view] of VIEWS.entries()) monitor.attach(connection, { sub: `s${n}`, asked: 1, view })
  const held = sent.splice(0)
  return {
    /** What the whole views took. */
    held,
    /** What is sent when that was put. */
    put(by: AgentId, command: Parameters<Story['put']>[1]): Sent[] {
      const from = story.entries.length
      if (story.put(by, command) === null) throw new Error('it was refused')
      now += 50
      listener(story.entries.slice(from), story.world)
      monitor.tick()
      return sent.splice(0)
    },
  }
}
const sum = (all: readonly Sent[]): number => all.reduce((bytes, one) => bytes + one.bytes, 0)

it('[R59] a new request of a participant, the answer to it, and what others ask are frames of their own size', async () => {
  const story = longStory()
  const page = await watched(story, ben.id)
  const whole = sum(page.held)
  expect(whole).toBeGreaterThan(1_000_000)
  const wish = (person: AgentId, n: number) => send(person, [manager.id], { text: `a new wish ${n}`, kind: 'action' })
  const bytes: number[] = []
  for (let n = 0; n < 5; n++) {
    const sent = page.put(ben.id, wish(ben.id, n))
    expect(sent.filter(({ event: name }) => name !== 'frame')).toEqual([])
    expect(sent.some(({ sub }) => sub === 's3')).toBe(true)
    bytes.push(sum(sent))
  }
  const ofOthers = sum(page.put(lee.id, wish(lee.id, 9)))
  console.info(
    `bytes a message with ${LIVE} live (the whole: ${whole}): ${bytes.join(', ')}; of another person's: ${ofOthers}`,
  )
  expect(Math.max(...bytes)).toBeLessThan(MOST_BYTES)
  expect(ofOthers).toBeLessThan(MOST_BYTES)
})

it('[R59] who comes late into a thread is sent all that was said there before, and nothing else again', async () => {
  const story = new Story()
  const page = await watched(story, lee.id)
  page.put(ana.id, send(ana.id, [manager.id], { text: 'first' }))
  const root = Object.keys(story.world.messages[BASE_TASK] ?? {})[0]
  if (root === undefined) throw new Error('nothing was said')
  const late = page.put(ana.id, send(ana.id, [lee.id], { text: 'Lee too', replyTo: asId<MessageId>(root) }))
  const frame = late.filter(({ sub }) => sub === 's3')
  expect(frame.map(({ event: name }) => name)).toEqual(['frame'])
  expect(frame.every(({ bytes }) => bytes < MOST_BYTES)).toBe(true)
  // What follows there, and what begins with something said to them, is a frame.
  const next = [
    page.put(ana.id, send(ana.id, [manager.id], { text: 'and so on', replyTo: asId<MessageId>(root) })),
    page.put(ana.id, send(ana.id, [lee.id], { text: 'another thing' })),
  ]
  for (const sent of next)
    expect(sent.filter(({ sub }) => sub === 's3').map(({ event: name }) => name)).toEqual(['frame'])
})

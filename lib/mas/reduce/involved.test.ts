import { expect, it } from 'vitest'
import { event, type MasEvent } from '@/lib/mas/events'
import { type AgentId, asId } from '@/lib/mas/ids'
import { emptyWorld, type World } from '@/lib/mas/records'
import { sampleShapeOf } from '@/test/samples'
import { reduceEntry } from '.'

const id = (name: string) => asId<AgentId>(name)
const { task } = sampleShapeOf('task.added')
const after = (world: World, ...events: MasEvent[]): World =>
  events.reduce((before, one) => reduceEntry(before, { event: one, seq: before.seq + 1, at: 1 }), world)
const added = event('task.added', {
  ...sampleShapeOf('task.added'),
  manager: id('m'),
  group: [id('g')],
  requestedBy: id('r'),
})

it('[R612] everyone who is or was part of a task is known since the entry that brought them', () => {
  const { seed, ...request } = sampleShapeOf('request.opened')
  const world = after(
    emptyWorld,
    added,
    event('task.participantsChanged', { task, added: [id('p'), id('g')], removed: [] }),
    event('task.managerChanged', { task, agent: id('n') }),
    event('stage.added', { ...sampleShapeOf('stage.added'), allocation: { [id('a')]: 'read' } }),
    event('message.sent', { ...sampleShapeOf('message.sent'), sender: id('s'), receivers: [id('g'), id('t')] }),
    event('request.opened', { ...request, seed: { ...seed, asker: id('q'), asked: [id('w')] } }),
    event('task.participantsChanged', { task, added: [], removed: [id('g')] }),
  )
  expect(world.involved[task]).toEqual({ m: 1, g: 1, r: 1, p: 2, n: 3, a: 4, s: 5, t: 5, q: 6, w: 6 })
})

it('[R612] the task itself is nobody, and a task that left the world is not begun again by a late entry', () => {
  const late = event('message.sent', { ...sampleShapeOf('message.sent'), sender: 'system:task', receivers: [id('g')] })
  expect(after(emptyWorld, late).involved).toEqual({})
  expect(after(emptyWorld, added, late).involved[task]).toEqual({ m: 1, g: 1, r: 1 })
})

/** Refusals of unknown senders, counted over all nodes. */
import { expect, it } from 'vitest'
import { handClock } from '@/test/handClock'
import type { NodeNote } from '../nodes'
import { openRefusedSenders, TELL_MS } from './refusedSenders'

type Listener = (note: NodeNote, from: string) => void

/** Nodes that hear each other at once. */
function team(...names: string[]) {
  const clock = handClock()
  const listeners = new Map<string, Listener>()
  const told: NodeNote[] = []
  const joins: (() => void)[] = []
  const open = (name: string) =>
    openRefusedSenders({
      schedule: clock.schedule,
      nodes: {
        tell(note) {
          told.push(note)
          for (const [other, listener] of listeners) if (other !== name) listener(note, name)
        },
        onNote(listener) {
          listeners.set(name, listener)
          return () => {}
        },
        onJoined(listener) {
          joins.push(listener)
          return () => {}
        },
      },
    })
  return { clock, told, join: () => joins.forEach((joined) => void joined()), nodes: names.map(open), open }
}

it('[R275] a list holds the refusals of all nodes, within a second, however many there are', () => {
  const { clock, told, nodes } = team('north', 'south')
  const [north, south] = nodes
  for (let n = 0; n < 100; n++) north?.add('mamp', 'unauthorized')
  south?.add('mamp', 'unauthorized')
  south?.add('a2a', 'unauthenticated')
  clock.pass(TELL_MS - 1)
  expect([north?.list().length, told.length]).toEqual([1, 0])
  clock.pass(1)
  const all = [
    { protocol: 'mamp', code: 'unauthorized', count: 101 },
    { protocol: 'a2a', code: 'unauthenticated', count: 1 },
  ]
  for (const node of nodes) expect(node.list()).toEqual(all)
  expect(told).toHaveLength(2)
})

it('[R275] a node that joins hears of them', () => {
  const { clock, join, nodes, open } = team('north')
  nodes[0]?.add('map', 'unauthenticated')
  clock.pass(TELL_MS)
  const late = open('west')
  expect(late.list()).toEqual([])
  join()
  expect(late.list()).toEqual([{ protocol: 'map', code: 'unauthenticated', count: 1 }])
})

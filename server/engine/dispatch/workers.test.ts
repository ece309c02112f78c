/** Which nodes run steps, as they say it. */
import { describe, expect, it } from 'vitest'
import { handClock } from '@/test/handClock'
import type { NodeNote, Nodes } from '../../nodes'
import { openWorkers, SAY_MS, sayWork } from './workers'

/** The way between nodes in memory. `told`: what this node said */
function nodesInMemory() {
  const [notes, joins, leaves] = [
    new Set<(note: NodeNote, from: string) => void>(),
    new Set<() => void>(),
    new Set<(node: string | null) => void>(),
  ]
  const told: NodeNote[] = []
  const on =
    <T>(listeners: Set<T>) =>
    (listener: T) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  const nodes: Nodes = {
    node: 'north',
    address: 'a:1',
    mark: '',
    serve: () => {},
    connect: () => {},
    isConnected: () => true,
    isAlone: () => false,
    forward: async () => null,
    tell: (note) => void told.push(note),
    onNote: on(notes),
    onJoined: on(joins),
    onLeft: on(leaves),
    close: async () => {},
  }
  return {
    nodes,
    told,
    says(from: string, process: string, ...inHand: string[]): void {
      for (const note of notes) note({ is: 'runs', process, inHand }, from)
    },
    saysLeaving(from: string, process: string, ...inHand: string[]): void {
      for (const note of notes) note({ is: 'runs', process, inHand, isLeaving: true }, from)
    },
    join(): void {
      for (const listener of joins) listener()
    },
    leave(node: string | null): void {
      for (const listener of leaves) listener(node)
    },
  }
}

function listening() {
  const way = nodesInMemory()
  const clock = handClock()
  const seen: string[] = []
  const workers = openWorkers({
    nodes: way.nodes,
    schedule: clock.schedule,
    onCame: (node, inHand, { isLeaving }) => seen.push(`${node} ${isLeaving ? 'leaves' : 'came'} with ${[...inHand]}`),
    onGone: (node) => seen.push(`${node} went`),
  })
  return { ...way, clock, seen, workers }
}

describe('a node that runs steps', () => {
  it('[R254] is known from when it says so, once, until its connection ends', () => {
    const { says, leave, seen, workers } = listening()
    says('south', 'p1', 'a:1')
    says('south', 'p1')
    expect([seen, workers.has('south'), workers.has('west')]).toEqual([['south came with a:1'], true, false])
    leave('west')
    leave(null)
    expect(seen).toHaveLength(1)
    leave('south')
    expect([seen.slice(1), workers.has('south')]).toEqual([['south went'], false])
    says('south', 'p1', 'b:2')
    expect(seen.slice(2)).toEqual(['south came with b:2'])
  })

  it('[R258] that was started again has nothing of what the process before it had, though its connection was never seen to end', () => {
    const { says, seen } = listening()
    says('south', 'p1', 'a:1')
    says('south', 'p2')
    expect(seen).toEqual(['south came with a:1', 'south went', 'south came with '])
  })

  it('[R256] that is silent for longer than the lease is gone, and comes again when it speaks', () => {
    const { says, seen, clock } = listening()
    says('south', 'p1')
    clock.pass(3 * SAY_MS)
    says('south', 'p1')
    clock.pass(3 * SAY_MS)
    expect(seen).toHaveLength(1)
    clock.pass(SAY_MS)
    expect(seen.slice(1)).toEqual(['south went'])
    says('south', 'p1', 'a:1')
    expect(seen.slice(2)).toEqual(['south came with a:1'])
  })

  it('[R262] that stops is told apart from one that takes steps, with what it has in hand, once', () => {
    const { says, saysLeaving, seen, workers } = listening()
    says('south', 'p1', 'a:1')
    saysLeaving('south', 'p1', 'a:1')
    saysLeaving('south', 'p1')
    expect([seen, workers.has('south')]).toEqual([['south came with a:1', 'south leaves with a:1'], true])
  })

  it('is forgotten by a node that does not decide any more', () => {
    const { says, seen, clock, workers } = listening()
    workers.stop()
    says('south', 'p1')
    clock.pass(10 * SAY_MS)
    expect([seen, clock.waiting()]).toEqual([[], 0])
  })
})

describe('what a node says', () => {
  it('[R254] is what it has in hand, when a way is there and again and again, and nothing while it runs none', () => {
    const { nodes, told, join } = nodesInMemory()
    const clock = handClock()
    let inHand: ReadonlySet<string> | null = null
    const work = sayWork({ nodes, process: 'p1', inHand: () => inHand, hasFiles: true, schedule: clock.schedule })
    join()
    clock.pass(2 * SAY_MS)
    expect(told).toEqual([])
    inHand = new Set(['a:1'])
    work.say()
    join()
    clock.pass(2 * SAY_MS)
    expect(told).toEqual(Array.from({ length: 4 }, () => ({ is: 'runs', process: 'p1', inHand: ['a:1'] })))
    work.stop()
    join()
    clock.pass(2 * SAY_MS)
    expect([told.length, clock.waiting()]).toEqual([4, 0])
  })
})

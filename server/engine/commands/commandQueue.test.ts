/** Which waiting command is decided next. */
import { describe, expect, it } from 'vitest'
import { BASE_TASK, TEAM } from '@/test/worldHistories'
import { createCommandQueue, type Waiting } from './commandQueue'

const PEOPLE_IN_A_ROW = 4

const waiting = (id: string, by: string = TEAM.ana.id): Waiting => ({
  envelope: { id, by, command: { type: 'evictRecords', task: BASE_TASK } },
  since: 0,
  settle: () => {},
})
const ofSystem = (id: string): Waiting => waiting(id, 'system:runner')
const people = (count: number): Waiting[] => Array.from({ length: count }, (_, n) => waiting(`p${n + 1}`))

function queueOf(...all: Waiting[]) {
  const queue = createCommandQueue()
  for (const one of all) queue.put(one)
  const takeOne = (): string => {
    const id = queue.first()?.envelope.id ?? 'none'
    queue.take()
    return id
  }
  return { ...queue, takeMany: (count: number) => Array.from({ length: count }, takeOne) }
}
const idsOf = (all: readonly Waiting[]): string[] => all.map(({ envelope }) => envelope.id)

describe('the queue of commands', () => {
  it('gives what people sent first, then one command of the program after each four of people', () => {
    const { takeMany, isEmpty } = queueOf(ofSystem('s1'), ofSystem('s2'), ...people(2 * PEOPLE_IN_A_ROW + 1))
    expect(takeMany(11)).toEqual(['p1', 'p2', 'p3', 'p4', 's1', 'p5', 'p6', 'p7', 'p8', 's2', 'p9'])
    expect(isEmpty()).toBe(true)
  })

  it('counts people anew after a command of the program that came because nobody else waited', () => {
    const queue = queueOf(...people(3))
    expect(queue.takeMany(3)).toEqual(['p1', 'p2', 'p3'])
    queue.put(ofSystem('s1'))
    expect(queue.takeMany(1)).toEqual(['s1'])
    for (const one of [ofSystem('s2'), ...people(5)]) queue.put(one)
    expect(queue.takeMany(6)).toEqual(['p1', 'p2', 'p3', 'p4', 's2', 'p5'])
  })

  it('gives people everything while the program has nothing waiting', () => {
    const { takeMany } = queueOf(...people(6))
    expect(takeMany(6)).toEqual(['p1', 'p2', 'p3', 'p4', 'p5', 'p6'])
  })

  it('holds something while a command of either kind waits, and keeps what is first until it is taken', () => {
    for (const one of [waiting('p1'), ofSystem('s1')]) {
      const { isEmpty, first, take } = queueOf(one)
      expect([isEmpty(), first(), first()]).toEqual([false, one, one])
      take()
      expect([isEmpty(), first()]).toEqual([true, undefined])
    }
  })

  it('puts back in front what was taken out, each among its own kind and in the old order', () => {
    const queue = queueOf(waiting('p3'), ofSystem('s3'))
    queue.putBack([waiting('p1'), ofSystem('s1'), waiting('p2'), ofSystem('s2')])
    expect(queue.takeMany(6)).toEqual(['p1', 'p2', 'p3', 's1', 's2', 's3'])
  })

  it('gives up all but what is to be kept, which stays in its order', () => {
    const queue = queueOf(waiting('p1'), ofSystem('s1'), waiting('p2'), ofSystem('s2'), ofSystem('s3'))
    expect(idsOf(queue.drain(({ id }) => id === 's1' || id === 's3'))).toEqual(['p1', 'p2', 's2'])
    expect(queue.takeMany(2)).toEqual(['s1', 's3'])
    expect(queue.isEmpty()).toBe(true)
  })
})

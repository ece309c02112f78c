import { expect, it } from 'vitest'
import { beginning, PEOPLE, TASKS } from '@/test/histories'
import { openPlacing } from './placing'
import { openSharedStreams, type SharedStream } from './sharedStreams'
import { newSub } from './subs'
import { createTail } from './tail'

it('[R211] what changed in the views of a page is computed before the first of it is sent, so that it comes together', () => {
  const { world } = beginning()
  const streams = openSharedStreams({ journal: 'j', run: 'r', tail: createTail(world.seq, 1) })
  const parts = { journal: 'j', past: undefined, streams, isThere: () => true }
  const { classNow, deliver } = openPlacing({ ...parts, world: () => world })
  const done: string[] = []
  const connection = { person: PEOPLE.ana, send: () => done.push('sent') }
  const shared = ([`task:${TASKS.build}`, `tree:${TASKS.build}`] as const).map((view): SharedStream => {
    const sub = newSub(connection, { sub: view, asked: 1, view })
    const cls = classNow(sub).cls ?? ''
    const flush = () => {
      done.push('computed')
      return { kind: 'rows' as const, from: 1, to: 2, set: [], del: [] }
    }
    const stream = { cls, gen: view, from: () => 1, push: () => {}, flush, missing: () => null }
    return { stream: { ...stream, snapshot: () => ({ kind: 'rows', rows: [] }) }, subs: new Set([sub]) }
  })
  deliver(shared)
  expect(done).toEqual(['computed', 'computed', 'sent', 'sent'])
})

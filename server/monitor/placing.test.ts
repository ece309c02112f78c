import { expect, it } from 'vitest'
import { beginning, PEOPLE, TASKS } from '@/test/histories'
import { openPlacing } from './placing'
import { openSharedStreams, type SharedStream } from './sharedStreams'
import { newSub } from './subs'

it('[R211] what changed in the views of a page is computed before the first of it is sent, so that it comes together', () => {
  const { world } = beginning()
  const streams = openSharedStreams({ journal: 'j', run: 'r' })
  const parts = { journal: 'j', past: undefined, moments: undefined, streams, isThere: () => true }
  const { scopeNow, deliver } = openPlacing({ ...parts, world: () => world })
  const done: string[] = []
  const connection = { person: PEOPLE.ana, send: () => done.push('sent') }
  const shared = ([`task:${TASKS.build}`, `tree:${TASKS.build}`] as const).map((view): SharedStream => {
    const sub = newSub(connection, { sub: view, asked: 1, view })
    const scopeKey = scopeNow(sub).scopeKey ?? ''
    const flush = () => {
      done.push('computed')
      return { from: 1, to: 2, set: [], patch: [], del: [] }
    }
    const stream = { scopeKey, gen: view, from: () => 1, flush, missing: () => null }
    return { stream: { ...stream, snapshot: () => [] }, subs: new Set([sub]) }
  })
  deliver(shared)
  expect(done).toEqual(['computed', 'computed', 'sent', 'sent'])
})

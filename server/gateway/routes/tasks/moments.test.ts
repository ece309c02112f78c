/** The moments of a task over HTTP. */
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { momentChanges, momentCompare, momentsOfTask } from '@/lib/wire/http'
import { openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

async function open() {
  const double = await openDouble()
  const get = async (name: Parameters<typeof double.signIn>[0], path: string, task: string = ID.prices) =>
    double.call('GET', `/api/tasks/${task}/moments${path}`, { cookie: await double.signIn(name) })
  return { ...double, get }
}

describe('the moments of a task', () => {
  it('[R625] are buckets of its changes with the first ask, answer, failure and stage of each', async () => {
    const { get } = await open()
    const { changes, buckets } = momentsOfTask.parse((await get('ben', '')).json)
    expect(buckets.reduce((sum, one) => sum + one.changes, 0)).toBe(changes)
    expect(buckets.length).toBeLessThanOrEqual(1_000)
    expect(buckets.some(({ marks, from, to }) => marks.ask >= from && marks.ask <= to)).toBe(true)
    expect(buckets.some(({ marks }) => marks.stage > 0)).toBe(true)
  })

  it('[R625] are listed one by one around an entry, with who asks whom, also once they are newer than the last answer', async () => {
    const { get, engine } = await open()
    const first = momentChanges.parse((await get('ben', '/changes?around=1')).json)
    expect(first.changes.map(({ place }) => place)).toEqual(first.changes.map((_, n) => n + 1))
    expect(first.changes.find(({ mark }) => mark?.kind === 'ask')?.mark?.whom.length).toBeGreaterThan(0)
    await engine.put([event('task.renamed', { task: ID.prices, name: 'New' })])
    const later = momentChanges.parse((await get('ben', '/changes?around=1000000')).json)
    expect(later.of).toBe(first.of + 1)
    expect(later.changes.at(-1)?.seq).toBe(engine.world().seq)
  })

  it('[R625] of a thread of the base task are those of its members', async () => {
    const { get } = await open()
    const all = momentsOfTask.parse((await get('ana', '', ID.base)).json)
    const own = momentsOfTask.parse((await get('ben', '', ID.base)).json)
    expect(own.changes).toBeLessThan(all.changes)
  })

  it('[R621] are hidden from who may not see the task', async () => {
    const { get } = await open()
    for (const path of ['', '/changes?around=5', '/compare?from=5'])
      expect((await get('ben', path, ID.secret)).status).toBe(404)
  })

  it('[R626] differ by stages, steps, messages and requests', async () => {
    const { get, engine } = await open()
    const before = engine.world().seq
    const request = Object.values(engine.world().requests[ID.prices] ?? {})[0]
    if (!request) throw new Error('no request in the double')
    await engine.put([
      event('request.ended', { task: ID.prices, request: request.id, state: 'expired', by: null, reason: null }),
    ])
    const found = momentCompare.parse((await get('ben', `/compare?from=${before}`)).json)
    expect(found.requests).toEqual({
      count: 1,
      newest: [{ id: request.id, name: request.question, was: 'open', is: 'expired' }],
    })
    expect([found.stages.count, found.steps.count, found.messages.count]).toEqual([0, 0, 0])
    const same = momentCompare.parse((await get('ben', `/compare?from=${before}&to=${before}`)).json)
    expect(same.requests.count).toBe(0)
  })
})

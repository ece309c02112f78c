/** The next failure of a whole task, and where failures are among its steps. */
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { treeFailure, treeRuler } from '@/lib/wire/http'
import { LONG, leave, leftSteps, openTree, ranSteps, stepId } from '../test/manySteps'
import { ID } from '../test/world'

const failureIn = (json: unknown) => treeFailure.parse(json)
const lane = `stage=${LONG}&agent=${ID.reader}`

describe('the next failure', () => {
  it('[R549] is the next in the order of the tree, in the world or not, with its page; behind the last comes the first', async () => {
    const { get } = await openTree([...ranSteps(400, [5, 150, 390]), leave(0, 380)])
    const next = async (query: string): Promise<string | null> => failureIn(await get('ben', `failure?${query}`)).step
    expect(await next(lane)).toBe(stepId(5))
    expect(await next(`from=${stepId(5)}`)).toBe(stepId(150))
    expect(await next(`from=${stepId(200)}`)).toBe(stepId(390))
    expect(await next(`from=${stepId(390)}`)).toBe(stepId(5))
    expect(await next(`from=${stepId(150)}&back=yes`)).toBe(stepId(5))
    expect(await next(`from=${stepId(5)}&back=yes`)).toBe(stepId(390))
    expect(await next('')).toBe(stepId(5))
    const { page } = failureIn(await get('ben', `failure?from=${stepId(5)}`))
    expect([page?.from, page?.rows.some(({ id }) => id === stepId(150))]).toEqual([100, true])
  })

  it('[R549] goes from lane to lane as the tree has them, in both directions', async () => {
    const stages = [ID.stage, LONG, null]
    const { get } = await openTree(
      ranSteps(30, [5, 15, 25], (place) => ({ stage: stages[Math.floor(place / 10)] ?? null })),
    )
    const next = async (place: number, back = '') =>
      failureIn(await get('ben', `failure?from=${stepId(place)}${back}`)).step
    expect([await next(5), await next(15), await next(25)]).toEqual([stepId(15), stepId(25), stepId(5)])
    const back = '&back=yes'
    expect([await next(25, back), await next(15, back), await next(5, back)]).toEqual([
      stepId(15),
      stepId(5),
      stepId(25),
    ])
  })

  it('[R549] is none where all were tried again, or no longer matter', async () => {
    const again = (place: number) => (place === 9 ? { retryOf: stepId(2) } : {})
    const { get } = await openTree([...ranSteps(10, [2], again), leave(0, 10)])
    expect(await get('ben', 'failure')).toEqual({ step: null, page: null })
    const other = await openTree([...ranSteps(10, [2]), leave(0, 10)])
    expect(failureIn(await other.get('ben', 'failure')).step).toBe(stepId(2))
    await other.engine.put([
      event('stage.finished', { task: ID.prices, stage: LONG, state: 'finished', reason: null, replacedBy: null }),
    ])
    expect(await other.get('ben', 'failure')).toEqual({ step: null, page: null })
    expect(await other.get('ben', 'ruler')).toEqual({ lanes: [] })
  })
})

describe('the ruler', () => {
  it('[R548] has the places of failures in each lane, and how many of them have left the world', async () => {
    const { get } = await openTree([...ranSteps(400, [5, 150, 390]), leave(0, 380)])
    expect(await get('ben', 'ruler')).toEqual({
      lanes: [{ stage: LONG, agent: ID.reader, failed: 2, places: [5, 150, 390] }],
    })
  })

  it('[R548] has one place for all failures of a thousandth of the steps', async () => {
    const { get } = await openTree(leftSteps(2_000, [10, 11, 12, 1_001]))
    const { lanes } = treeRuler.parse(await get('ben', 'ruler'))
    expect(lanes.map(({ failed, places }) => [failed, places])).toEqual([[4, [10, 11, 1_001]]])
  })

  it('[R549] shows nothing of the base task to a participant', async () => {
    const { get } = await openTree(ranSteps(10, [2], () => ({ task: ID.base, stage: null })))
    expect(await get('ben', 'ruler', ID.base)).toEqual({ lanes: [] })
  })
})

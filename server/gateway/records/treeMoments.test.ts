/** The tree of a moment: what pages, search and errors answered then is answered later with the moment. */
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { treeFailure, treeMatches, treeRuler, treeSteps } from '@/lib/wire/http'
import { LONG, leave, openTree, ranSteps, stepId } from '../test/manySteps'
import { ID } from '../test/world'

const lane = `stage=${LONG}&agent=${ID.reader}`
const QUERIES = [
  ...[`steps?${lane}&before=230`, `steps?${lane}&at=149`, `steps?${lane}&at=999`],
  ...['matches?text=count+7', 'matches?text=count', 'matches?state=failed', `matches?state=done&agent=${ID.reader}`],
  ...['failure', `failure?from=${stepId(5)}`, `failure?from=${stepId(150)}&back=yes`, `failure?${lane}`],
]
const againIn = (place: number) => (place === 255 ? { retryOf: stepId(150) } : {})

const withMoment = (query: string, seq: number): string => `${query}${query.includes('?') ? '&' : '?'}moment=${seq}`

describe('the tree at a moment', () => {
  it('[R636] has the pages, the matches and the errors that it had then', async () => {
    const all = ranSteps(280, [5, 150, 240, 260], againIn)
    const then = all.slice(0, 3 * 250 + 1)
    const { get, engine, caughtUp } = await openTree(then)
    const seq = engine.world().seq
    const ask = async (toPath: (query: string) => string): Promise<unknown[]> => {
      const found: unknown[] = []
      for (const query of QUERIES) found.push(await get('ben', toPath(query)))
      return found
    }
    const before = await ask((query) => query)
    const rulerBefore = await get('ben', 'ruler')
    await engine.put([...all.slice(then.length), leave(0, 200)])
    await caughtUp()
    // What came later is seen without the moment.
    expect(await ask((query) => query)).not.toEqual(before)
    const at = await ask((query) => withMoment(query, seq))
    for (const [n, query] of QUERIES.entries()) expect([query, at[n]]).toEqual([query, before[n]])
    expect(treeRuler.parse(await get('ben', `ruler?moment=${seq}`))).toEqual(treeRuler.parse(rulerBefore))
  })

  it('[R636] is the same from the world as from the index', async () => {
    const { get, engine } = await openTree([...ranSteps(280, [5, 150, 240, 260], againIn)])
    const seq = engine.world().seq
    for (const query of QUERIES) {
      const indexed = await get('ben', query)
      expect([query, await get('ben', withMoment(query, seq))]).toEqual([query, indexed])
    }
  })

  it('[R636] is for those who may see the task now; of a former member it ends at the removal', async () => {
    const { get, engine } = await openTree([...ranSteps(20, [3])])
    const seq = engine.world().seq
    await engine.put([event('task.participantsChanged', { task: ID.prices, added: [], removed: [ID.ben] })])
    const removed = engine.world().seq
    await engine.put([event('task.renamed', { task: ID.prices, name: 'Later' })])
    const rowsAt = async (who: string, moment: number) =>
      treeSteps.safeParse(await get(who, `steps?${lane}&before=20&moment=${moment}`)).data?.rows.length
    expect([await rowsAt('ben', seq), await rowsAt('ben', removed + 1)]).toEqual([20, undefined])
    for (const path of ['matches?text=count&', 'failure?', 'ruler?', `steps?${lane}&`])
      expect(await get('ben', `${path}moment=${seq}`, ID.secret)).toMatchObject({ error: 'NOT_FOUND' })
  })

  it('[R636] has nothing of the base task for a participant, who sees their threads alone', async () => {
    const { get, engine } = await openTree(
      ranSteps(3, [1], () => ({ stage: null })).map((one) => ({ ...one, task: ID.base })),
    )
    const seq = engine.world().seq
    const rowsFor = async (who: string) => [
      treeSteps.parse(await get(who, `steps?agent=${ID.reader}&before=9&moment=${seq}`, ID.base)).rows.length,
      treeMatches.parse(await get(who, `matches?text=count&moment=${seq}`, ID.base)).rows.length,
      treeFailure.parse(await get(who, `failure?moment=${seq}`, ID.base)).step,
    ]
    expect([await rowsFor('ana'), await rowsFor('ben')]).toEqual([
      [3, 3, stepId(1)],
      [0, 0, null],
    ])
  })

  it('[R636] is not there before the task began', async () => {
    const { get } = await openTree([...ranSteps(2)])
    expect(await get('ben', `steps?${lane}&moment=1`)).toMatchObject({ error: 'NOT_FOUND' })
  })
})

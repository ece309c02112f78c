/** Pages and matches of steps of a tree, in the world or not, and who may read them. */
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { treeMatches, treeSteps } from '@/lib/wire/http'
import { LONG, leave, openTree, ranSteps, stepId } from '../test/manySteps'
import { ID } from '../test/world'

const lane = `stage=${LONG}&agent=${ID.reader}`
const pageIn = (json: unknown) => treeSteps.parse(json)
const matchesOf = (json: unknown) => treeMatches.parse(json)
const namesIn = (json: unknown): string[] => matchesOf(json).rows.map(({ name }) => name)

describe('pages of earlier steps', () => {
  it('[R546] hold steps by their places, in the world or not, and end at multiples of a hundred', async () => {
    const { get } = await openTree([...ranSteps(250), leave(0, 180)])
    const first = pageIn(await get('ben', `steps?${lane}&before=230`))
    expect([first.from, first.to]).toEqual([200, 230])
    expect(first.rows.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, at) => stepId(200 + at)))
    const second = pageIn(await get('ben', `steps?${lane}&before=${first.from}`))
    expect([second.from, second.to, second.rows.length]).toEqual([100, 200, 100])
    expect(second.rows[0]).toMatchObject({ id: stepId(100), chip: 'done', parent: `${LONG}/${ID.reader}` })
    expect(pageIn(await get('ben', `steps?${lane}&before=0`))).toEqual({ from: 0, to: 0, rows: [] })
  })

  it('[R546] are found by a place in them', async () => {
    const { get } = await openTree([...ranSteps(250), leave(0, 250)])
    const page = pageIn(await get('ben', `steps?${lane}&at=149`))
    expect([page.from, page.to, page.rows[49]?.id]).toEqual([100, 200, stepId(149)])
    for (const place of [249, 999]) {
      const last = pageIn(await get('ben', `steps?${lane}&at=${place}`))
      expect([last.from, last.to]).toEqual([200, 250])
    }
  })

  it('[R546] say of a failure whether it was tried again later, also on another page', async () => {
    const again = (place: number) => (place === 140 ? { retryOf: stepId(20) } : {})
    const { get } = await openTree([...ranSteps(150, [20, 30], again), leave(0, 150)])
    const { rows } = pageIn(await get('ben', `steps?${lane}&before=100`))
    const failed = rows.filter(({ chip }) => chip === 'failed').map(({ id, counts }) => [id, counts.failed])
    expect(failed).toEqual([
      [stepId(20), 0],
      [stepId(30), 1],
    ])
  })

  it('[R546] hang what wrote a call under it, also where that is on the page before', async () => {
    const pair = (place: number) =>
      place === 99
        ? { executor: 'instruction_generation', boundTo: stepId(100) }
        : place === 100
          ? ({ kind: 'tool', executor: 'files', boundTo: stepId(99) } as const)
          : {}
    const { get } = await openTree([...ranSteps(110, [], pair), leave(0, 110)])
    const { rows } = pageIn(await get('ben', `steps?${lane}&before=100`))
    expect(rows.at(-1)).toMatchObject({ id: stepId(99), parent: stepId(100) })
  })

  it('[R549] are for those who see all of the task: not for a stranger, and nothing of the base task for a participant', async () => {
    const { get } = await openTree([...ranSteps(120), leave(0, 120)])
    expect(await get('ben', `steps?${lane}&before=100`, ID.secret)).toMatchObject({ error: 'NOT_FOUND' })
    expect(pageIn(await get('ben', `steps?agent=${ID.reader}&before=100`, ID.base)).rows).toEqual([])
    for (const path of ['matches?text=count', 'failure', 'ruler'])
      expect(await get('ben', path, ID.secret)).toMatchObject({ error: 'NOT_FOUND' })
    expect(pageIn(await get('dev', `steps?${lane}&before=100`)).rows).toHaveLength(100)
  })

  it('[R549] a former member, whose view of the tree is closed, is given nothing of it', async () => {
    const { get, engine } = await openTree([...ranSteps(20, [3])])
    expect(pageIn(await get('ben', `steps?${lane}&before=20`)).rows).toHaveLength(20)
    await engine.put([event('task.participantsChanged', { task: ID.prices, added: [], removed: [ID.ben] })])
    expect(pageIn(await get('ben', `steps?${lane}&before=20`)).rows).toEqual([])
    expect(namesIn(await get('ben', 'matches?text=count'))).toEqual([])
    expect(await get('ben', 'failure')).toEqual({ step: null, page: null })
    expect(await get('ben', 'ruler')).toEqual({ lanes: [] })
  })
})

describe('steps that fit', () => {
  it('[R549] words are looked for among all steps, the newest first, page by page', async () => {
    const { get } = await openTree([...ranSteps(320), leave(0, 300)])
    expect(namesIn(await get('ben', 'matches?text=count+7'))).toEqual(['Count 7'])
    expect(namesIn(await get('ben', 'matches?text=nothing'))).toEqual([])
    const first = matchesOf(await get('ben', 'matches?text=count'))
    expect(first.rows).toHaveLength(100)
    const rest = matchesOf(await get('ben', `matches?text=count&before=${first.next}`))
    expect(rest.rows.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, at) => stepId(120 + at)))
    const seen = new Set([...first.rows, ...rest.rows].map(({ id }) => id))
    expect(seen.size).toBe(200)
  })

  it('[R549] a state and a member narrow them; what is tried again is no failure', async () => {
    const again = (place: number) => (place === 40 ? { retryOf: stepId(10) } : {})
    const { get } = await openTree([...ranSteps(50, [10, 20, 30], again), leave(0, 50)])
    const failed = await get('ben', 'matches?state=failed')
    expect(namesIn(failed).sort()).toEqual(['Count 20', 'Count 30'])
    expect(namesIn(await get('ben', `matches?state=failed&agent=${ID.manager}`))).toEqual([])
    expect(namesIn(await get('ben', 'matches?state=failed&text=count+20'))).toEqual(['Count 20'])
    expect(namesIn(await get('ben', `matches?state=done&agent=${ID.reader}`))).not.toContain('Count 20')
  })
})

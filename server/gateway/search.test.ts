import { describe, expect, it } from 'vitest'
import type { SearchAnswer } from '@/lib/wire'
import { openDouble } from './test/gatewayDouble'
import { ID } from './test/world'

async function find(person: string, query: string): Promise<SearchAnswer['hits']> {
  const { call, signIn } = await openDouble()
  const answer = await call('GET', `/api/search?q=${encodeURIComponent(query)}`, { cookie: await signIn(person) })
  expect(answer.status).toBe(200)
  return (answer.json as SearchAnswer).hits
}

describe('search', () => {
  it('finds a task by a word of its name, and by its id with or without its prefix', async () => {
    const byWord = await find('ana', 'PRICES')
    expect(byWord.some(({ kind, id }) => kind === 'task' && id === ID.prices)).toBe(true)
    for (const query of [ID.prices, `TaskState_${ID.prices}`]) {
      const [first] = await find('ana', query)
      expect(first).toMatchObject({ kind: 'task', id: ID.prices })
    }
  })

  it('finds nothing of a task that the person may not read', async () => {
    expect((await find('ana', ID.secret)).map(({ id }) => id)).toContain(ID.secret)
    expect(await find('ben', ID.secret)).toEqual([])
    expect((await find('ben', 'e')).filter(({ task }) => task === ID.secret)).toEqual([])
  })

  it('wants every word, and says nothing to an empty wish', async () => {
    expect(await find('ana', 'prices zebra-crossing')).toEqual([])
    const { call, signIn } = await openDouble()
    expect((await call('GET', '/api/search?q=', { cookie: await signIn('ben') })).status).toBe(400)
    expect((await call('GET', '/api/search?q=x')).status).toBe(401)
  })
})

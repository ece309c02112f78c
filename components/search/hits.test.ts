import { describe, expect, it } from 'vitest'
import { matchPath } from '@/client/nav'
import type { TaskId } from '@/lib/mas/ids'
import type { SearchHit } from '@/lib/wire'
import { SEARCH_KINDS } from '@/lib/wire/search'
import { hitGroupsOf, hrefOf, searchHref, searchKindOf } from './hits'

const hit = (kind: SearchHit['kind'], id: string): SearchHit => ({
  kind,
  id,
  task: kind === 'agent' ? null : ('t' as TaskId),
  taskName: 'Task',
  title: '',
  text: '',
  at: 1,
})

describe('what was found', () => {
  it('a hit of every kind leads somewhere', () => {
    for (const kind of SEARCH_KINDS) {
      const href = hrefOf(hit(kind, 'x'))
      expect(href && matchPath(href), kind).not.toBeNull()
    }
    expect(hrefOf({ ...hit('step', 'x'), task: null })).toBeNull()
  })

  it('hits are grouped by kind, in the order of the kinds', () => {
    const groups = hitGroupsOf([hit('step', 's'), hit('task', 'a'), hit('message', 'm'), hit('task', 'b')])
    expect(groups.map(({ kind, hits }) => [kind, hits.map(({ id }) => id)])).toEqual([
      ['task', ['a', 'b']],
      ['message', ['m']],
      ['step', ['s']],
    ])
  })

  it('the address of a search holds any query', () => {
    expect(searchHref('a&b=价格', 'message')).toBe('/search?q=a%26b%3D%E4%BB%B7%E6%A0%BC&kind=message')
    expect(searchKindOf('message')).toBe('message')
    expect(searchKindOf('nonsense')).toBeNull()
  })
})

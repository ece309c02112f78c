import { describe, expect, it } from 'vitest'
import { asId } from '@/lib/mas/ids'
import type { TreeRow, Who } from '@/lib/wire'
import { treeRow } from '../test/row'
import { filterTree, NO_FILTER, readFilter, type TreeFilter, treeMembersOf } from './treeFilter'
import { treeLinesOf, treeOf } from './treeModel'

const who = (name: string): Who => ({ id: asId(name), name, kind: 'llm', role: '', manager: false, access: 'none' })
const row = (id: string, kind: TreeRow['kind'], parent: string | null, change: Partial<TreeRow> = {}): TreeRow =>
  treeRow({ id, kind, parent, ...change })
const coder = { agent: asId<NonNullable<TreeRow['agent']>>('coder'), who: who('Coder') }
const tester = { agent: asId<NonNullable<TreeRow['agent']>>('tester'), who: who('Tester') }
const tree = treeOf(
  [
    row('gather', 'stage', null, { chip: 'running' }),
    row('gather/coder', 'agent', 'gather', { ...coder, name: 'Coder', chip: 'waiting' }),
    row('older', 'older', 'gather/coder'),
    row('read', 'step', 'gather/coder', { ...coder, name: 'Read the lists', executor: 'read_file', chip: 'done' }),
    row('ask', 'step', 'gather/coder', { ...coder, name: 'Ask which price holds', chip: 'waiting' }),
    row('gather/tester', 'agent', 'gather', { ...tester, name: 'Tester' }),
    row('check', 'step', 'gather/tester', { ...tester, name: 'Check the lists', chip: 'failed' }),
    row('write', 'stage', null),
  ],
  null,
)
const left = (filter: Partial<TreeFilter>): string[] =>
  treeLinesOf(filterTree(tree, { ...NO_FILTER, ...filter }), () => true).map(({ node }) => node.id)

describe('the filter of a tree', () => {
  it('keeps what fits and whatever stands above it', () => {
    expect(left({ text: 'LISTS check' })).toEqual(['gather', 'gather/tester', 'check'])
    expect(left({ text: 'read_file' })).toEqual(['gather', 'gather/coder', 'older', 'read'])
    expect(left({ state: 'failed' })).toEqual(['gather', 'gather/tester', 'check'])
    expect(left({ agent: 'coder' })).toEqual(['gather', 'gather/coder', 'older', 'read', 'ask'])
    expect(left({ agent: 'coder', state: 'waiting', text: 'price' })).toEqual([
      'gather',
      'gather/coder',
      'older',
      'ask',
    ])
    expect(left({ text: 'write' })).toEqual(['write'])
    expect(left({ text: 'nobody' })).toEqual([])
  })

  it('leaves the tree as it is when there is none, and reads nonsense as none', () => {
    expect(filterTree(tree, NO_FILTER)).toBe(tree)
    expect(readFilter(null, 'nonsense', '')).toEqual(NO_FILTER)
    expect(readFilter('a', 'failed', 'x')).toEqual({ text: 'a', state: 'failed', agent: 'x' })
  })

  it('offers each member once', () => {
    expect(treeMembersOf(tree).map(({ name }) => name)).toEqual(['Coder', 'Tester'])
  })
})

import { describe, expect, it } from 'vitest'
import { type AgentId, asId, type StageId } from '@/lib/mas/ids'
import type { OverviewRow, TreeRow, Who } from '@/lib/wire'
import { treeRow as row } from '../test/row'
import { findByName, keyActionOf } from '../useTreeKeyDown'
import { followOn, lineOf, nextHit } from './jumps'
import {
  ancestorsOf,
  failedCounts,
  nodeOfStateId,
  openAtFirst,
  pinnedLines,
  stateIdOf,
  type TreeLineModel,
  taskNode,
  treeLinesOf,
  treeOf,
  wholeCount,
} from './treeModel'

const who = (name: string, kind: Who['kind'] = 'llm'): Who => ({
  id: asId(`id-${name}`),
  name,
  kind,
  role: '',
  manager: false,
  access: 'none',
})
const stage = (id: string, place: number, chip: TreeRow['chip'], startedAt: number | null): TreeRow =>
  row({
    id,
    kind: 'stage',
    sort: String(place).padStart(4, '0'),
    chip,
    startedAt,
    stage: asId(id),
    name: `Stage ${id}`,
  })
const agent = (id: string, parent: string, chip: TreeRow['chip']): TreeRow =>
  row({ id: `${parent}/${id}`, kind: 'agent', parent, level: 2, chip, who: who(id), name: id })
const step = (id: string, parent: string, chip: TreeRow['chip'], seq = 1): TreeRow =>
  row({
    id,
    kind: 'step',
    parent,
    level: 3,
    chip,
    name: id,
    seq,
    startedAt: chip === 'idle' ? null : seq,
    counts: { waiting: 0, failed: chip === 'failed' ? 1 : 0, steps: 0 },
  })

const ROWS = [
  stage('s1', 1, 'done', 10),
  agent('Coder', 's1', 'done'),
  step('plan', 's1/Coder', 'done', 1),
  step('broken', 's1/Coder', 'failed', 2),
  stage('s2', 2, 'running', 20),
  agent('Tester', 's2', 'waiting'),
  step('ask', 's2/Tester', 'waiting', 7),
  step('later', 's2/Tester', 'idle'),
  agent('Ana', 's2', 'waiting'),
  stage('s3', 3, 'idle', null),
]
const OVERVIEW: OverviewRow = {
  id: 't',
  sort: '',
  kind: 'task',
  task: asId('t'),
  name: 'Price page',
  intention: '',
  base: false,
  state: 'running',
  chip: 'running',
  paused: false,
  manager: who('Manager'),
  members: [],
  requestedBy: null,
  stage: null,
  stuck: null,
  mine: 0,
  tokens: 5,
  costUsd: null,
  setUp: null,
  demo: false,
  createdAt: 1,
  endedAt: null,
}
const TREE = treeOf(ROWS, taskNode(OVERVIEW, 1, 1))
const names = (lines: readonly TreeLineModel[]): string[] =>
  lines.map((line) => `${'·'.repeat(line.level)}${line.node.id}`)

describe('the tree on screen', () => {
  it('the tree has stages under the task, agents under stages and steps under agents, and counts places among siblings', () => {
    const lines = treeLinesOf(TREE, () => true)
    expect(names(lines).slice(0, 6)).toEqual(['·task', '··s1', '···s1/Coder', '····plan', '····broken', '··s2'])
    expect(lines.find((line) => line.node.id === 's3')).toMatchObject({ place: 3, of: 3, isOpen: null, level: 2 })
    expect(lines.find((line) => line.node.id === 'broken')).toMatchObject({ place: 2, of: 2, isOpen: null, level: 4 })
  })

  it('[R132] the stage and the member of the first line in the window are pinned once they have scrolled away', () => {
    const lines = treeLinesOf(TREE, () => true)
    const pinnedAt = (first: number): (string | undefined)[] =>
      pinnedLines(lines, first).map((place) => lines[place]?.node.id)
    expect(pinnedAt(0)).toEqual([])
    // The stage's own line is at the top: nothing covers it.
    expect(pinnedAt(1)).toEqual([])
    expect(pinnedAt(2)).toEqual(['s1', 's1/Coder'])
    expect(pinnedAt(3)).toEqual(['s1', 's1/Coder'])
    // Only the stage where the next line is another one.
    expect(pinnedAt(4)).toEqual(['s1'])
    expect(pinnedAt(lines.length)).toEqual([])
  })

  it('what runs or failed is open at first; what is done or yet to come is closed', () => {
    const lines = treeLinesOf(TREE, openAtFirst(TREE))
    expect(names(lines)).not.toContain('····plan')
    expect(names(lines)).toContain('····ask')
  })

  it('the last stage is open at first when all is done', () => {
    const done = treeOf(
      [stage('s1', 1, 'done', 10), agent('A', 's1', 'done'), stage('s2', 2, 'done', 20), agent('B', 's2', 'done')],
      null,
    )
    expect(names(treeLinesOf(done, openAtFirst(done)))).toEqual(['·s1', '·s2', '··s2/B'])
  })

  it('rows keep their identity, so that only changed ones are drawn', () => {
    expect(TREE.nodes.get('ask')).toBe(ROWS[6])
  })

  it('a line has its ancestors and its StateID', () => {
    expect(ancestorsOf(TREE, 'ask')).toEqual(['task', 's2', 's2/Tester'])
    const id = stateIdOf(step('ask', 's2/Tester', 'waiting'), 't')
    expect(id).toBe('StepState_ask')
    expect(nodeOfStateId(TREE, 't', 'StepState_ask', null)).toBe('ask')
    expect(nodeOfStateId(TREE, 't', 'StageState_s2', null)).toBe('s2')
    expect(nodeOfStateId(TREE, 't', 'TaskState_t', null)).toBe('task')
    expect(nodeOfStateId(TREE, 't', 'StepState_gone', null)).toBeNull()
  })

  it('[R293] of an agent with a line in several stages, the StateID and the stage name one; without the stage it is the first', () => {
    const both = treeOf([...ROWS, agent('Coder', 's2', 'done')], null)
    expect(nodeOfStateId(both, 't', 'LLMAgent_id-Coder', 's2')).toBe('s2/Coder')
    expect(nodeOfStateId(both, 't', 'LLMAgent_id-Coder', 's1')).toBe('s1/Coder')
    expect(nodeOfStateId(both, 't', 'LLMAgent_id-Coder', null)).toBe('s1/Coder')
    expect(nodeOfStateId(both, 't', 'LLMAgent_id-Tester', 's1')).toBe('s2/Tester')
  })
})

describe('a call of a tool', () => {
  const call = step('read', 's1/Coder', 'done', 2)
  const below = {
    ...step('writes it', 'read', 'done', 1),
    level: 4,
    stage: asId<StageId>('s1'),
    agent: asId<AgentId>('Coder'),
  }
  const part = [stage('s1', 1, 'running', 10), agent('Coder', 's1', 'running')]

  it('is one closed line, with what wrote it under it', () => {
    const tree = treeOf([...part, below, call], null)
    expect(names(treeLinesOf(tree, openAtFirst(tree)))).toEqual(['·s1', '··s1/Coder', '···read'])
    expect(names(treeLinesOf(tree, () => true)).slice(2)).toEqual(['···read', '····writes it'])
    const moved = treeOf([...part, { ...below, seq: 9 }, call], null)
    const followed = followOn(moved, null)
    expect(followed && lineOf(moved, followed).id).toBe('read')
  })

  it('leaves what wrote it under its agent while it is on a page that is not loaded', () => {
    const tree = treeOf([...part, below], null)
    expect(names(treeLinesOf(tree, openAtFirst(tree)))).toEqual(['·s1', '··s1/Coder', '···writes it'])
  })

  it('is no error any more when it was tried again', () => {
    const failed = (count: number) => ({
      ...call,
      chip: 'failed' as const,
      counts: { waiting: 0, failed: count, steps: 0 },
    })
    expect(nextHit(treeOf([...part, failed(1)], null), null, 'error', 1)?.id).toBe('read')
    expect(nextHit(treeOf([...part, failed(0)], null), null, 'error', 1)).toBeNull()
  })
})

describe('next error and next wait', () => {
  it('a jump stops at the innermost that is stuck, also in closed lines', () => {
    expect(nextHit(TREE, null, 'error', 1)?.id).toBe('broken')
    expect(nextHit(TREE, 'broken', 'error', 1)?.id).toBe('broken')
    expect(nextHit(TREE, 'ask', 'wait', 1)?.id).toBe('s2/Ana')
  })

  it('a jump starts where the reader is, and after the last hit comes the first', () => {
    expect(nextHit(TREE, null, 'wait', 1)?.id).toBe('ask')
    expect(nextHit(TREE, 'ask', 'wait', 1)?.id).toBe('s2/Ana')
    expect(nextHit(TREE, 's2/Ana', 'wait', 1)?.id).toBe('ask')
    expect(nextHit(TREE, 'ask', 'wait', -1)?.id).toBe('s2/Ana')
    expect(nextHit(treeOf([], null), null, 'error', 1)).toBeNull()
  })

  it('[R545] failures that have left the world are counted in the lines above them', () => {
    const rows = [stage('s', 1, 'running', 1), agent('a', 's', 'running'), step('bad', 's/a', 'failed')]
    const ruler = {
      lanes: [
        { stage: 's', agent: 'a', failed: 2, places: [4, 9] },
        { stage: null, agent: 'a', failed: 1, places: [3] },
      ],
    }
    const tree = treeOf(rows, null, undefined, failedCounts(ruler))
    const failed = rows.map(({ id }) => tree.nodes.get(id)?.counts.failed)
    expect(failed).toEqual(rows.map(({ counts }, at) => counts.failed + (at < 2 ? 2 : 0)))
    expect(failedCounts(null).size).toBe(0)
  })

  it('[R545] the number of rows is that of all steps, whether a line shows them or stands for them', () => {
    const counts = { waiting: 0, failed: 0, steps: 120 }
    const rows = [
      stage('s', 1, 'running', 1),
      agent('a', 's', 'running'),
      row({ id: 's/a/earlier', kind: 'older', parent: 's/a', counts }),
      step('one', 's/a', 'done'),
    ]
    expect(wholeCount(treeOf(rows, null))).toBe(123)
  })

  it('[R210] following begins at the step that changed last', () => {
    expect(followOn(TREE, null)?.step.id).toBe('ask')
  })

  it('[R210] following stays with an agent that moves, and leaves one that is done or whose step runs on', () => {
    const two = (own: { seq: number; chip: 'running' | 'done' }, other: number) =>
      treeOf(
        [
          { ...step('own', 's1/a', own.chip), agent: asId<AgentId>('a'), seq: own.seq },
          { ...step('other', 's1/b', 'running'), agent: asId<AgentId>('b'), seq: other },
        ],
        null,
      )
    const begun = followOn(two({ seq: 5, chip: 'running' }, 4), null)
    expect(begun?.step.id).toBe('own')
    const moved = followOn(two({ seq: 6, chip: 'done' }, 9), begun)
    expect(moved).toMatchObject({ step: { id: 'own' }, quiet: 0 })
    expect(followOn(two({ seq: 6, chip: 'done' }, 10), moved)?.step.id).toBe('other')
    const still = two({ seq: 6, chip: 'running' }, 11)
    const looks = [followOn(still, moved)]
    while (looks.length < 3) looks.push(followOn(still, looks.at(-1) ?? null))
    expect(looks.map((one) => one?.step.id)).toEqual(['own', 'own', 'other'])
  })
})

describe('the keys of the tree', () => {
  const lines = treeLinesOf(TREE, openAtFirst(TREE))
  const act = (current: string | null, key: string) => keyActionOf(lines, current, key, 3)
  it('arrow keys walk through the lines and stop at the ends', () => {
    expect(act('task', 'ArrowDown')).toEqual({ do: 'focus', id: 's1' })
    expect(act('task', 'ArrowUp')).toEqual({ do: 'focus', id: 'task' })
    expect(act('s2', 'PageDown')).toEqual({ do: 'focus', id: 'later' })
    expect(act('ask', 'Home')).toEqual({ do: 'focus', id: 'task' })
    expect(act('ask', 'End')).toEqual({ do: 'focus', id: 's3' })
    expect(act(null, 'ArrowDown')).toEqual({ do: 'focus', id: 'task' })
  })

  it('left and right open a line, go in, go out and close it', () => {
    expect(act('s1', 'ArrowRight')).toEqual({ do: 'open', ids: ['s1'] })
    expect(act('s2', 'ArrowRight')).toEqual({ do: 'focus', id: 's2/Tester' })
    expect(act('ask', 'ArrowRight')).toBeNull()
    expect(act('ask', 'ArrowLeft')).toEqual({ do: 'focus', id: 's2/Tester' })
    expect(act('s2/Tester', 'ArrowLeft')).toEqual({ do: 'close', id: 's2/Tester' })
    expect(act('s3', '*')).toEqual({ do: 'open', ids: ['s1'] })
    expect(act('ask', 'Enter')).toEqual({ do: 'inspect', id: 'ask' })
    expect(act('ask', 'q')).toBeNull()
  })

  it('typing finds a line by the beginning of its name', () => {
    expect(findByName(lines, 'task', 'la')).toBe('later')
    expect(findByName(lines, 'task', 'ss')).toBe('s1')
    expect(findByName(lines, 's1', 's')).toBe('s2')
    expect(findByName(lines, 's1', 'zz')).toBeNull()
  })
})

/** Versions of files: how many are kept, of which paths, and what a task and a step left. */
import { describe, expect, it } from 'vitest'
import { event } from '../events'
import { type AgentId, asId, type StepId, type TaskId } from '../ids'
import { emptyWorld, type FileChange, type World } from '../records'
import { reduceEntry } from '../reduce'
import { selectFilesOfTask, selectVersions } from './files'
import { PATHS_KEPT } from './reduce'

const owners = { agent: asId<AgentId>('reader'), thread: null, more: 0, complete: true }
const [taskA, taskB] = [asId<TaskId>('task-a'), asId<TaskId>('task-b')]
const [first, second] = [asId<StepId>('one'), asId<StepId>('two')]
const change = (path: string, kind: FileChange['change'] = 'changed'): FileChange => ({
  path,
  change: kind,
  before: null,
  now: kind === 'removed' ? null : { sha: 'a'.repeat(64), bytes: 1, kept: true },
  shared: false,
})
/** Each event with the number of its place, from 1. */
const journalOf = (...all: { changes: FileChange[]; task?: TaskId; step?: StepId; keep?: number }[]): World =>
  all.reduce(
    (world, more, at) =>
      reduceEntry(world, {
        event: event('files.changed', { ...owners, task: taskA, step: first, keep: 20, ...more }),
        seq: at + 1,
        at,
      }),
    emptyWorld,
  )
const seqs = (world: World, path: string) => selectVersions(world, path).map(({ seq }) => seq)

describe('versions of a file', () => {
  it('[R111] are listed up to the number that is kept, the oldest leave first', () => {
    const times = (n: number, keep: number) =>
      journalOf(...Array.from({ length: n }, () => ({ changes: [change('a')], keep })))
    expect(seqs(times(3, 3), 'a')).toEqual([1, 2, 3])
    expect(seqs(times(4, 3), 'a')).toEqual([2, 3, 4])
    expect(seqs(times(2, 0), 'a')).toEqual([2])
  })

  it('[R111] of the paths that changed last are kept; those of others leave', () => {
    const many = (n: number) => Array.from({ length: n }, (_, at) => change(`f${at}`))
    const full = journalOf({ changes: [change('first')] }, { changes: many(PATHS_KEPT - 1) })
    expect(seqs(full, 'first')).toEqual([1])
    const over = journalOf({ changes: [change('first')] }, { changes: many(PATHS_KEPT) })
    expect([seqs(over, 'first'), seqs(over, 'f0')]).toEqual([[], [2]])
  })

  it('[R111] of a path like a built-in name are its own', () => {
    expect(selectVersions(emptyWorld, '__proto__')).toEqual([])
    expect(selectVersions(emptyWorld, 'constructor')).toEqual([])
    const world = journalOf({ changes: [change('__proto__'), change('constructor')] })
    expect([seqs(world, '__proto__'), seqs(world, 'constructor')]).toEqual([[1], [1]])
    expect(JSON.parse(JSON.stringify(world)).files.constructor).toHaveLength(1)
  })
})

describe('what work left', () => {
  const world = journalOf(
    { task: taskA, step: first, changes: [change('report.md', 'made'), change('draft.md', 'made'), change('old.md')] },
    { task: taskB, step: second, changes: [change('report.md')] },
    {
      task: taskA,
      step: second,
      changes: [change('draft.md', 'removed'), change('old.md', 'removed'), change('report.md')],
    },
  )

  it('[R111] of a task is the last version of each path; what it made and removed again is not in it', () => {
    expect(selectFilesOfTask(world, taskA).map(({ path, change: kind, seq }) => [path, kind, seq])).toEqual([
      ['old.md', 'removed', 3],
      ['report.md', 'changed', 3],
    ])
    expect(selectFilesOfTask(world, taskB).map(({ path }) => path)).toEqual(['report.md'])
    expect(selectFilesOfTask(world, asId<TaskId>('none'))).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { asId } from '@/lib/mas/ids'
import type { OverviewRow, Who } from '@/lib/wire'
import {
  ariaSort,
  filterTasks,
  pressSort,
  readSort,
  readStateFilter,
  STUCK_FIRST,
  sortTasks,
  taskMembersOf,
  writeSort,
} from './taskList'
import { addFiles, type DroppedFile, FILE_BYTES, insertPath, MOST_FILES } from './workFiles'

const who = (name: string): Who => ({ id: asId(name), name, kind: 'llm', role: '', manager: false, access: 'none' })
const task = (id: string, change: Partial<OverviewRow> = {}): OverviewRow => ({
  id,
  sort: `4:${id}`,
  kind: 'task',
  task: asId(id),
  name: id,
  intention: '',
  base: false,
  state: 'running',
  chip: 'running',
  paused: false,
  manager: who('Manager'),
  members: [who('Coder')],
  requestedBy: null,
  stage: null,
  stuck: null,
  mine: 0,
  tokens: null,
  costUsd: null,
  setUp: null,
  demo: false,
  createdAt: 1,
  endedAt: null,
  ...change,
})
const ids = (rows: readonly OverviewRow[]): string[] => rows.map((row) => row.id)
const ROWS = [
  task('base', { base: true, sort: '0' }),
  task('import', {
    sort: '1:5',
    chip: 'blocked',
    stuck: { kind: 'blocked', why: 'circle', on: [], since: 5, what: '', elsewhere: null, request: null },
    costUsd: 0.11,
  }),
  task('page', {
    sort: '2:3',
    chip: 'waiting',
    stuck: { kind: 'waiting', why: null, on: [who('Ana')], since: 3, what: '', elsewhere: null, request: null },
    costUsd: 0.42,
  }),
  task('manual', {
    sort: '3:1',
    state: 'failed',
    chip: 'failed',
    stuck: { kind: 'failed', why: null, on: [], since: 1, what: '', elsewhere: null, request: null },
  }),
  task('docs', { sort: '6:1', state: 'finished', chip: 'done', costUsd: 1.24, endedAt: 9 }),
]
const ALL = { text: '', state: 'all' as const, member: null }

describe('which tasks are shown', () => {
  it('finds all words in name and members, whatever their case', () => {
    expect(ids(filterTasks(ROWS, { ...ALL, text: 'PAGE coder' }))).toEqual(['page'])
    expect(ids(filterTasks(ROWS, { ...ALL, text: 'page tester' }))).toEqual([])
  })

  it('shows the tasks of one member: who is in it, manages it or asked for it', () => {
    const rows = [
      ...ROWS,
      task('asked', { requestedBy: who('Ana') }),
      task('in', { members: [who('Ana'), who('Ben')] }),
    ]
    expect(ids(filterTasks(rows, { ...ALL, member: 'Ana' }))).toEqual(['asked', 'in'])
    expect(taskMembersOf(rows).map(({ name }) => name)).toEqual(['Ana', 'Ben', 'Coder'])
  })

  it('knows what is stuck, by what the chip says and not by the raw state', () => {
    expect(ids(filterTasks(ROWS, { ...ALL, state: 'stuck' }))).toEqual(['import', 'page'])
    expect(ids(filterTasks(ROWS, { ...ALL, state: 'running' }))).toEqual(['base'])
    expect(ids(filterTasks(ROWS, { ...ALL, state: 'done' }))).toEqual(['docs'])
    expect(readStateFilter('nonsense')).toBe('all')
  })
})

describe('the order of tasks', () => {
  it('is what is stuck first, with the base task pinned', () => {
    expect(ids(sortTasks([...ROWS].reverse(), STUCK_FIRST))).toEqual(['base', 'import', 'page', 'manual', 'docs'])
  })

  it('keeps unknown costs last in both directions', () => {
    const byCost = ids(sortTasks(ROWS, { by: 'cost', isDown: false }))
    expect(byCost.slice(0, 4)).toEqual(['base', 'docs', 'page', 'import'])
    expect(ids(sortTasks(ROWS, { by: 'cost', isDown: true })).slice(0, 4)).toEqual(['base', 'import', 'page', 'docs'])
  })

  it('goes into the address and comes back, turning round at the second press', () => {
    const once = pressSort(STUCK_FIRST, 'cost')
    const twice = pressSort(once, 'cost')
    expect([writeSort(once), writeSort(twice), writeSort(STUCK_FIRST)]).toEqual(['cost', '-cost', null])
    expect([readSort('cost'), readSort('-cost'), readSort('-x'), readSort(null)]).toEqual([
      once,
      twice,
      STUCK_FIRST,
      STUCK_FIRST,
    ])
    expect([ariaSort(once, 'cost'), ariaSort(twice, 'cost'), ariaSort(once, 'name')]).toEqual([
      'descending',
      'ascending',
      'none',
    ])
  })
})

const file = (name: string, bytes: Uint8Array | Error, size?: number): DroppedFile => ({
  name,
  size: size ?? (bytes instanceof Error ? 1 : bytes.length),
  bytes: () => (bytes instanceof Error ? Promise.reject(bytes) : Promise.resolve(bytes)),
})
const text = (words: string): Uint8Array => new TextEncoder().encode(words)

describe('files beside a wish', () => {
  it('are read as text, each under a name of its own', async () => {
    const { files, refused } = await addFiles([], [file('a.csv', text('äpfel,3')), file('a.csv', text('x'))])
    expect(files.map((one) => [one.name, one.text])).toEqual([
      ['a.csv', 'äpfel,3'],
      ['a (2).csv', 'x'],
    ])
    expect(refused).toEqual([])
  })

  it('[R405] are read in the encoding in which their program saved them', async () => {
    const wide = Uint8Array.from(Buffer.from('\uFEFF苹果,3.20', 'utf16le'))
    const { files, refused } = await addFiles(
      [],
      [
        file('gb.csv', new Uint8Array([0xc6, 0xbb, 0xb9, 0xfb, 0x2c, 0x33])),
        file('wide.csv', wide),
        file('latin.txt', new Uint8Array([0xe4, 0x20])),
      ],
    )
    expect(files.map((one) => one.text)).toEqual(['苹果,3', '苹果,3.20', 'ä '])
    expect(refused).toEqual([])
  })

  it('that cannot be sent are named with the reason; the others stay', async () => {
    const { files, refused } = await addFiles(
      [],
      [
        file('large.txt', text(''), FILE_BYTES + 1),
        file('photo.png', new Uint8Array([137, 80, 0, 1])),
        file('odd.txt', new Uint8Array([0xff, 0x80, 0x90])),
        file('gone.txt', new Error('gone')),
        file('ok.md', text('# ok')),
      ],
    )
    expect(files.map((one) => one.name)).toEqual(['ok.md'])
    expect(refused.map((one) => [one.name, one.why])).toEqual([
      ['large.txt', 'large'],
      ['photo.png', 'binary'],
      ['odd.txt', 'binary'],
      ['gone.txt', 'unreadable'],
    ])
  })

  it('are no more than the server takes', async () => {
    const many = Array.from({ length: MOST_FILES + 1 }, (_, at) => file(`${at}.txt`, text('x')))
    const { files, refused } = await addFiles([], many)
    expect(files).toHaveLength(MOST_FILES)
    expect(refused).toEqual([{ name: `${MOST_FILES}.txt`, why: 'many' }])
    const large = Array.from({ length: 5 }, (_, at) => file(`${at}.txt`, text('x'.repeat(FILE_BYTES))))
    expect((await addFiles([], large)).refused).toEqual([{ name: '4.txt', why: 'all' }])
  })
})

describe('a path pressed in the workspace', () => {
  it('goes where the cursor stands, with spaces where they are needed', () => {
    expect(insertPath('Compare the lists in', 'prices', 20)).toEqual({
      text: 'Compare the lists in prices ',
      cursor: 28,
    })
    expect(insertPath('Read , then count', 'a.csv', 5)).toEqual({ text: 'Read a.csv, then count', cursor: 10 })
    expect(insertPath('', 'prices', 0).text).toBe('prices ')
  })
})

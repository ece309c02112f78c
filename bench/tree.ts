/**
 * What a large tree costs the thread that draws it: rows to lines with everything open, the next error, a filter, the strip.
 * `npm run bench -- tree [rows]`. In milliseconds of CPU, beside one pass over the same rows.
 */
import { nextHit } from '@/components/tree/model/jumps'
import { stripMarks, stripScale } from '@/components/tree/model/strip'
import { filterTree, NO_FILTER } from '@/components/tree/model/treeFilter'
import { openAtFirst, type TreeLineModel, treeLinesOf, treeOf } from '@/components/tree/model/treeModel'
import { treeRow } from '@/components/tree/test/row'
import type { TreeRow } from '@/lib/wire/rows'
import { median, ms, table } from './lib/figures'

const count = Number(process.argv[2] ?? 100_000)
const ROUNDS = 9
const AGENTS = 20
const STAGES = 10
/** Of a processor as slow as a phone's, which is said to be four times slower. Milliseconds for 100,000 rows. */
const MOST = { flatten: 300, jump: 100, filter: 300, strip: 50 } as const

/** Stages, their agents, and the steps of each; one step in a thousand has failed. */
function rowsOf(steps: number): TreeRow[] {
  const rows: TreeRow[] = []
  for (let stage = 1; stage <= STAGES; stage++) {
    const id = `stage-${stage}`
    rows.push(treeRow({ id, kind: 'stage', sort: String(stage).padStart(4, '0'), chip: 'running' }))
    for (let agent = 0; agent < AGENTS; agent++) {
      const parent = `${id}/agent-${agent}`
      rows.push(treeRow({ id: parent, kind: 'agent', parent: id, level: 2 }))
      for (let step = 0; step < steps / STAGES / AGENTS; step++) {
        const n = rows.length
        const change = n % 1_000 === 0 ? { chip: 'failed' as const, counts: { waiting: 0, failed: 1, steps: 1 } } : {}
        rows.push(treeRow({ id: `step-${n}`, kind: 'step', parent, level: 3, name: `count ${n}`, ...change }))
      }
    }
  }
  return rows
}

/** Median CPU of one run, in ms. */
function cost(run: () => unknown): number {
  run()
  return median(
    Array.from({ length: ROUNDS }, () => {
      const before = process.cpuUsage()
      run()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    }),
  )
}

const rows = rowsOf(count)
/** As the view holds them. */
const byId = new Map(rows.map((row) => [row.id, row]))
const tree = treeOf(rows, null, byId)
const lines: TreeLineModel[] = treeLinesOf(tree, () => true)
const last = lines.at(-1)?.node.id ?? null
const pass = cost(() => new Map(rows.map((row) => [row.id, row])))
const measured = {
  flatten: cost(() => {
    const whole = treeOf(rows, null, byId)
    openAtFirst(whole)
    return treeLinesOf(whole, () => true)
  }),
  jump: cost(() => nextHit(tree, last, 'error', 1)),
  filter: cost(() => treeLinesOf(filterTree(tree, { ...NO_FILTER, text: 'count 17' }), () => true)),
  strip: cost(() => stripMarks(lines, stripScale(lines), null)),
}
const what = {
  flatten: 'rows to lines, all open',
  jump: 'next error',
  filter: 'filter by words',
  strip: 'marks of the strip',
}

const slower = 4
const names = ['flatten', 'jump', 'filter', 'strip'] as const
const missed = names.filter((name) => measured[name] * slower > MOST[name] * (count / 100_000))
console.log(
  table([
    [`${rows.length} rows`, 'CPU', 'of a pass', `${slower} × slower`, 'wanted', ''],
    ['one pass over them, by id', ms(pass)],
    ...names.map((name) => [
      what[name],
      ms(measured[name]),
      `${(measured[name] / pass).toFixed(1)} ×`,
      ms(measured[name] * slower),
      ms(MOST[name] * (count / 100_000)),
      missed.includes(name) ? 'MISSED' : 'holds',
    ]),
  ]),
)
process.exitCode = missed.length === 0 ? 0 : 1

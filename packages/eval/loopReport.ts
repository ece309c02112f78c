/** The report of a plain loop beside the result of the team: its table, and the ratio of both. */
import { type EvalResult, nameOf, type ResultRow, type Row, resultTable, table, totals } from './results'

type Figures = Pick<ResultRow, 'calls' | 'tokens' | 'cost' | 'wallMs'>
type Pair = { team: Figures; loop: Figures }

const HEAD: Row = ['× of the plain loop', 'calls', 'sent', 'uncached', 'got', 'cost', 'time']

/** null: there is no loop in the result */
export function sayLoop({ jobs, loop }: EvalResult): string | null {
  if (loop === null) return null
  const pairs = jobs.flatMap((team) => {
    const other = loop.find((row) => row.job === team.job && row.language === team.language)
    return other === undefined ? [] : [{ team, loop: other }]
  })
  // A job that is not done ends early: its ratio says nothing.
  const both = pairs.filter((pair) => pair.team.right && pair.loop.right)
  const rows = both.map((pair) => rowOf(nameOf(pair.team), pair))
  const sums = {
    team: totals({ jobs: both.map(({ team }) => team) }),
    loop: totals({ jobs: both.map((one) => one.loop) }),
  }
  const ratios =
    both.length === 0
      ? 'No job was right on both sides: there is nothing to compare.'
      : table([HEAD, ...rows, rowOf(`all ${both.length} that both did right`, sums)])
  return [`The same jobs by a plain loop (ToolLoopAgent of the AI SDK):\n\n${resultTable(loop)}`, ratios].join('\n\n')
}

const rowOf = (name: string, { team, loop }: Pair): Row => [
  name,
  times(team.calls, loop.calls),
  times(team.tokens.sent, loop.tokens.sent),
  times(uncached(team), uncached(loop)),
  times(team.tokens.got, loop.tokens.got),
  times(team.cost, loop.cost),
  times(team.wallMs, loop.wallMs),
]

const uncached = ({ tokens }: Figures): number => tokens.sent - tokens.cached

const times = (team: number | null, loop: number | null): string =>
  team === null || !loop ? '-' : `${(team / loop).toFixed(2)} ×`

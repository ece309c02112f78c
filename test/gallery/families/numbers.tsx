/** The page of numbers: charts, their tables, breakdowns, budgets, activity in a line. */
import { MemberNumbers, WaitNumbers } from '@/components/numbers/Breakdowns'
import { Budgets } from '@/components/numbers/Budgets'
import { ChartCard } from '@/components/numbers/ChartCard'
import { chartsOf } from '@/components/numbers/charts'
import { Sparkline } from '@/components/ui/marks/Sparkline'
import type { Numbers } from '@/lib/wire'
import { NO_NUMBERS, NUMBERS, NUMBERS_DAYS } from '../fixtures/numbers'
import { Specimen } from '../Specimen'

const Charts = ({ of, names }: { of: Numbers; names: readonly string[] }) => (
  <div className="grid gap-4 md:grid-cols-2">
    {chartsOf(of, NUMBERS_DAYS)
      .filter(({ name }) => names.includes(name))
      .map((chart) => (
        <ChartCard key={chart.name} chart={chart} note={chart.name === 'cost' ? '3 calls have no price.' : null} />
      ))}
  </div>
)

export default function NumbersFamily() {
  return (
    <>
      <Specimen name="ChartCard · one series, a stack, side by side, buckets" isWide>
        <Charts of={NUMBERS} names={['cost', 'tokens', 'work', 'firstToken']} />
      </Specimen>
      <Specimen name="ChartCard · nothing happened" isWide>
        <Charts of={NO_NUMBERS} names={['tokens', 'errors']} />
      </Specimen>
      <Specimen name="MemberNumbers, WaitNumbers" isWide>
        <MemberNumbers numbers={NUMBERS} />
        <WaitNumbers numbers={NUMBERS} />
      </Specimen>
      <Specimen name="Budgets" isWide>
        <Budgets />
      </Specimen>
      <Specimen name="Sparkline">
        <Sparkline values={[0, 1, 4, 2, 0, 0, 7, 3]} label="17 steps" />
        <Sparkline label="none" />
      </Specimen>
    </>
  )
}

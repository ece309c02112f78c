/** What was counted of a task, for the entry that erases it. */
import { Fault } from '@/lib/faults'
import type { ErasedCounter } from '@/lib/mas/archive/erasedRecords'
import { COUNTED, type CounterFigures } from '@/lib/mas/limits/counters'
import type { Store } from '../store'

/** After the last hour that there will be. */
const FOREVER = 10_000_000

/** out: one for each hour or day, member and model. Throws STILL_COUNTING: some of it may not be counted yet */
export async function countersOfErased(
  { journal, counters }: Pick<Store, 'journal' | 'counters'>,
  task: string,
): Promise<ErasedCounter[]> {
  const { seq } = await journal.head()
  if ((await counters.cursor()) < seq) throw new Fault('STILL_COUNTING')
  const rows = await counters.sum(['hour', 'agent', 'model'], { from: 0, to: FOREVER, tasks: null, task })
  return rows.map(({ hour = 0, agent = '', model = '', groups: _, ...figures }) => ({
    ...{ hour, task, agent, model },
    figures: withoutZeros(figures),
  }))
}

const withoutZeros = (figures: CounterFigures): Record<string, number> =>
  Object.fromEntries(COUNTED.flatMap((name) => (figures[name] === 0 ? [] : [[name, figures[name]]])))

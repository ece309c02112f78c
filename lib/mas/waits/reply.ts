/** The replies that agents owe. */
import { gather } from '@/lib/gather'
import { keeping } from '@/lib/memo'
import type { AgentId, RequestId, WaitingId } from '../ids'
import type { StepRecord, StepRef, WorkRecord, World } from '../records'
import { refsIn, selectStep } from '../team/agents'

/** The step of that agent that will hand this id back: running, or in its list. */
export function selectReply(world: World, agent: AgentId, waiting: WaitingId | RequestId): StepRecord | null {
  const work = world.work[agent]
  const [ref] = (work && owedIn(world, agent, work).get(waiting)) ?? []
  return ref === undefined ? null : selectStep(world, ref.task, agent, ref.step)
}

const keptOwed = keeping<WorkRecord, ReadonlyMap<WaitingId | RequestId, StepRef[]>>()
/** The waiting ids that an agent must answer. What a step answers never changes, so this is valid as long as the list is. */
const owedIn = (world: World, agent: AgentId, work: WorkRecord): ReadonlyMap<WaitingId | RequestId, StepRef[]> =>
  keptOwed(work, [], () =>
    gather(refsIn(work), (ref) => {
      const waiting = selectStep(world, ref.task, agent, ref.step)?.answers?.waiting ?? null
      return waiting === null ? [] : [waiting]
    }),
  )

/** Steps, live ones and those that left the world, which are restored from the journal. */
import { Fault } from '@/lib/faults'
import { canReadStep, taskAccessOf } from '@/lib/mas/access/access'
import { decodeEntry } from '@/lib/mas/decode'
import { asId, type StepId, type TaskId } from '@/lib/mas/ids'
import { type AgentRecord, emptyWorld, type StepRecord, type World } from '@/lib/mas/records'
import { reduceStored } from '@/lib/mas/reduce/reduceAll'
import { stepsOfAll } from '@/lib/mas/steps/ownSteps'
import { bareId, findStep } from '@/lib/mas/team/agents'
import type { StepPage, StepPageQuery } from '@/lib/wire'
import type { RestoredTasks } from '@/server/engine/snapshots/restoredTasks'
import { takingTurns } from '@/server/shared/pieces'
import type { Archive } from '@/server/store'
import { notACursor, shown } from './resolve'
import { worldWithRestored } from './restoredWorld'

type FoundStep = { step: StepRecord; archived: boolean }

/** Entries that are read for one page at most. A page may be short; its cursor then leads further. */
const MOST_ENTRIES = 20_000
const ENTRIES_AT_ONCE = 1_000

/** A step that this person may read. Throws NOT_FOUND, also when they may not. */
export async function readStep(
  world: World,
  archive: Archive,
  past: RestoredTasks,
  person: AgentRecord,
  text: string,
): Promise<FoundStep> {
  const id = asId<StepId>(bareId(text))
  const found = await stepAnywhere(world, archive, past, id)
  const none = new Fault('NOT_FOUND', { what: 'step', id: shown(text) })
  if (!found) throw none
  const holding = await worldWithRestored(world, past, found.step.task)
  if (canReadStep(taskAccessOf(holding, person, found.step.task), found.step)) return found
  // Messages of a retired thread have left the world, so its owner is unknown.
  const { task, thread } = found.step
  const isOld = found.archived && thread !== null && holding.tasks[task]?.base === true && person.access !== 'none'
  if (isOld && (await past.tookPart(thread, person.id))) return found
  throw none
}

async function stepAnywhere(
  world: World,
  archive: Archive,
  past: Pick<RestoredTasks, 'step'>,
  id: StepId,
): Promise<FoundStep | null> {
  const live = findStep(world, id)
  if (live) return { step: live, archived: false }
  const found = await storedStep(archive, past, id)
  return found ? { step: found, archived: true } : null
}

/** A step as its entries say, whether it is in the world or not. */
export async function storedStep(
  archive: Archive,
  past: Pick<RestoredTasks, 'step'>,
  id: StepId,
): Promise<StepRecord | null> {
  const entries = await archive.entriesOf('step', id)
  const step = findStep(entries.map(decodeEntry).reduce(reduceStored, emptyWorld), id)
  return step ?? (await past.step(id))
}

/**
 * All steps of a task in the order of their creation, live ones and those that left.
 *
 * in      query: after: the cursor of the page before, or undefined; limit: at most so many steps; the others narrow what is given
 * out     next null: this is the last page
 */
export async function pageOfSteps(
  world: World,
  archive: Archive,
  past: Pick<RestoredTasks, 'step'>,
  person: AgentRecord,
  task: TaskId,
  { after, limit, ...wanted }: StepPageQuery,
): Promise<StepPage> {
  const reach = taskAccessOf(world, person, task)
  const isWanted = stepFilter(wanted)
  const turn = takingTurns()
  const steps: StepRecord[] = []
  let seq = cursorSeq(after)
  if (world.tasks[task]?.opened !== undefined) {
    const all = stepsOfAll(world.steps[task]).filter((step) => step.createdSeq > seq && isWanted(step))
    const page = all.sort((a, b) => a.createdSeq - b.createdSeq).slice(0, limit)
    return { steps: page, next: page.length < all.length ? `s${page.at(-1)?.createdSeq ?? seq}` : null }
  }
  for (let read = 0; read < MOST_ENTRIES; read += ENTRIES_AT_ONCE) {
    const entries = (await archive.entriesOf('task', task, seq, ENTRIES_AT_ONCE)).map(decodeEntry)
    for (const entry of entries) {
      seq = entry.seq
      const { event } = entry
      if (event.type !== 'step.added') continue
      await turn()
      // Only immutable fields are filtered on; restoring a removed step reads all its entries.
      if (!isWanted(event)) continue
      const found = await stepAnywhere(world, archive, past, event.step)
      if (found === null) continue
      if (canReadStep(reach, found.step)) steps.push(found.step)
      if (steps.length === limit) return { steps, next: `s${seq}` }
    }
    if (entries.length < ENTRIES_AT_ONCE) return { steps, next: null }
  }
  return { steps, next: `s${seq}` }
}

/** Whether the step that an event adds has these words in its intention or skill, and is of this agent. */
function stepFilter({
  agent,
  text = '',
}: Pick<StepPageQuery, 'agent' | 'text'>): (step: Pick<StepRecord, 'agent' | 'intention' | 'executor'>) => boolean {
  const words = text.trim().toLowerCase()
  const id = agent === undefined ? undefined : bareId(agent)
  return (step) =>
    (id === undefined || step.agent === id) &&
    [step.intention, step.executor].some((one) => one.toLowerCase().includes(words))
}

function cursorSeq(after: string | undefined): number {
  if (after === undefined) return 0
  const match = /^s(\d{1,15})$/.exec(after)
  if (!match) throw notACursor()
  return Number(match[1])
}

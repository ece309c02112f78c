/** What becomes of a job, as events of a stream: in the order of the journal, the same on every stream. */
import type { StreamResponse } from '@a2a-js/sdk'
import { isJobOver, type OutsideJob, selectJob } from '@/lib/mas/outside/jobs'
import type { MessageRecord, World } from '@/lib/mas/records'
import type { AdapterContext } from '../adapter'
import { type HeldJob, isAtRest, statusOf, taskArtifacts, taskOf } from './tasks'

type Watching = Pick<AdapterContext, 'engine' | 'bodies'>
/** fresh: messages to its agent since the step before */
type Step = { held: HeldJob; fresh: readonly MessageRecord[] }

/** The task first, then each change until it is over or the signal ends it. in: historyLength: undefined: all */
export async function* watchJob(
  context: Watching,
  held: HeldJob,
  signal: AbortSignal,
  historyLength?: number,
): AsyncGenerator<StreamResponse, void, undefined> {
  const steps = stepsOf(context, held, signal)
  try {
    // Nothing is missed while the task is read: the steps are noted from here on.
    const task = await taskOf(context, held, { historyLength, artifacts: true })
    yield { payload: { $case: 'task', value: task } }
    if (isJobOver(held.job)) return
    for await (const step of steps.all()) {
      yield* eventsOf(context, step)
      if (isJobOver(step.held.job)) return
    }
  } finally {
    steps.stop()
  }
}

/** Waits until it is over or asks something, or the signal ends the wait. out: as it is then */
export async function untilAtRest(context: Watching, held: HeldJob, signal: AbortSignal): Promise<HeldJob> {
  if (isAtRest(held.job)) return held
  let last = held
  const steps = stepsOf(context, held, signal)
  try {
    for await (const step of steps.all()) {
      last = step.held
      if (isAtRest(last.job)) break
    }
  } finally {
    steps.stop()
  }
  return last
}

/** Notes each change of the job from the call on. */
function stepsOf({ engine }: Watching, first: HeldJob, signal: AbortSignal) {
  const { id, conversation } = first.job
  const waiting: Step[] = []
  let last = first
  let isEnded = signal.aborted
  let wake = (): void => {}
  const end = (): void => {
    isEnded = true
    wake()
  }
  const look = (world: World): void => {
    if (isEnded || !mayDiffer(last.world, world, first.job)) return
    const job = selectJob(world, conversation.peer, id)
    if (job === null) {
      end()
      return
    }
    const known = new Set(last.job.said.map((one) => one.id))
    const fresh = job.said.filter((one) => one.sender !== conversation.agent && !known.has(one.id))
    const isSame = fresh.length === 0 && job.state === last.job.state && job.said.length === last.job.said.length
    last = { world, job }
    if (isSame) return
    waiting.push({ held: last, fresh })
    wake()
  }
  const stopLooking = engine.onDecision((_, world) => look(world))
  signal.addEventListener('abort', end, { once: true })
  // What was decided between the first look and this one.
  look(engine.world())
  return {
    async *all(): AsyncGenerator<Step, void, undefined> {
      for (;;) {
        const step = waiting.shift()
        if (step !== undefined) yield step
        else if (isEnded) return
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
    stop(): void {
      stopLooking()
      signal.removeEventListener('abort', end)
      end()
    },
  }
}

/** A job is read again only where one of these changed. */
const mayDiffer = (before: World, after: World, { conversation: { task } }: OutsideJob): boolean =>
  before.messages !== after.messages ||
  before.tasks !== after.tasks ||
  before.deliveries[task] !== after.deliveries[task] ||
  before.requests[task] !== after.requests[task]

async function* eventsOf(context: Watching, { held, fresh }: Step): AsyncGenerator<StreamResponse, void, undefined> {
  const { job } = held
  const at = { taskId: job.id, contextId: job.conversation.shared ?? '', metadata: undefined }
  for (const artifact of await taskArtifacts(context, job, fresh))
    yield { payload: { $case: 'artifactUpdate', value: { ...at, artifact, append: false, lastChunk: true } } }
  const shown = fresh.length === 0 ? [null] : fresh
  for (const [index, message] of shown.entries()) {
    // The state is that after the last of them.
    const state = index < shown.length - 1 ? 'working' : job.state
    const status = statusOf(held, state === 'input_required' ? undefined : message, state)
    yield { payload: { $case: 'statusUpdate', value: { ...at, status } } }
  }
}

/** What differs between two moments of a task, for one person. */

import { canReadMessage, canReadRequest, canReadStep, type TaskAccess } from '@/lib/mas/access/access'
import { threadsOf } from '@/lib/mas/access/visibility'
import { previewOf } from '@/lib/mas/bodies'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { MessageRecord, RequestRecord, StageRecord, World } from '@/lib/mas/records'
import { stepsOfAll } from '@/lib/mas/steps/ownSteps'
import { stepTitle } from '@/lib/mas/steps/stepTitle'
import { stageName } from '@/lib/mas/tasks/taskTitle'
import type { MomentCompare, MomentDifference, MomentState } from '@/lib/wire/http'
import { worldOfMoment } from './moments'
import { accessLevelOf, seesThreadsOnly } from './scopes'

/** Differences of a kind that are listed. */
const MOST = 50

type Held = { id: string; name: string; state: MomentState }

/** in: now: with the task in it; from, to: the task at two moments that the person may see */
export function compareMoments(now: World, task: TaskId, person: AgentId, from: World, to: World): MomentCompare {
  const isOfThreads = seesThreadsOnly(now, accessLevelOf(now, person) ?? 'own', task)
  const reader = isOfThreads ? person : null
  const [was, is] = [worldOfMoment(now, from, task, reader), worldOfMoment(now, to, task, reader)]
  const accessIn = (world: World): TaskAccess => ({
    person,
    upTo: Number.POSITIVE_INFINITY,
    threads: isOfThreads ? threadsOf(world, task, person) : null,
  })
  const both = (list: (world: World, access: TaskAccess) => Held[]) =>
    differing(list(was, accessIn(was)), list(is, accessIn(is)))
  return {
    stages: both((world) => Object.values<StageRecord>(world.stages[task] ?? {}).map(heldOfStage)),
    steps: both((world, access) =>
      stepsOfAll(world.steps[task])
        .filter((step) => canReadStep(access, step))
        .map((step) => ({ id: step.id, name: stepTitle(step, now.team.language), state: step.state })),
    ),
    messages: both((world, access) =>
      Object.values<MessageRecord>(world.messages[task] ?? {})
        .filter((message) => canReadMessage(access, message))
        .map(({ id, text }) => ({ id, name: previewOf(text), state: 'sent' })),
    ),
    requests: both((world, access) =>
      Object.values<RequestRecord>(world.requests[task] ?? {})
        .filter((request) => canReadRequest(access, request))
        .map(({ id, question, state }) => ({ id, name: previewOf(question), state })),
    ),
  }
}

const heldOfStage = (stage: StageRecord): Held => ({ id: stage.id, name: stageName(stage), state: stage.state })

function differing(was: readonly Held[], is: readonly Held[]): { count: number; newest: MomentDifference[] } {
  const [before, after] = [new Map(was.map((one) => [one.id, one])), new Map(is.map((one) => [one.id, one]))]
  const gone = was.filter(({ id }) => !after.has(id)).map(({ id, name, state }) => ({ id, name, was: state, is: null }))
  const other = is.flatMap(({ id, name, state }): MomentDifference[] => {
    const old = before.get(id)
    return old?.state === state ? [] : [{ id, name, was: old?.state ?? null, is: state }]
  })
  const all = [...gone, ...other]
  return { count: all.length, newest: all.slice(-MOST).reverse() }
}

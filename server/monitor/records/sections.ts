/** Which records the views of a task, of an agent and of a step hold, and who sees which. */

import { canReadMessage, canReadRequest, type TaskAccess } from '@/lib/mas/access/access'
import { involvedIn, threadOf, threadsOf, threadsSince } from '@/lib/mas/access/visibility'
import type { AgentId, StepId, TaskId, ThreadId } from '@/lib/mas/ids'
import type { InfoLine, OwnSteps, RequestRecord, StepRecord, TaskRecord, WorkRecord, World } from '@/lib/mas/records'
import { RECORD_IDS } from '@/lib/mas/records/recordIds'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import { findStep } from '@/lib/mas/team/agents'
import { memo, memoWith } from '@/lib/memo'
import { recordRow } from '@/lib/wire/records'
import type { ParsedRecordView } from '@/lib/wire/views'
import { scopeOf, seesTask, type ViewScope } from '../viewScope'
import { type Maps, type RowChanges, recordSection, type Section, type Sight } from './section'

export function sectionsOf(view: ParsedRecordView, scopeKey: string): readonly Section[] {
  switch (view.kind) {
    case 'task':
      return sectionsOfTask(view.task, scopeOf(scopeKey))
    case 'agent':
      return sectionsOfAgent(view.agent, scopeOf(scopeKey))
    case 'step':
      return sectionsOfStep(view.step)
  }
}

/** A map under a key of its own; no map: no records. */
const just = <Held>(map: Readonly<Record<string, Held>> | undefined): Maps<Held> =>
  map === undefined ? {} : { all: map }
const one = <Held>(record: Held | undefined): Maps<Held> => (record === undefined ? {} : { all: { one: record } })

/** All of them are seen, and each from its last change on. */
const byChange = <Held extends { changedAt: number }>(): Sight<Held> => ({
  basis: null,
  isSeen: () => true,
  seqOf: ({ changedAt }) => changedAt,
})

function sectionsOfTask(task: TaskId, scope: ViewScope): readonly Section[] {
  const person = scope.see === 'person' ? scope.person : null
  const sight = memo((world: World) => taskSight(world, task, person))
  return [
    teamSection,
    recordSection('task', (world) => one(world.tasks[task]), byChange, withoutThread),
    recordSection('stage', (world) => just(world.stages[task]), byChange),
    recordSection(
      'agent',
      (world) => just(world.agents),
      (world) => {
        // Each person knows each; agents are known where they take part, and where a plan may give a part to any of them.
        const involved = involvedIn(world, task)
        const planSeq = firstPlanSeq(world.requests[task], sight(world))
        return {
          basis: planSeq === null ? involved : withPlan(involved, planSeq),
          isSeen: ({ id, kind, removed }) =>
            kind === 'human' || Object.hasOwn(involved, id) || (planSeq !== null && kind === 'llm' && !removed),
          seqOf: ({ id, kind, changedAt }) =>
            Math.max(changedAt, involved[id] ?? (kind === 'human' ? 0 : (planSeq ?? 0))),
        }
      },
    ),
    recordSection(
      'message',
      (world) => just(world.messages[task]),
      (world) => {
        const { access, basis, threadSeq } = sight(world)
        return {
          basis,
          isSeen: (message) => canReadMessage(access, message),
          seqOf: (message) => Math.max(message.seq, threadSeq(threadOf(message))),
        }
      },
    ),
    recordSection(
      'delivery',
      (world) => world.deliveries[task] ?? {},
      (world) => {
        const { access, basis, threadSeq } = sight(world)
        const messages = world.messages[task]
        return {
          basis,
          isSeen: ({ message: id }) => {
            const message = messages?.[id]
            return message !== undefined && canReadMessage(access, message)
          },
          seqOf: ({ message: id, changedAt }) => {
            const message = messages?.[id]
            return message === undefined ? changedAt : Math.max(changedAt, threadSeq(threadOf(message)))
          },
        }
      },
    ),
    recordSection(
      'request',
      (world) => just(world.requests[task]),
      (world) => {
        const { access, basis, threadSeq } = sight(world)
        return {
          basis,
          isSeen: (request) => canReadRequest(access, request),
          seqOf: ({ changedAt, thread }) => (thread === null ? changedAt : Math.max(changedAt, threadSeq(thread))),
        }
      },
    ),
    // Lines come from all threads.
    ...(person === null ? [lineSection(task)] : []),
  ]
}

const plansIn = memo((requests: Record<string, RequestRecord>) => Object.values(requests).filter(({ plan }) => plan))
const withPlan = memoWith((involved: ReturnType<typeof involvedIn>, planSeq: number) => ({ involved, planSeq }))

/** Since which entry the viewer has read a plan in this task; null: there is none. */
function firstPlanSeq(
  requests: Record<string, RequestRecord> | undefined,
  { access, threadSeq }: TaskSight,
): number | null {
  if (requests === undefined) return null
  const seqs = plansIn(requests)
    .filter((request) => canReadRequest(access, request))
    .map(({ openedSeq, thread }) => (thread === null ? openedSeq : Math.max(openedSeq, threadSeq(thread))))
  return seqs.length === 0 ? null : Math.min(...seqs)
}

const teamSection: Section = recordSection(
  'team',
  (world) => one(world.team),
  ({ teamSeq }) => ({ basis: null, isSeen: () => true, seqOf: () => teamSeq }),
)

/** The thread in which the task was asked for, and what was asked there, are hidden: members may not be allowed to read it. */
export const withoutThread = memo((task: TaskRecord): TaskRecord => {
  if (task.requestedIn === null && task.start === undefined) return task
  const { start: _, ...rest } = task
  return { ...rest, requestedIn: null }
})

/** Lines come at the end and leave at the front, in the order of their entries: only those that differ are looked at. */
function lineSection(task: TaskId): Section {
  const linesOf = (world: World): readonly InfoLine[] => world.info[task] ?? NO_LINES
  const putAfter = (after: number, lines: readonly InfoLine[], set: RowChanges['set']): void => {
    for (let at = lines.length - 1; at >= 0; at--) {
      const line = lines[at]
      if (line === undefined || line.seq <= after) return
      const row = recordRow('line', { task, line })
      set.set(row.id, row)
    }
  }
  return {
    compare(before, after, { set, del }) {
      const was = linesOf(before)
      const is = linesOf(after)
      if (was === is) return
      putAfter(was.at(-1)?.seq ?? 0, is, set)
      const first = is[0]?.seq ?? Number.POSITIVE_INFINITY
      for (const { seq } of was) {
        if (seq >= first) return
        del.add(RECORD_IDS.line(task, seq))
      }
    },
    since: (world, after, { set }) => putAfter(after, linesOf(world), set),
  }
}
const NO_LINES: InfoLine[] = []

/**
 * What of a task's records a person sees.
 *
 * access     null threads: all of them
 * threadSeq  the entry with which they came to see that thread; 0 if they see all
 */
type TaskSight = { access: TaskAccess; basis: unknown; threadSeq: (thread: ThreadId) => number }

export function taskSight(world: World, task: TaskId, person: AgentId | null): TaskSight {
  const all = { upTo: Number.POSITIVE_INFINITY }
  if (person === null) {
    // What is for the two of a talk is for whoever sees the talk.
    const [reader = NOBODY] = world.tasks[task]?.talk ? world.tasks[task].group : []
    return { access: { ...all, person: reader, threads: null }, basis: null, threadSeq: () => 0 }
  }
  const threads = threadsOf(world, task, person)
  const since = threadsSince(world, task, person)
  return { access: { ...all, person, threads }, basis: listed(threads), threadSeq: (thread) => since.get(thread) ?? 0 }
}
/** It is asked only who sees all of the task: nobody's own records are looked for. */
const NOBODY = '' as AgentId
const listed = memo((threads: ReadonlySet<ThreadId>): string => [...threads].join())

function sectionsOfAgent(agent: AgentId, scope: ViewScope): readonly Section[] {
  // A task is a talk from its first entry on, so a record shown once stays as it is shown.
  const shownWork = memoWith((work: WorkRecord, isSeenTask: IsSeenTask) => ({ agent, ...workOf(work, isSeenTask) }))
  const seenIn = memo((tasks: World['tasks']): IsSeenTask => seesTask(scope, { tasks }))
  return [
    teamSection,
    recordSection('agent', (world) => one(world.agents[agent]), byChange),
    recordSection(
      'work',
      (world) => {
        const work = world.work[agent]
        return one(work === undefined ? undefined : shownWork(work, seenIn(world.tasks)))
      },
      // It changes with every step, and is one small row.
      ({ seq }) => ({ basis: null, isSeen: () => true, seqOf: () => seq }),
    ),
    recordSection(
      'note',
      (world) => just(notesByKey(world.memory[agent] ?? NO_NOTES, agent)),
      ({ tasks }) => {
        const isSeenTask = seenIn(tasks)
        return {
          basis: null,
          isSeen: ({ note }) => (note.task === null ? scope.see === 'all' : isSeenTask(note.task)),
          seqOf: ({ note }) => note.seq,
        }
      },
    ),
    recordSection(
      'step',
      (world) => {
        const maps: Record<string, OwnSteps> = {}
        const isSeenTask = seenIn(world.tasks)
        for (const [task, byAgent] of Object.entries(world.steps) as [TaskId, World['steps'][TaskId]][]) {
          const own = isSeenTask(task) ? byAgent[agent] : undefined
          if (own !== undefined) maps[task] = own
        }
        return maps
      },
      byChange,
    ),
  ]
}
type IsSeenTask = (task: TaskId) => boolean
const NO_NOTES: World['memory'][AgentId] = []
const noteOf = memoWith((note: World['memory'][AgentId][number], agent: AgentId) => ({ agent, note }))
const notesByKey = memoWith((notes: World['memory'][AgentId], agent: AgentId) =>
  Object.fromEntries(notes.map((note) => [`note ${note.key}`, noteOf(note, agent)])),
)

/** That an agent works, waits and for how long is seen by all who see the agent; on what, only by who sees the task. */
const workOf = (work: WorkRecord, isSeenTask: IsSeenTask): WorkRecord => ({
  ...work,
  locks: work.locks.map((lock) =>
    isSeenTask(lock.task) ? lock : { ...lock, on: null, message: null, request: null, stage: null },
  ),
})

/** A step, the one that it is bound to, and its agent: a tool step's state follows that of its instruction. */
function sectionsOfStep(step: StepId): readonly Section[] {
  const ownIn = memo((world: World): OwnSteps | null => {
    const found = findStep(world, step)
    return found === null ? null : (world.steps[found.task]?.[found.agent] ?? null)
  })
  return [
    recordSection(
      'agent',
      (world) => {
        const found = ownIn(world)
        const agent = found === null ? undefined : stepIn(found, step)?.agent
        return one(agent === undefined ? undefined : world.agents[agent])
      },
      byChange,
    ),
    recordSection(
      'step',
      (world): Maps<StepRecord> => {
        const own = ownIn(world)
        return own === null ? {} : { own }
      },
      (world) => {
        const own = ownIn(world)
        const boundTo = own === null ? null : (stepIn(own, step)?.boundTo ?? null)
        return {
          basis: boundTo,
          isSeen: (other) => other.id === step || other.boundTo === step || other.id === boundTo,
          seqOf: ({ changedAt }) => changedAt,
        }
      },
    ),
  ]
}

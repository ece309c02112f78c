/**
 * Days of a busy base task on a clock moved by hand: people ask, the manager works and answers, all is seen, what rests
 * leaves.
 *
 * Decisions, reducers and what leaves are the true ones; there is no store and no model.
 */
import { decide } from '@/lib/mas/commands'
import type { Command } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import { type AgentId, asId, type MessageId } from '@/lib/mas/ids'
import { selectNextStep } from '@/lib/mas/members'
import { type AgentConfig, emptyWorld, type World } from '@/lib/mas/records'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import { createEvictor, leavingDue } from '@/server/engine/duties/eviction'
import { createTimers } from '@/server/engine/duties/timers'
import type { CommitAnswer } from '@/server/engine/port'
import { handClock } from './handClock'
import { BASE_TASK, outcomeOf, planned, send, TEAM, teamConfig } from './worldHistories'

export type BaseDays = {
  threads: number
  entries: number
  messages: number
  steps: number
  /** The most that the world held at once, of the base task. */
  most: { messages: number; steps: number; deliveries: number }
  /** At the end. */
  world: World
  timersFired: number
}

const DAY_MS = 86_400_000
const ROUNDS = 3

const extra = (n: number): AgentConfig => ({
  ...TEAM.reader,
  id: asId<AgentId>(`00000000-0000-4000-8000-${String(10_000 + n).padStart(12, '0')}`),
  configId: `agent${n}`,
  name: `Agent ${n}`,
})

const sizeOf = (byAgent: Record<string, Record<string, unknown>> | undefined): number =>
  Object.values(byAgent ?? {}).reduce((sum, own) => sum + Object.keys(own).length, 0)

/** Each thread: three questions of a person, three answers, and what the manager does for them: 6 messages, 10 steps. */
export function simulateBaseDays(wish: {
  days: number
  threadsPerDay: number
  agents: number
  /** Told when half of the threads are over. */
  half?: (soFar: BaseDays) => void
}): BaseDays {
  const clock = handClock()
  const start = clock.now()
  let [world, commands] = [emptyWorld, 0]
  const most = { messages: 0, steps: 0, deliveries: 0 }
  const counts = { threads: 0, messages: 0, steps: 0 }

  const newId = (): string => {
    commands += 1
    return `c${commands}`
  }
  const commitSync = (by: string, command: Command, id = newId()): boolean => {
    const at = clock.now()
    const decided = decide(world, { id, by, command }, at)
    if (!decided.ok) return false
    const entries = decided.events.map((event, n): Entry => ({ seq: world.seq + 1 + n, at, by, cause: id, event }))
    // As the engine does: nothing is reduced twice.
    world = decided.world
    for (const { event } of entries) {
      if (event.type === 'message.sent') counts.messages += 1
      if (event.type === 'step.finished') counts.steps += 1
    }
    evictor.onEntries(entries, world)
    timers.onEntries()
    return true
  }
  const commit = async ({ id, by, command }: { id: string; by: string; command: Command }): Promise<CommitAnswer> => {
    commitSync(by, command, id)
    return { ok: true, seq: world.seq, reply: null }
  }
  const onMistake = (error: unknown): void => {
    throw error
  }
  const evictor = createEvictor({ commit, newId, onMistake })
  const timers = createTimers({
    due: leavingDue,
    world: () => world,
    commit,
    now: clock.now,
    schedule: clock.schedule,
    onMistake,
  })

  /** The manager runs what it has to; each answer goes to the one who asked. */
  function work(): void {
    for (;;) {
      const next = selectNextStep(world, TEAM.manager.id)
      if (!next) return
      const started = { type: 'startStep', step: next.id, agent: next.agent, node: 'n1', epoch: 1 } as const
      if (!commitSync('system:runner', started)) return
      const attempt = stepIn(world.steps[next.task]?.[next.agent], next.id)?.attempt?.number ?? 0
      const isAnswer = next.executor === 'send_message' && next.answers !== null
      const outcome = isAnswer
        ? outcomeOf({
            sync: {
              send_message: {
                receiver: [next.answers?.to ?? TEAM.ana.id],
                message: 'It is looked after; the files are counted and the result is in the folder.',
                stage_relative: 'no_relative',
                need_reply: false,
                waiting: false,
              },
            },
            steps: { insert: [], add: counts.steps % 9 < 4 ? [planned('think')] : [] },
          })
        : outcomeOf({})
      commitSync('system:runner', { type: 'finishStep', step: next.id, attempt, outcome, goOn: null })
    }
  }

  function thread(person: AgentId): void {
    counts.threads += 1
    let first: MessageId | null = null
    for (let round = 0; round < ROUNDS; round++) {
      const text = `Question ${round} of request ${counts.threads}: please count the lines of the list and say what is missing.`
      commitSync(person, send(person, [TEAM.manager.id], { text, kind: 'action', replyTo: first }))
      first ??= (Object.keys(world.messages[BASE_TASK] ?? {}).at(-1) as MessageId | undefined) ?? null
      clock.pass(10_000)
      work()
      const unseen = Object.values(world.deliveries[BASE_TASK]?.[person] ?? {}).filter((one) => one.shownAt === null)
      commitSync(person, { type: 'markShown', messages: unseen.map((one) => one.message) })
    }
    most.messages = Math.max(most.messages, Object.keys(world.messages[BASE_TASK] ?? {}).length)
    most.steps = Math.max(most.steps, sizeOf(world.steps[BASE_TASK]))
    most.deliveries = Math.max(most.deliveries, sizeOf(world.deliveries[BASE_TASK]))
  }

  const soFar = (): BaseDays => ({
    ...counts,
    entries: world.seq,
    most: { ...most },
    world,
    timersFired: clock.fired(),
  })

  const config = teamConfig()
  const others = Array.from({ length: wish.agents }, (_, n) => extra(n))
  commitSync('system:start', { ...config, agents: [...config.agents, ...others] })
  const people = [TEAM.ana.id, TEAM.ben.id, TEAM.lee.id]
  const pace = DAY_MS / wish.threadsPerDay
  const total = Math.round(wish.days * wish.threadsPerDay)
  for (let n = 0; n < total; n++) {
    thread(people[n % people.length] ?? TEAM.ana.id)
    clock.pass(Math.max(0, start + (n + 1) * pace - clock.now()))
    if (n + 1 === Math.floor(total / 2)) wish.half?.(soFar())
  }
  timers.stop()
  return soFar()
}

/** Teams that wait for each other, for tests of waits: a ring of agents, and one who waits for one. */

import fc from 'fast-check'
import { selectOutcome } from '@/lib/mas/asks/outcomes'
import { type AgentId, asId, type TaskId } from '@/lib/mas/ids'
import type { AgentConfig, LockRecord } from '@/lib/mas/records'
import { selectOperators } from '@/lib/mas/stages/judge'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import { selectWaits, type WaitEdge } from '@/lib/mas/waits/waits'
import { ANA, BEN, LEE, must, says } from './stories'
import { outcomeOf, planned, Story, TEAM, teamConfig } from './worldHistories'

const config = (n: number): AgentConfig => ({
  ...TEAM.reader,
  id: asId<AgentId>(`00000000-0000-4000-8000-${String(1_000 + n).padStart(12, '0')}`),
  configId: `member-${n}`,
  name: `Member ${n}`,
})

export type Ring = { story: Story; task: TaskId; members: AgentId[] }

/** A task of so many agents, in whose running stage each has one thing left to do: to send a message. */
export function teamOf(count: number): Ring {
  const story = new Story()
  const members = Array.from({ length: count }, (_, n) => config(n))
  const file = teamConfig()
  story.put('system:start', { ...file, agents: [...file.agents, ...members] })
  const ids = members.map(({ id }) => id)
  story.put(TEAM.ana.id, {
    type: 'makeTask',
    name: 'Ring',
    intention: 'Wait',
    manager: TEAM.manager.id,
    members: [...ids, TEAM.ben.id],
    stages: [{ intention: 'wait', allocation: Object.fromEntries(ids.map((id) => [id, 'wait'])) }],
    reason: 'a test',
  })
  const task = must(
    Object.values(story.world.tasks).find((one) => !one.base),
    'task',
  ).id
  for (const id of ids) {
    story.run(id, () =>
      outcomeOf({ steps: { insert: [], add: [planned('send_message'), planned('send_message'), planned('think')] } }),
    )
  }
  return { story, task, members: ids }
}

/** All of them send at once, each to the next and the last to the first, and wait. `before` runs while they all send. */
export function ringOf(count: number, before: (ring: Ring) => void = () => {}): Ring {
  const ring = teamOf(count)
  const { story, members } = ring
  const steps = members.map((id) => must(story.start(id), 'step that sends'))
  before(ring)
  steps.forEach((step, n) => {
    story.finish(step, says([must(members[(n + 1) % count], 'member')]))
  })
  return ring
}

/** The first member asks these, and waits. */
export function asks(ring: Ring, ...receivers: AgentId[]): void {
  const { story, members } = ring
  const step = must(
    story.run(must(members[0], 'member'), () => says(receivers)),
    'step that sends',
  )
  if (step.executor !== 'send_message') throw new Error(`it ran ${step.executor}`)
}

export const edgesOf = ({ story }: { story: Story }): readonly WaitEdge[] => selectWaits(story.world).edges
export const edgeOf = (ring: Ring, agent = ring.members[0]): WaitEdge =>
  must(
    edgesOf(ring).find((edge) => edge.agent === agent),
    'wait',
  )
export const lockOf = (ring: Ring, agent = ring.members[0]): LockRecord => edgeOf(ring, agent).lock

/** What the operators were told of waits and is not settled: one line per message and operator. */
export function toldOf({ story }: { story: Story }): string[] {
  const { world } = story
  return Object.values(world.messages).flatMap((messages) =>
    Object.values(messages).flatMap((message) =>
      message.dispatch.startsWith('blocked:')
        ? selectOperators(world).flatMap((operator) =>
            selectOutcome(world, message, operator)?.settledAt === null ? [message.text] : [],
          )
        : [],
    ),
  )
}

/** What may happen among those who wait: who, to whom, and what. */
export type WaitMove = { kind: number; a: number; b: number }

export const anyWaitMoves = (max = 60): fc.Arbitrary<WaitMove[]> =>
  fc.array(fc.record({ kind: fc.nat(99), a: fc.nat(999), b: fc.nat(999) }), { minLength: 20, maxLength: max })

/**
 * A team that asks each other and two people, is paused and goes on, is released, answered, asked back, handed over. One
 * in four begins as a circle: by chance alone too few would ever close one.
 */
export function walkWaits(moves: readonly WaitMove[], each: (ring: Ring) => void): Ring {
  const ring = (moves[0]?.b ?? 1) % 4 === 0 ? ringOf(4) : teamOf(4)
  ring.story.put(ANA, { type: 'changeParticipants', task: ring.task, add: [LEE], remove: [], reason: 'he helps' })
  each(ring)
  for (const move of moves) {
    happen(ring, move)
    each(ring)
  }
  return ring
}

function happen(ring: Ring, { kind, a, b }: WaitMove): void {
  const { story, task, members } = ring
  const agent = must(members[a % members.length], 'member')
  if (kind < 65) {
    goOn(ring, agent, b)
    return
  }
  if (kind < 73) {
    const type = story.world.agents[agent]?.paused ? 'resumeAgent' : 'pauseAgent'
    story.put(ANA, { type, agent, reason: 'look first' })
    return
  }
  if (kind < 76) {
    const type = story.world.tasks[task]?.paused ? 'resumeTask' : 'pauseTask'
    story.put(ANA, { type, task, reason: 'look first' })
    return
  }
  if (kind < 80) {
    const edges = edgesOf(ring)
    const edge = edges[b % Math.max(1, edges.length)]
    if (edge) story.put(ANA, { type: 'releaseWait', agent: edge.agent, waiting: edge.lock.id, reason: 'it is late' })
    return
  }
  const open = story.openRequests().filter((request) => request.kind === 'answer')
  const request = open[b % Math.max(1, open.length)]
  if (!request) return
  const by = must(request.asked[a % request.asked.length], 'one who is asked')
  if (kind < 90) {
    story.put(by, {
      type: 'answerRequest',
      request: request.id,
      decision: 'answer',
      text: 'that one',
      arguments: null,
      digest: null,
    })
  } else if (kind < 94) story.put(by, { type: 'askBack', request: request.id, text: 'Which of them?' })
  else if (request.transfer)
    story.put(request.transfer.to, { type: 'settleHandOver', handOver: request.transfer.id, accept: b % 2 === 0 })
  else story.put(by, { type: 'handOver', to: by === BEN ? LEE : BEN, requests: [request.id], sentence: 'I am away.' })
}

/** The agent begins its next step, or ends the one that runs. */
function goOn({ story, task, members }: Ring, agent: AgentId, b: number): void {
  const ref = story.world.work[agent]?.running
  if (!ref) {
    story.start(agent)
    return
  }
  const step = must(stepIn(story.world.steps[task]?.[agent], ref.step), 'step that runs')
  const others = [...members.filter((id) => id !== agent), BEN, LEE]
  const receivers = [others[b % others.length], ...(b % 5 === 0 ? [others[(b + 1) % others.length]] : [])]
  if (step.executor !== 'send_message') {
    story.finish(step, outcomeOf({ steps: { add: [], insert: b % 2 === 0 ? [planned('send_message')] : [] } }))
  } else if (b % 11 === 0) story.finish(step, outcomeOf({ state: 'failed', reason: 'it went wrong' }))
  else if (b % 13 === 0) story.finish(step, outcomeOf({}))
  else
    story.finish(
      step,
      says(
        receivers.flatMap((id) => id ?? []),
        { waiting: step.answers === null },
      ),
    )
}

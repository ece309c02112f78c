/** Teams whose members wait for each other and for people, and what may happen around an answer, for tests of what it reaches. */
import fc from 'fast-check'
import type { AgentId } from '@/lib/mas/ids'
import type { RequestRecord, StepRecord } from '@/lib/mas/records'
import { stepIn, stepsIn } from '@/lib/mas/steps/ownSteps'
import { ANA, LEE, must, says } from './stories'
import { type Ring, teamOf } from './waitStories'
import { outcomeOf, planned, send, TEAM } from './worldHistories'

/** Who, what, and a third choice. */
export type AnswerMove = { kind: number; a: number; b: number }

export const anyAnswerMoves = (max = 90): fc.Arbitrary<AnswerMove[]> =>
  fc.array(fc.record({ kind: fc.nat(99), a: fc.nat(999), b: fc.nat(999) }), {
    minLength: 40,
    maxLength: max,
    size: 'max',
  })

const { ben } = TEAM
const PLAN = ['send_message', 'quick_think', 'send_message', 'ask_info', 'think', 'reflection'].map((one) =>
  planned(one),
)

/** A task with three members in two stages; the first runs. */
export function walkAnswers(moves: readonly AnswerMove[]): Ring {
  const ring = teamOf(3)
  const { story, task, members } = ring
  story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
  const again = { intention: 'again', allocation: Object.fromEntries(members.map((id) => [id, 'again'])) }
  story.put(ANA, { type: 'addStages', task, stages: [again], reason: 'more to do' })
  for (const move of moves) happen(ring, move)
  return ring
}

function happen(ring: Ring, { kind, a, b }: AnswerMove): void {
  const { story, task, members } = ring
  const agent = must(members[a % members.length], 'member')
  const reason = 'as I see it'
  if (kind < 55) goOn(ring, agent, b)
  else if (kind < 80) {
    const open = story.openRequests().filter((one) => one.kind === 'answer' && one.task === task)
    const request = open[b % Math.max(1, open.length)]
    if (request) answer(ring, request, a)
  } else if (kind < 85) {
    story.put(ANA, { type: story.world.agents[agent]?.paused ? 'resumeAgent' : 'pauseAgent', agent, reason })
  } else if (kind < 88) {
    story.put(ANA, { type: story.world.tasks[task]?.paused ? 'resumeTask' : 'pauseTask', task, reason })
  } else if (kind < 92) {
    const own = stepsIn(story.world.steps[task]?.[agent])
    const replies = own.filter(({ state, answers }) => state === 'init' && (answers !== null || b % 4 === 0))
    const step = replies[b % Math.max(1, replies.length)]
    if (step) story.put(ANA, { type: 'cancelStep', step: step.id, reason })
  } else if (kind < 95) {
    const failed = stepsIn(story.world.steps[task]?.[agent]).filter(({ state }) => state === 'failed')
    const step = failed[b % Math.max(1, failed.length)]
    if (step) story.put(ANA, { type: 'retryStep', step: step.id, reason })
  } else if (kind < 98) {
    const told = Object.values(story.world.messages[task] ?? {}).filter(({ receivers }) => receivers.includes(agent))
    const message = told[b % Math.max(1, told.length)]
    if (message) story.put(ANA, { type: 'readNow', agent, message: message.id, reason })
  } else {
    const stage = Object.values(story.world.stages[task] ?? {}).find((one) => one.state === 'running')
    if (stage) story.put(ANA, { type: 'finishStage', stage: stage.id, reason })
  }
}

/** On the card, or in words of the chat, which may want a reply or wait for one. */
function answer({ story, task, members }: Ring, request: RequestRecord, a: number): void {
  const by = must(request.asked[a % request.asked.length], 'one who is asked')
  const asker = members.find((id) => id === request.asker)
  const words = { task, text: `the words ${a}`, kind: a % 4 === 0 ? 'fyi' : a % 4 === 3 ? 'urgent' : 'action' } as const
  if (a % 3 === 0 || asker === undefined) {
    const text = `on the card ${a}`
    story.put(by, {
      type: 'answerRequest',
      request: request.id,
      decision: 'answer',
      text,
      arguments: null,
      digest: null,
    })
  } else story.put(by, send(by, [asker], { ...words, answers: a % 3 === 1 ? request.id : 'oldest' }))
}

/** The agent begins its next step, or ends the one that runs. */
function goOn({ story, members }: Ring, agent: AgentId, b: number): void {
  const ref = story.world.work[agent]?.running
  if (!ref) {
    story.start(agent)
    return
  }
  const step = must(stepIn(story.world.steps[ref.task]?.[agent], ref.step), 'step that runs')
  if (b % 29 === 0) {
    story.put('system:recovery', { type: 'recoverStep', step: step.id, again: b % 2 === 0, reason: 'stopped' })
  } else if (b % 17 === 0) story.finish(step, outcomeOf({ state: 'failed', reason: 'it went wrong' }))
  else story.finish(step, outcomeFor(step, [...members.filter((id) => id !== agent), ben.id, LEE], b), b % 2 === 0)
}

function outcomeFor(step: StepRecord, others: readonly AgentId[], b: number) {
  switch (step.executor) {
    case 'planning':
      return outcomeOf({ steps: { insert: [], add: PLAN } })
    case 'reflection':
      return b % 3 === 0
        ? outcomeOf({ sync: { update_stage_agent_completion: { summary: 'all done' } } })
        : outcomeOf({ steps: { insert: [], add: PLAN } })
    case 'send_message': {
      const receivers = [others[b % others.length], ...(b % 5 === 0 ? [others[(b + 1) % others.length]] : [])]
      const more = { waiting: step.answers === null, need_reply: b % 2 === 0, message: `words ${b}` }
      return says([...new Set(receivers.flatMap((id) => id ?? []))], more)
    }
    case 'ask_info':
      return outcomeOf({ sync: { ask_info: { type: 'agents_in_mas' } } })
    case 'process_message':
      return outcomeOf({ steps: { add: [], insert: b % 3 === 0 ? [planned('quick_think')] : [] } })
    default:
      return outcomeOf({})
  }
}

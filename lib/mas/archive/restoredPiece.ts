/** The newest records of a conversation, as many as an entry may hold, for when its next message restores it. */

import type { AgentId, MessageId, TaskId } from '../ids'
import type { DeliveryRecord, MessageRecord, OwnSteps, RequestRecord, World } from '../records'
import { stepsOfAll } from '../steps/ownSteps'
import type { TaskPiece } from './branches'
import { withEvicted } from './evictedLanes'

const MOST_MESSAGES = 100
const MOST_STEPS = 60
/** Characters of JSON, of each of the two. */
const MOST_CHARACTERS = 250_000

/** The newest of them that fit together. */
function newest<Item>(items: Item[], most: number, seqOf: (item: Item) => number): Item[] {
  const kept: Item[] = []
  let room = MOST_CHARACTERS
  for (const item of [...items].sort((a, b) => seqOf(b) - seqOf(a)).slice(0, most)) {
    room -= JSON.stringify(item).length
    if (room < 0 && kept.length > 0) break
    kept.push(item)
  }
  return kept.reverse()
}

/** Calls that were under way and open requests are over: a task rests only when they are. What became of its messages is told by some. */
export function selectRestoredPiece(task: TaskId, piece: TaskPiece): TaskPiece {
  const messages = newest(Object.values(piece.messages ?? {}) as MessageRecord[], MOST_MESSAGES, (one) => one.seq)
  const steps = newest(stepsOfAll(piece.steps), MOST_STEPS, (one) => one.createdSeq)
  const shown = new Set(messages.map((message) => message.id))
  const deliveries: World['deliveries'][TaskId] = {}
  for (const [agent, own] of Object.entries(piece.deliveries ?? {}) as [AgentId, Record<MessageId, DeliveryRecord>][]) {
    deliveries[agent] = Object.fromEntries(Object.entries(own).filter(([id]) => shown.has(id as MessageId)))
  }
  const asks = Object.values<RequestRecord>(piece.requests ?? {}).filter(
    ({ number, message }) => number === null && message !== null && shown.has(message),
  )
  const left = stepsOfAll(piece.steps).filter((step) => !steps.includes(step))
  const evicted = withEvicted(piece.evicted ?? {}, left)
  const byAgent: Record<AgentId, OwnSteps> = {}
  for (const step of steps) byAgent[step.agent] = { ...byAgent[step.agent], [step.id]: step }
  return {
    tasks: piece.tasks && { ...piece.tasks, id: task },
    ...(piece.stages === undefined ? {} : { stages: piece.stages }),
    ...(piece.involved === undefined ? {} : { involved: piece.involved }),
    messages: Object.fromEntries(messages.map((message) => [message.id, message])),
    deliveries,
    requests: Object.fromEntries(asks.map((request) => [request.id, request])),
    steps: byAgent,
    ...(piece.requestCounts === undefined ? {} : { requestCounts: piece.requestCounts }),
    ...(piece.stepCounts === undefined ? {} : { stepCounts: piece.stepCounts }),
    ...(Object.keys(evicted).length === 0 ? {} : { evicted }),
    ...(piece.budgets === undefined ? {} : { budgets: piece.budgets }),
  }
}

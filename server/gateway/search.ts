/**
 * Finding things by words or by id, among what a person may read. Pure.
 *
 * Owns: what is looked at, how a hit is ranked, how many are given. Not here: the route (routes/search.ts).
 * It reads the world as it is: words are found in any script, Chinese too, because nothing is cut into words. What left the
 * world is found by its task.
 */
import { type SenderId, SYSTEM_TASK } from '@/lib/mas/ids'
import type {
  AgentRecord,
  MessageRecord,
  RequestRecord,
  StageRecord,
  StepRecord,
  TaskRecord,
  World,
} from '@/lib/mas/records'
import { bareId, selectName } from '@/lib/mas/selectors/agents'
import type { SearchHit } from '@/lib/wire'
import { type Reach, reachesMessage, reachesRequest, reachesStep, reachOf, seesAll } from './rights'

/** Hits of one kind; the newest and best stay. */
const PER_KIND = 8
/** Characters of a text around the place that was found. */
const AROUND = 60

type Found = SearchHit & { rank: number }

/**
 * in      person: whose reach it is; query: words, all of which must be there, or one id of anything
 * out     the best hits of each kind, tasks and agents first
 */
export function searchWorld(world: World, person: AgentRecord, query: string): SearchHit[] {
  const words = query.toLocaleLowerCase().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return []
  const id = bareId(query.trim())
  const best = new Best(words, id)
  for (const agent of Object.values<AgentRecord>(world.agents)) {
    if (agent.removed || !(seesAll(person) || sharesTask(world, person, agent))) continue
    best.look({ kind: 'agent', id: agent.id, task: null, title: agent.name, at: 0 }, [agent.name, agent.role])
  }
  for (const task of Object.values<TaskRecord>(world.tasks)) {
    const reach = reachOf(world, person, task.id)
    if (reach !== null) lookInTask(world, person, task, reach, best)
  }
  return best.hits()
}

const sharesTask = (world: World, person: AgentRecord, agent: AgentRecord): boolean =>
  Object.values<TaskRecord>(world.tasks).some(({ group }) => group.includes(person.id) && group.includes(agent.id))

function lookInTask(world: World, person: AgentRecord, task: TaskRecord, reach: Reach, best: Best): void {
  const nameOf = (id: SenderId): string => (id === SYSTEM_TASK ? task.name : selectName(world, id))
  best.look({ kind: 'task', id: task.id, task: task.id, title: task.name, at: task.createdAt }, [
    task.name,
    task.intention,
  ])
  for (const stage of Object.values<StageRecord>(world.stages[task.id] ?? {})) {
    best.look({ kind: 'stage', id: stage.id, task: task.id, title: task.name, at: stage.startedAt ?? task.createdAt }, [
      stage.intention,
    ])
  }
  for (const message of Object.values<MessageRecord>(world.messages[task.id] ?? {})) {
    if (!reachesMessage(reach, message)) continue
    best.look({ kind: 'message', id: message.id, task: task.id, title: nameOf(message.sender), at: message.at }, [
      message.text,
    ])
  }
  for (const request of Object.values<RequestRecord>(world.requests[task.id] ?? {})) {
    if (!reachesRequest(reach, request, person.id)) continue
    best.look({ kind: 'request', id: request.id, task: task.id, title: nameOf(request.asker), at: request.openedAt }, [
      request.question,
    ])
  }
  for (const steps of Object.values<Record<string, StepRecord>>(world.steps[task.id] ?? {})) {
    for (const step of Object.values<StepRecord>(steps)) {
      if (!reachesStep(reach, step)) continue
      best.look({ kind: 'step', id: step.id, task: task.id, title: nameOf(step.agent), at: step.createdAt }, [
        step.intention || step.executor,
        step.executor,
      ])
    }
  }
}

/** Keeps the best hits of each kind. */
class Best {
  readonly #words: readonly string[]
  readonly #id: string
  readonly #kept = new Map<SearchHit['kind'], Found[]>()

  constructor(words: readonly string[], id: string) {
    this.#words = words
    this.#id = id
  }

  look(about: Omit<SearchHit, 'text'>, texts: readonly string[]): void {
    const isIt = about.id === this.#id
    const text = isIt ? texts[0] : texts.find((one) => this.#holds(one))
    if (text === undefined) return
    const first = this.#words[0] ?? ''
    const at = text.toLocaleLowerCase().indexOf(first)
    // An id names one thing; a beginning beats a middle; among equals the newer.
    const rank = (isIt ? 4 : 0) + (at === 0 ? 2 : 0) + (about.title.toLocaleLowerCase().startsWith(first) ? 1 : 0)
    const found: Found = { ...about, text: cutAround(text, Math.max(at, 0)), rank }
    const kept = [...(this.#kept.get(about.kind) ?? []), found].sort((a, b) => b.rank - a.rank || b.at - a.at)
    this.#kept.set(about.kind, kept.slice(0, PER_KIND))
  }

  #holds(text: string): boolean {
    const lower = text.toLocaleLowerCase()
    return this.#words.every((word) => lower.includes(word))
  }

  hits(): SearchHit[] {
    return KINDS.flatMap((kind) => this.#kept.get(kind) ?? []).map(({ rank: _, ...hit }) => hit)
  }
}

const KINDS: readonly SearchHit['kind'][] = ['task', 'agent', 'request', 'message', 'stage', 'step']

/** One line of the text, with the place that was found in it. */
function cutAround(text: string, at: number): string {
  const line = text.replace(/\s+/gu, ' ')
  const from = Math.max(0, Math.min(at, line.length) - AROUND)
  const to = Math.min(line.length, at + AROUND * 2)
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}

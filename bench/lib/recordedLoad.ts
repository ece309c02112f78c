/**
 * Load as a list of decisions, each with the world after it: made once by a true engine over a store in memory, to be
 * played again as often as one likes at whatever pace.
 */
import { randomUUID } from 'node:crypto'
import type { Entry } from '@/lib/mas/events'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { AgentConfig, World } from '@/lib/mas/records'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { openBenchEngine } from './benchEngine'

export type Decision = { entries: Entry[]; world: World }
/** `before`: the world with the team, its viewers and the tasks; the agents have not begun. */
export type RecordedLoad = { viewers: AgentId[]; before: World; decisions: Decision[]; entries: number }

const viewer = (n: number): AgentConfig => ({
  id: asId<AgentId>(randomUUID()),
  configId: `viewer${n}`,
  kind: 'human',
  name: `Viewer ${n}`,
  role: 'operator',
  profile: '',
  groups: [],
  manager: false,
  mayWait: false,
  model: 'default',
  skills: [],
  tools: [],
  access: 'operator',
})

/** Each viewer is an operator of their own, so rows of `me` and `overview` are made for each. */
export async function recordLoad(wish: {
  viewers: number
  agents: number
  tasks: number
  stepsPerAgent: number
}): Promise<RecordedLoad> {
  const people = Array.from({ length: wish.viewers }, (_, n) => viewer(n + 1))
  const { engine, load, mistakes, stop } = await openBenchEngine({ store: memoryStore({ data: memoryData() }), people })
  const decisions: Decision[] = []
  let over = 0
  const allOver = new Promise<void>((resolve) => {
    engine.onDecision((entries, world) => {
      decisions.push({ entries, world })
      over += entries.filter(({ event }) => event.type === 'task.finished').length
      if (over === wish.tasks) resolve()
    })
  })
  await load(wish)
  await allOver
  await stop()
  const first = decisions.findIndex(({ world }) => Object.keys(world.tasks).length === wish.tasks + 1)
  const before = decisions[first]?.world
  if (before === undefined || mistakes.length > 0) throw new Error(mistakes[0] ?? 'the load was not made')
  const rest = decisions.slice(first + 1)
  const entries = rest.reduce((sum, decision) => sum + decision.entries.length, 0)
  return { viewers: people.map(({ id }) => id), before, decisions: rest, entries }
}

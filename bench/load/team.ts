/** The agents and tasks of a load, by commands of an operator of the team. */
import * as z from 'zod'
import type { Command, CommandOf } from '@/lib/mas/commands/command'
import { type AgentId, asId, type TaskId } from '@/lib/mas/ids'
import type { AgentRecord, Json, TaskRecord, World } from '@/lib/mas/records'
import { agentSetup } from '@/lib/mas/setup/schemas/members'
import { isTaskOver } from '@/lib/mas/statuses'
import { isOperator } from '@/lib/mas/team/agents'
import type { Engine } from '@/server/engine/port'
import { LOAD_MODEL } from './counting'

const MOST_CHANGES = 200
/** As many as an agent may ever have in a part. */
const MOST_STEPS = 10_000
const Made = z.object({ task: z.string() })

/** Both throw what the command is refused with. */
type LoadTeam = {
  /** So many agents of loads without open work; those that are missing are added to the team. */
  agents(count: number): Promise<AgentId[]>
  /** A task of these agents; the first manages it. */
  task(name: string, agents: AgentId[], goal: string): Promise<TaskId>
}

export function openLoadTeam({ world, commit }: Pick<Engine, 'commit' | 'world'>, newId: () => string): LoadTeam {
  async function put(command: Command): Promise<Json> {
    const operator = Object.values<AgentRecord>(world().agents).find(
      ({ id, kind }) => kind === 'human' && isOperator(world(), id),
    )
    if (operator === undefined) throw new Error('the team has no operator who makes a load')
    const answer = await commit({ id: newId(), by: operator.id, command })
    if (!answer.ok) throw answer.fault
    return answer.reply
  }
  return {
    async agents(count) {
      const all = agentsOfLoads(world())
      const busy = busyIn(world())
      const free = all.filter((id) => !busy.has(id)).slice(0, count)
      const added = Array.from({ length: count - free.length }, (_, n) => ({
        number: all.length + n + 1,
        id: asId<AgentId>(newId()),
      }))
      for (let from = 0; from < added.length; from += MOST_CHANGES)
        await put({ type: 'changeSetup', changes: added.slice(from, from + MOST_CHANGES).map(changeOf) })
      return [...free, ...added.map(({ id }) => id)]
    },
    async task(name, agents, goal) {
      const [manager] = agents
      if (manager === undefined) throw new Error('a load has a task without agents')
      const stage = { intention: goal, allocation: Object.fromEntries(agents.map((agent) => [agent, goal])) }
      const made = { type: 'makeTask' as const, name, intention: goal, manager, members: agents, stages: [stage] }
      return asId<TaskId>(Made.parse(await put({ ...made, reason: 'For a measurement.' })).task)
    },
  }
}

const agentsOfLoads = ({ agents }: World): AgentId[] =>
  Object.values<AgentRecord>(agents).flatMap(({ id, model, removed }) => (model === LOAD_MODEL && !removed ? id : []))

const busyIn = ({ tasks }: World): ReadonlySet<AgentId> =>
  new Set(Object.values<TaskRecord>(tasks).flatMap((task) => (task.base || isTaskOver(task) ? [] : task.group)))

type Added = { number: number; id: AgentId }
const changeOf = ({ number, id: agent }: Added): CommandOf<'changeSetup'>['changes'][number] => {
  const about = { name: `load ${number}`, role: 'load', profile: 'Counts, for a measurement.', model: LOAD_MODEL }
  const value = { ...agentSetup.parse({ ...about, limits: { stepsPerPart: MOST_STEPS } }), agent }
  return { kind: 'agent', id: `load-${number}`, seen: null, value }
}

/** The stages of a plan as people read and change them: JSON that names agents. */
import { Fault } from '@/lib/faults'
import { jsonOrText } from '@/lib/json'
import { bodyOf } from '@/lib/mas/bodies'
import { withNotesOf, withoutNotes } from '@/lib/mas/builtInNotes'
import type { AgentId } from '@/lib/mas/ids'
import type { HeldPlan, NewStage, World } from '@/lib/mas/records'
import { stageNameFrom } from '@/lib/mas/tasks/taskTitle'
import { agentHandle } from '@/lib/mas/team/handles'
import type { ArgumentsAnswer } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { resolveKnownAgent } from './resolve'
import { readArguments } from './toolArguments'

/** in: the stages that began instead, if they were changed */
export function shownPlan(world: World, plan: HeldPlan, changed: readonly NewStage[] | undefined): ArgumentsAnswer {
  const { json, text, digest } = shown(world, plan.stages)
  const ran = changed === undefined ? null : shown(world, changed)
  return { json, text, digest, schema: null, ran: ran && { json: ran.json, text: ran.text } }
}

function shown(world: World, stages: readonly NewStage[]) {
  const nameOf = (id: AgentId): string => {
    const agent = world.agents[id]
    return agent === undefined ? id : agentHandle(world, agent)
  }
  const entries = <Value, Shown>(values: Record<AgentId, Value>, show: (value: Value) => Shown) =>
    Object.fromEntries((Object.entries(values) as [AgentId, Value][]).map(([id, value]) => [nameOf(id), show(value)]))
  const written = stages.map(({ name, intention, allocation, needs }) => ({
    ...(name === undefined ? {} : { name }),
    intention,
    allocation: entries(allocation, withoutNotes),
    ...(needs === undefined ? {} : { needs: entries(needs, (others) => others.map(nameOf)) }),
  }))
  const text = JSON.stringify({ stages: written }, null, 2)
  return { json: jsonOrText(text), text, digest: bodyOf(text, 'application/json').ref.sha }
}

/** Changed stages, as JSON text. Throws BAD_ARGUMENTS, TOO_LARGE, NOT_FOUND (agent). */
export function writtenPlan(world: World, plan: HeldPlan, text: string): NewStage[] {
  const read = schemas.postedPlan.safeParse(readArguments(text).json)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new Fault('BAD_ARGUMENTS', { why: `${issue?.path.join('.') ?? 'stages'}: ${issue?.message ?? 'unfit'}` })
  }
  const idOf = (agent: string): AgentId => resolveKnownAgent(world, agent).id
  return read.data.stages.map(({ name = '', intention, allocation: written, needs }, at) => {
    const named = stageNameFrom(name)
    const allocation = Object.fromEntries(Object.entries(written).map(([agent, goal]) => [idOf(agent), goal]))
    return {
      ...(named === '' ? {} : { name: named }),
      intention,
      allocation: withNotesOfPlan(allocation, plan.stages[at]?.allocation ?? {}),
      ...(needs === undefined
        ? {}
        : {
            needs: Object.fromEntries(Object.entries(needs).map(([agent, others]) => [idOf(agent), others.map(idOf)])),
          }),
    }
  })
}

/** The notes of the built-in model, which people do not see, stay with a goal: also where another agent gets the part. */
function withNotesOfPlan(allocation: NewStage['allocation'], before: NewStage['allocation']): NewStage['allocation'] {
  const agents = Object.keys(allocation) as AgentId[]
  const left = (Object.keys(before) as AgentId[]).filter((agent) => allocation[agent] === undefined)
  const come = agents.filter((agent) => before[agent] === undefined)
  const whoseWas = (agent: AgentId): AgentId | undefined =>
    before[agent] === undefined ? left[come.indexOf(agent)] : agent
  return Object.fromEntries(
    agents.map((agent) => {
      const was = whoseWas(agent)
      return [agent, withNotesOf(allocation[agent] ?? '', (was === undefined ? undefined : before[was]) ?? '')]
    }),
  )
}

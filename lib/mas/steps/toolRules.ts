/** Operators' standing rules for the calls of a tool, in a task or by an agent. Of several the strictest counts. */
import type { AgentId, TaskId } from '../ids'
import type { HeldCall, TaskRecord, ToolRule, ToolRuled, World } from '../records'
import { isTaskOver } from '../statuses'

type Tool = Pick<HeldCall, 'server' | 'tool'>
type Records = Pick<World, 'tasks' | 'agents'>
/** Of a step: its task and its agent. */
type Caller = { task: TaskId; agent: AgentId }
/** Whose rule it is. */
export type RuleOwner = { task: TaskId } | { agent: AgentId }

export const rulesOf = (world: Records, owner: RuleOwner): readonly ToolRule[] =>
  ('task' in owner ? world.tasks[owner.task] : world.agents[owner.agent])?.toolRules ?? []

export const toolRuleOf = (rules: readonly ToolRule[], { server, tool }: Tool): ToolRule | null =>
  rules.find((one) => one.server === server && one.tool === tool) ?? null

/** in: the rules before; out: with the one that was set, or without the one that ended. at: epoch ms */
export function withToolRule(
  rules: readonly ToolRule[] | undefined,
  { server, tool, rule, endsAt, definition, by }: ToolRuled,
  at: number,
): ToolRule[] {
  const others = (rules ?? []).filter((one) => one.server !== server || one.tool !== tool)
  if (rule === null || by === null) return others
  const ends = { ...(endsAt === undefined ? {} : { endsAt }), ...(definition === undefined ? {} : { definition }) }
  return [...others, { server, tool, rule, ...ends, by, at }]
}

const STRICTNESS: Record<ToolRule['rule'], number> = { off: 3, urgent: 2, ask: 1, allow: 0 }

export type OwnedRule = { owner: RuleOwner; rule: ToolRule }

/** Those that hold for a call, the strictest first; of equals that of the task. Rules past their end, which an entry will remove, count until then. */
export function rulesFor(world: Records, { task, agent }: Caller, tool: Tool): OwnedRule[] {
  const owners: RuleOwner[] = [{ task }, { agent }]
  return owners
    .flatMap((owner): OwnedRule[] => {
      const rule = toolRuleOf(rulesOf(world, owner), tool)
      return rule === null ? [] : [{ owner, rule }]
    })
    .sort((a, b) => STRICTNESS[b.rule.rule] - STRICTNESS[a.rule.rule])
}

/** The rule that says how a call is asked about, or that it does not run; null: none is stricter than the configuration. */
export function strictRuleFor(world: Records, caller: Caller, tool: Tool): ToolRule | null {
  const [first] = rulesFor(world, caller, tool)
  return first === undefined || first.rule.rule === 'allow' ? null : first.rule
}

/** at: epoch ms; a rule ends as its time is reached. */
const isOver = ({ endsAt }: ToolRule, at: number): boolean => endsAt !== undefined && endsAt <= at

/** The rule by which this call runs without asking; null: there is none, or a rule or the configuration is stricter. */
export function allowingRule(
  world: Records,
  caller: Caller,
  call: Tool & Pick<HeldCall, 'always' | 'definition'>,
  at: number,
): OwnedRule | null {
  const rules = rulesFor(world, caller, call)
  if (call.always === true || rules.some(({ rule }) => rule.rule !== 'allow')) return null
  return rules.find(({ rule }) => !isOver(rule, at) && isSameTool(rule, call)) ?? null
}

/** The tool is defined as it was when it was allowed. */
const isSameTool = (rule: ToolRule, { definition }: Pick<HeldCall, 'definition'>): boolean =>
  rule.definition !== undefined && rule.definition === definition

/** Rules that allowed another definition of this tool, which nobody has seen. */
export const outdatedRules = (world: Records, caller: Caller, call: Tool & Pick<HeldCall, 'definition'>): OwnedRule[] =>
  rulesFor(world, caller, call).filter(({ rule }) => rule.rule === 'allow' && !isSameTool(rule, call))

/** Rules of operators: of one task and its members, or all. Those of tasks that are over are gone with their use. */
export function selectToolRules(world: Records, task: TaskRecord | null): OwnedRule[] {
  const tasks = task === null ? Object.values<TaskRecord>(world.tasks).filter((one) => !isTaskOver(one)) : [task]
  const agents = task === null ? (Object.keys(world.agents) as AgentId[]) : task.group
  const owners: RuleOwner[] = [...tasks.map(({ id }) => ({ task: id })), ...agents.map((agent) => ({ agent }))]
  return owners.flatMap((owner) => rulesOf(world, owner).map((rule) => ({ owner, rule })))
}

/** Read-only calls of one batch run at once; the step of each takes its result. */
import type { AgentId, StepId } from '@/lib/mas/ids'
import type { StepRecord, World } from '@/lib/mas/records'
import { batchOf, stepIn } from '@/lib/mas/steps/ownSteps'
import { strictRuleFor } from '@/lib/mas/steps/toolRules'
import type { ToolInfo, ToolOutcome } from '../../tools'

/** Makes the call of a step; null when it cannot be made as it is written. */
type ReadStep = (step: StepRecord, tool: ToolInfo, signal: AbortSignal) => Promise<ToolOutcome | null>

type Call = { abort: AbortController; answer: Promise<ToolOutcome | null> }
type Begun = { batch: StepId; calls: Map<StepId, Call> }

export function openReadAhead() {
  const begun = new Map<AgentId, Begun>()
  const end = (gone: Begun | undefined): void => {
    for (const { abort } of gone?.calls.values() ?? []) abort.abort()
  }
  return {
    /** Begins the read-only calls that wait behind this one, as long as they need no confirmation. */
    begin(world: World, step: StepRecord, tools: readonly ToolInfo[], read: ReadStep): void {
      const batch = batchOf(step)
      if (batch === null || begun.get(step.agent)?.batch === batch) return
      end(begun.get(step.agent))
      const calls = readsBehind(world, step, tools).map(([next, tool]): [StepId, Call] => {
        const abort = new AbortController()
        // What goes wrong is found again, and said, when the step's own turn comes.
        return [next.id, { abort, answer: read(next, tool, abort.signal).then(onlyResults, () => null) }]
      })
      begun.set(step.agent, { batch, calls: new Map(calls) })
    },
    /** signal: ends the call. out: the result for this step; null if its call was not started or had no result: it is then made as usual */
    async take(step: StepRecord, signal: AbortSignal): Promise<ToolOutcome | null> {
      const calls = begun.get(step.agent)?.calls
      const call = calls?.get(step.id)
      if (call === undefined) return null
      calls?.delete(step.id)
      if (signal.aborted) call.abort.abort()
      signal.addEventListener('abort', () => call.abort.abort(), { once: true })
      return call.answer
    },
    stop(): void {
      for (const gone of begun.values()) end(gone)
      begun.clear()
    },
  }
}

export type ReadAhead = ReturnType<typeof openReadAhead>

const onlyResults = (answer: ToolOutcome | null): ToolOutcome | null =>
  answer?.ok === true && !answer.result.isError ? answer : null

/** The next calls of the same batch in the agent's list, up to the first that is not read-only. */
function readsBehind(world: World, step: StepRecord, tools: readonly ToolInfo[]): [StepRecord, ToolInfo][] {
  const found: [StepRecord, ToolInfo][] = []
  for (const ref of world.work[step.agent]?.todo ?? []) {
    const next = stepIn(world.steps[ref.task]?.[step.agent], ref.step)
    if (next === undefined || next.type !== 'tool' || next.executor !== step.executor) break
    if (batchOf(next) !== batchOf(step) || next.instruction?.kind !== 'call' || next.instruction.target !== 'tool')
      break
    const { name } = next.instruction
    const info = tools.find((tool) => tool.name === name)
    if (info === undefined || !info.readOnly || info.confirm) break
    if (strictRuleFor(world, next, { server: next.executor, tool: name }) !== null) break
    found.push([next, info])
  }
  return found
}

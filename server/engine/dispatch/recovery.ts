/** Recovers steps without a process: at a start, at a takeover, or when another node is gone. */
import type { Envelope } from '@/lib/mas/commands/command'
import type { StepRecord, World } from '@/lib/mas/records'
import { isStepOver } from '@/lib/mas/statuses'
import { stepsOfAll } from '@/lib/mas/steps/ownSteps'
import { wasCalled } from '@/lib/mas/team/agents'
import { sayInLanguage } from '@/lib/mas/words'
import type { ToolPool } from '../../tools'
import type { CommitAnswer } from '../port'

/** Steps that ran when their node went, also those that people ran by hand. */
export const selectOrphans = (world: World): StepRecord[] =>
  Object.values(world.steps)
    .flatMap(stepsOfAll)
    .filter((step) => step.state === 'running' || (step.byHand && !isStepOver(step)))

type RecoveryParts = {
  world: () => World
  pool: ToolPool
  commit: (envelope: Envelope) => Promise<CommitAnswer>
  newId: () => string
}

/** Decides for each such step: a skill runs again; a tool only if it was not called or a repeat is harmless; calls by hand never. */
export async function recoverSteps(orphans: readonly StepRecord[], parts: RecoveryParts): Promise<void> {
  const { world, pool, commit, newId } = parts
  for (const orphan of orphans) {
    // A call that is not known here may be made at this moment by a node that is only out of reach.
    const again =
      !orphan.byHand &&
      (orphan.type === 'skill' || (wasCalled(world(), orphan) ? await isRepeatable(pool, orphan) : 'unlessCalled'))
    const reason = sayInLanguage(world().team.language, orphan.byHand ? 'handInterrupted' : 'interrupted')
    const { id: step, attempt } = orphan
    const command = { type: 'recoverStep', step, attempt: attempt?.number ?? null, again, reason } as const
    await commit({ id: newId(), by: 'system:recovery', command })
  }
}

async function isRepeatable(pool: ToolPool, { executor, instruction }: StepRecord): Promise<boolean> {
  if (instruction?.kind !== 'call' || instruction.target !== 'tool') return true
  const described = await pool.describe(executor)
  return described.ok && described.description.tools.some((tool) => tool.name === instruction.name && tool.repeatable)
}

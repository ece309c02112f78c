/** Recovery is takeover: start-up and failover read the newest snapshot and the entries after it, then recover running steps. */
import type { Envelope } from '@/lib/mas/commands/command'
import { stepsIn } from '@/lib/mas/ownSteps'
import type { StepRecord, World } from '@/lib/mas/records'
import { isStepOver } from '@/lib/mas/statuses'
import { sayInLanguage } from '@/lib/mas/words'
import type { ToolPool } from '../tools'
import type { CommitAnswer } from './port'

/** Steps that were running when their node went, and what people had set going by hand. */
export const selectOrphans = (world: World): StepRecord[] =>
  Object.values(world.steps).flatMap((agents) =>
    Object.values(agents).flatMap((own) =>
      stepsIn(own).filter((step) => step.state === 'running' || (step.byHand && !isStepOver(step))),
    ),
  )

/** Decides for each orphan: a skill runs again; a tool only if it was not called or a repeat is harmless; calls by hand never. */
export async function recoverSteps(
  world: World,
  pool: ToolPool,
  commit: (envelope: Envelope) => Promise<CommitAnswer>,
  newId: () => string,
): Promise<number> {
  const orphans = selectOrphans(world)
  for (const step of orphans) {
    const again = !step.byHand && (step.type === 'skill' || !wasCalled(world, step) || (await isRepeatable(pool, step)))
    const reason = sayInLanguage(world.team.language, step.byHand ? 'handInterrupted' : 'interrupted')
    await commit({ id: newId(), by: 'system:recovery', command: { type: 'recoverStep', step: step.id, again, reason } })
  }
  return orphans.length
}

const wasCalled = (world: World, step: StepRecord): boolean =>
  Object.values(world.effects[step.task] ?? {}).some((effect) => effect.step === step.id)

async function isRepeatable(pool: ToolPool, step: StepRecord): Promise<boolean> {
  const { instruction } = step
  if (instruction?.kind !== 'call') return true
  if (instruction.target !== 'tool') return true
  const described = await pool.describe(step.executor)
  return described.ok && described.description.tools.some((tool) => tool.name === instruction.name && tool.repeatable)
}

/** The stages of a plan while somebody changes them, and as they are sent. Pure. */
import * as z from 'zod/mini'
import { isSameValue } from '@/lib/json'
import { withoutNotes } from '@/lib/mas/builtInNotes'
import type { NewStage } from '@/lib/mas/records'

const stageShape = z.object({
  name: z.optional(z.string()),
  intention: z.string(),
  parts: z.array(z.object({ agent: z.string(), goal: z.string() })),
  needs: z.optional(z.record(z.string(), z.array(z.string()))),
})
const planShape = z.array(stageShape)
export type PlanStage = z.infer<typeof stageShape>

/** As people read it. */
export const planOf = (stages: readonly NewStage[]): PlanStage[] =>
  stages.map(({ name, intention, allocation, needs }) => ({
    ...(name === undefined ? {} : { name }),
    intention: withoutNotes(intention),
    parts: Object.entries(allocation).map(([agent, goal]) => ({ agent, goal: withoutNotes(goal) })),
    ...(needs === undefined ? {} : { needs }),
  }))

/** The changed plan of a draft; the given one where the draft has none. */
export function draftedPlan(text: string, given: PlanStage[]): PlanStage[] {
  try {
    return planShape.safeParse(JSON.parse(text)).data ?? given
  } catch {
    return given
  }
}

export const writePlan = (stages: readonly PlanStage[]): string => JSON.stringify(stages)

/** The body's `arguments`; null: the plan is as it was given. */
export function changedPlan(stages: readonly PlanStage[], given: readonly PlanStage[]): string | null {
  if (isSameValue(stages, given)) return null
  const sent = stages.map(({ name, intention, parts, needs = {} }) => ({
    ...(name === undefined ? {} : { name }),
    intention: intention.trim(),
    allocation: Object.fromEntries(parts.map(({ agent, goal }) => [agent, goal.trim()])),
    needs: Object.fromEntries(Object.entries(needs).filter(([agent]) => parts.some((part) => part.agent === agent))),
  }))
  return JSON.stringify({ stages: sent })
}

/** What keeps it from being sent, and in which stage, from 0; null: nothing. */
export function unfitStage(
  stages: readonly PlanStage[],
): { at: number; why: 'noStages' | 'noGoal' | 'noPart' | 'noAgent' | 'noPartGoal' | 'twice' } | null {
  if (stages.length === 0) return { at: 0, why: 'noStages' }
  for (const [at, { intention, parts }] of stages.entries()) {
    if (intention.trim() === '') return { at, why: 'noGoal' }
    if (parts.length === 0) return { at, why: 'noPart' }
    if (parts.some(({ agent }) => agent === '')) return { at, why: 'noAgent' }
    if (parts.some(({ goal }) => goal.trim() === '')) return { at, why: 'noPartGoal' }
    if (new Set(parts.map(({ agent }) => agent)).size < parts.length) return { at, why: 'twice' }
  }
  return null
}

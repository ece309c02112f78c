/** Identifies one run of a step, the same at all nodes. */
import type { StepId } from '@/lib/mas/ids'

export const attemptKey = (step: StepId, attempt: number): string => `${step}:${attempt}`

/** Names one run of a step: the same on all nodes. */
import type { StepId } from '@/lib/mas/ids'

export const attemptKey = (step: StepId, attempt: number): string => `${step}:${attempt}`

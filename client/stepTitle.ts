/** The name of a step, in the language of the team as in its rows. */
import type { StepRecord } from '@/lib/mas/records'
import { stepTitle } from '@/lib/mas/steps/stepTitle'
import { useTotals } from './hooks'

export function useStepTitle(): (step: StepRecord) => string {
  const language = useTotals('me')?.language ?? 'en'
  return (step) => stepTitle(step, language)
}

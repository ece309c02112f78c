/** The index of steps in PostgreSQL (steps.sql.ts). `search_add` writes it. */
import { stageKey, stepIndexOf, stepReads, withNameKeys } from '@/server/store/shared/stepRows'
import type { StepChange, StepIndex } from '@/server/store/stepIndex'
import type { PostgresConnection } from './connection'

/** As `steps_change` takes them. */
export const stepJson = (steps: readonly StepChange[]): string =>
  JSON.stringify(
    steps
      .map(withNameKeys)
      .map((change) => ('stage' in change ? { ...change, stage: stageKey(change.stage) } : change)),
  )

const READS = stepReads((...columns) => columns.join(', '), "created = any(string_to_array($2, ',')::bigint[])")

export const postgresSteps = ({ read }: PostgresConnection): StepIndex =>
  stepIndexOf((question, values) => read('search', READS[question], values))

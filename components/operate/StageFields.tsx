/** The fields of a stage: its goal, and each member's part; a member without a goal has no part. */
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { TextArea, TextField } from '@/components/ui/fields/TextField'

export const stageShape = z.object({ intention: z.string(), allocation: z.record(z.string(), z.string()) })
export type StageDraft = z.infer<typeof stageShape>

export const NO_STAGE: StageDraft = { intention: '', allocation: {} }

type StageFieldsProps = {
  draft: StageDraft
  members: readonly { id: string; name: string }[]
  onChange: (draft: StageDraft) => void
}

export function StageFields({ draft, members, onChange }: StageFieldsProps) {
  const t = useTranslations('operate')
  return (
    <>
      <TextArea
        label={t('stageGoal')}
        value={draft.intention}
        onChange={(event) => onChange({ ...draft, intention: event.target.value })}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-meta text-t3">{t('goalsHint')}</legend>
        {members.map((member) => (
          <TextField
            key={member.id}
            label={t('goalOf', { who: member.name })}
            value={draft.allocation[member.id] ?? ''}
            onChange={(event) =>
              onChange({ ...draft, allocation: { ...draft.allocation, [member.id]: event.target.value } })
            }
          />
        ))}
      </fieldset>
    </>
  )
}

/** Without empty goals. */
export function filledStage(draft: StageDraft): StageDraft {
  const goals = Object.entries(draft.allocation).filter(([, goal]) => goal.trim() !== '')
  return { intention: draft.intention.trim(), allocation: Object.fromEntries(goals) }
}

/** The missing input of a stage, as text; null: none. */
export function useMissingOfStage(): (draft: StageDraft) => string | null {
  const t = useTranslations('operate')
  return (draft) => {
    if (draft.intention.trim() === '') return t('missing.goal')
    return Object.keys(filledStage(draft).allocation).length === 0 ? t('missing.part') : null
  }
}

import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { Select } from '@/components/ui/fields/Choice'
import { TextArea } from '@/components/ui/fields/TextField'
import { placeInPlan } from '@/lib/mas/stages/plan'
import { isStageOver, isTaskOver } from '@/lib/mas/statuses'
import { stageName } from '@/lib/mas/tasks/taskTitle'
import { renameAct } from './acts'
import { FormDialog } from './FormDialog'
import type { Shown } from './TaskDialogs'
import { useActForm } from './useActForm'

const NAME_LENGTH = 200
/** In UTF-8 a letter has four bytes at most, and a goal may have 64 KiB. */
const GOAL_LENGTH = 16_384

const shape = z.object({
  stage: z.nullable(z.string()),
  name: z.nullable(z.string()),
  goal: z.nullable(z.string()),
})
/** stage: null for the task itself; name, goal of the stage: null while it is as it was. */
type Naming = z.infer<typeof shape>

const NOTHING: Naming = { stage: null, name: null, goal: null }

export function Rename({ task, stages, onClose }: Shown) {
  const t = useTranslations('operate')
  const { values: form, set } = useActForm(renameAct(task.id, null, '').place, shape, NOTHING)
  const able = isTaskOver(task) ? [] : stages.filter((stage) => !isStageOver(stage))
  const stage = able.find(({ id }) => id === form.stage) ?? null
  const now = stage === null ? task.name : stageName(stage)
  const name = form.name ?? now
  const goal = form.goal ?? stage?.intention ?? ''
  const isSame = name.trim() === now && (stage === null || goal.trim() === stage.intention.trim())
  const missing = (): string | null => {
    if (name.trim() === '') return t('missing.name')
    if (stage !== null && goal.trim() === '') return t('missing.goal')
    return isSame ? t(stage === null ? 'missing.otherName' : 'missing.otherNameOrGoal') : null
  }
  const fill = (filled: Partial<Naming>): void => set({ stage: stage?.id ?? null, ...filled })
  return (
    <FormDialog
      title={t('act.rename')}
      action={t('do.rename')}
      hasReason={false}
      missing={missing()}
      act={renameAct(task.id, stage && { id: stage.id, intention: goal }, name)}
      done={t('done.rename')}
      onClose={onClose}
    >
      {able.length === 0 ? null : (
        <Select
          label={t('toRename')}
          value={stage?.id ?? task.id}
          onChange={(id: string) => set({ ...NOTHING, stage: id === task.id ? null : id })}
          options={[
            { value: task.id as string, label: t('theTask', { task: task.name }) },
            ...able.map((one) => ({
              value: one.id as string,
              label: t('stageNamed', { number: placeInPlan(stages, one.id).number, name: stageName(one) }),
            })),
          ]}
        />
      )}
      <TextArea
        label={t('name')}
        value={name}
        maxLength={NAME_LENGTH}
        minLines={1}
        maxLines={4}
        onChange={(event) => fill({ name: event.target.value })}
      />
      {stage === null ? null : (
        <TextArea
          label={t('stageGoal')}
          hint={t('stageGoalHint')}
          value={goal}
          maxLength={GOAL_LENGTH}
          maxLines={6}
          onChange={(event) => fill({ goal: event.target.value })}
        />
      )}
    </FormDialog>
  )
}

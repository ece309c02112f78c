/** The dialog “Rename…”: the task, or one of its stages that is not over. */
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { Select } from '@/components/ui/Choice'
import { TextArea } from '@/components/ui/TextField'
import { renameAct } from './acts'
import { FormDialog } from './FormDialog'
import type { Shown } from './TaskDialogs'
import { isOver } from './taskActs'
import { useActForm } from './useActForm'

const TASK_NAME_LENGTH = 200
const STAGE_NAME_LENGTH = 2_000

const shape = z.object({ stage: z.nullable(z.string()), name: z.nullable(z.string()) })
/** stage: null for the task itself; name: null while it is as it was. */
type Naming = z.infer<typeof shape>
const read = (kept: unknown): Naming | undefined => shape.safeParse(kept).data

export function Rename({ task, stages, onClose }: Shown) {
  const t = useTranslations('operate')
  const [form, change] = useActForm<Naming>(renameAct(task.id, null, '').place, { stage: null, name: null }, read)
  const able = isOver(task) ? [] : stages.filter(({ state }) => state === 'init' || state === 'running')
  const stage = able.find(({ id }) => id === form.stage) ?? null
  const now = stage?.intention ?? task.name
  const name = form.name ?? now
  return (
    <FormDialog
      title={t('act.rename')}
      action={t('do.rename')}
      hasReason={false}
      missing={name.trim() === '' ? t('missing.name') : name.trim() === now ? t('missing.otherName') : null}
      act={renameAct(task.id, stage?.id ?? null, name)}
      form={{ stage: stage?.id ?? null, name }}
      done={t('done.rename')}
      onClose={onClose}
    >
      {able.length === 0 ? null : (
        <Select
          label={t('toRename')}
          value={stage?.id ?? task.id}
          onChange={(id: string) => change({ stage: id === task.id ? null : id, name: null })}
          options={[
            { value: task.id as string, label: t('theTask', { task: task.name }) },
            ...able.map((one) => ({
              value: one.id as string,
              label: t('stageNamed', { number: task.stageOrder.indexOf(one.id) + 1, goal: one.intention }),
            })),
          ]}
        />
      )}
      <TextArea
        label={t('name')}
        hint={stage === null ? undefined : t('stageNameHint')}
        value={name}
        maxLength={stage === null ? TASK_NAME_LENGTH : STAGE_NAME_LENGTH}
        minLines={1}
        maxLines={4}
        onChange={(event) => change({ stage: stage?.id ?? null, name: event.target.value })}
      />
    </FormDialog>
  )
}

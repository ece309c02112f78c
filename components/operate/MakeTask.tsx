/** The dialog “New task”: an operator makes a task directly, with its members and, if wanted, its stages. */
import { Plus, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { Button } from '@/components/ui/Button'
import { OptionalSelect } from '@/components/ui/fields/Choice'
import { TextArea, TextField } from '@/components/ui/fields/TextField'
import { makeTaskAct } from './acts'
import { FormDialog } from './FormDialog'
import { ChooseMembers, memberOptions, useTeam } from './MemberDialogs'
import { filledStage, NO_STAGE, type StageDraft, StageFields, stageShape, useMissingOfStage } from './StageFields'
import { agentIdShape, firstMissing, useActForm } from './useActForm'

const NAME_LENGTH = 200
const shape = z.object({
  name: z.string(),
  intention: z.string(),
  manager: z.string(),
  members: z.array(agentIdShape),
  stages: z.array(stageShape),
})
const NOTHING: z.infer<typeof shape> = { name: '', intention: '', manager: '', members: [], stages: [] }

export default function MakeTask({ onClose }: { onClose: () => void }) {
  const t = useTranslations('operate')
  const team = useTeam()
  const missingOfStage = useMissingOfStage()
  const { values: draft, set, text } = useActForm(makeTaskAct(NOTHING).place, shape, NOTHING)
  const { name, intention, manager, members, stages } = draft
  const group = team.filter(({ id }) => id === manager || members.some((one) => one === id))
  const missing =
    firstMissing(
      [name.trim() === '', t('missing.name')],
      [intention.trim() === '', t('missing.intention')],
      [manager === '', t('missing.manager')],
    ) ??
    stages.map(missingOfStage).find((one) => one !== null) ??
    null
  const setStage = (at: number, stage: StageDraft | null): void =>
    set({ stages: stages.flatMap((old, n) => (n === at ? (stage ?? []) : old)) })
  return (
    <FormDialog
      title={t('act.makeTask')}
      action={t('do.makeTask')}
      missing={missing}
      act={makeTaskAct({ ...draft, name: name.trim(), intention: intention.trim(), stages: stages.map(filledStage) })}
      done={t('done.makeTask', { name: name.trim() })}
      onClose={onClose}
    >
      <p>{t('what.makeTask')}</p>
      <TextField {...text('name')} label={t('name')} maxLength={NAME_LENGTH} />
      <TextArea {...text('intention')} label={t('taskGoal')} />
      <OptionalSelect
        label={t('manager')}
        none={t('choose')}
        value={manager || null}
        onChange={(manager) => set({ manager: manager ?? '' })}
        options={memberOptions<string>(team)}
      />
      <fieldset>
        <legend className="mb-1 text-table font-medium">{t('members')}</legend>
        <ChooseMembers
          label={t('members')}
          members={team.filter(({ id }) => id !== manager)}
          chosen={members}
          onChange={(next) => set({ members: next })}
        />
      </fieldset>
      {stages.map((stage, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stage that is being written has its place only.
        <fieldset key={at} className="flex flex-col gap-3 border-line-strong border-l-2 pl-3">
          <legend className="sr-only">{t('stageAt', { number: at + 1 })}</legend>
          <div className="flex items-center justify-between gap-2">
            <h3 className="text-table font-medium">{t('stageAt', { number: at + 1 })}</h3>
            <Button look="quiet" icon={<X />} onClick={() => setStage(at, null)}>
              {t('removeStage', { number: at + 1 })}
            </Button>
          </div>
          <StageFields draft={stage} members={group} onChange={(next) => setStage(at, next)} />
        </fieldset>
      ))}
      <div>
        <Button icon={<Plus />} onClick={() => set({ stages: [...stages, NO_STAGE] })}>
          {t('addStageHere')}
        </Button>
        <p className="mt-1 text-meta text-t3">{t('stagesHint')}</p>
      </div>
    </FormDialog>
  )
}

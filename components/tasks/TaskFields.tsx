/** What a person decides who starts a task directly: who manages it and takes part, and if wanted its stages. */
import { Plus, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { makeTaskAct } from '@/components/operate/acts'
import { ChooseMembers, memberOptions, useTeam } from '@/components/operate/MemberDialogs'
import {
  filledStage,
  NO_STAGE,
  type StageDraft,
  StageFields,
  stageShape,
  useMissingOfStage,
} from '@/components/operate/StageFields'
import { type ActForm, agentIdShape, firstMissing, useActForm } from '@/components/operate/useActForm'
import { Button } from '@/components/ui/Button'
import { OptionalSelect } from '@/components/ui/fields/Choice'
import { TextField } from '@/components/ui/fields/TextField'
import { firstWords } from '@/lib/format/plainText'

const NAME_LENGTH = 200
/** Letters of a name that is made of the text. */
const MADE_NAME_LENGTH = 60
const shape = z.object({
  name: z.string(),
  manager: z.string(),
  members: z.array(agentIdShape),
  stages: z.array(stageShape),
})
type TaskDraft = z.infer<typeof shape>
const NOTHING: TaskDraft = { name: '', manager: '', members: [], stages: [] }
const { place: PLACE } = makeTaskAct({ ...NOTHING, intention: '' })

export function useTaskForm() {
  const t = useTranslations('operate')
  const missingOfStage = useMissingOfStage()
  const form = useActForm(PLACE, shape, NOTHING)
  const { manager, stages } = form.values
  return {
    form,
    place: PLACE,
    /** What is missing, as text; null: nothing. */
    missing:
      firstMissing([manager === '', t('missing.manager')]) ??
      stages.map(missingOfStage).find((one) => one !== null) ??
      null,
    /** in: intention: what is to be reached; without a name its first words are the name */
    actOf: (intention: string) => {
      const { name, ...rest } = form.values
      return makeTaskAct({
        ...rest,
        name: name.trim() || firstWords(intention, MADE_NAME_LENGTH),
        intention: intention.trim(),
        stages: stages.map(filledStage),
      })
    },
  }
}

export function TaskFields({ form: { values, set, text } }: { form: ActForm<TaskDraft> }) {
  const t = useTranslations('operate')
  const team = useTeam()
  const { manager, members, stages } = values
  const group = team.filter(({ id }) => id === manager || members.some((one) => one === id))
  const setStage = (at: number, stage: StageDraft | null): void =>
    set({ stages: stages.flatMap((old, n) => (n === at ? (stage ?? []) : old)) })
  return (
    <fieldset className="flex flex-col gap-3 border-line-strong border-l-2 pl-3">
      <legend className="sr-only">{t('act.makeTask')}</legend>
      <p className="text-table text-t2">{t('what.makeTask')}</p>
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
      <TextField {...text('name')} label={t('ownTaskName')} maxLength={NAME_LENGTH} />
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
    </fieldset>
  )
}

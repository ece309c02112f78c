/** The form of a plan: its stages, and for each part who has it and with which goal. */
import { Plus, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '@/components/ui/Button'
import { OptionalSelect } from '@/components/ui/fields/Choice'
import { TextArea } from '@/components/ui/fields/TextField'
import type { RequestShown } from '../shown'
import type { PlanStage } from './planDraft'

type Team = NonNullable<RequestShown['team']>

type PlanFieldsProps = { stages: readonly PlanStage[]; team: Team; onChange: (stages: PlanStage[]) => void }

const NO_PART = { agent: '', goal: '' }

export function PlanFields({ stages, team, onChange }: PlanFieldsProps) {
  const t = useTranslations('plan')
  const setStage = (at: number, stage: PlanStage | null): void =>
    onChange(stages.flatMap((old, n) => (n === at ? (stage ?? []) : old)))
  return (
    <div className="flex flex-col gap-3">
      {stages.map((stage, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a planned stage has its place only.
        <fieldset key={at} className="flex flex-col gap-2 border-line-strong border-l-2 pl-3">
          <legend className="sr-only">{t('stageAt', { number: at + 1 })}</legend>
          <div className="flex items-center justify-between gap-2">
            <p className="font-medium text-table">{t('stageAt', { number: at + 1 })}</p>
            <Button look="quiet" icon={<X />} onClick={() => setStage(at, null)}>
              {t('removeStage', { number: at + 1 })}
            </Button>
          </div>
          <StageForm stage={stage} number={at + 1} team={team} onChange={(next) => setStage(at, next)} />
        </fieldset>
      ))}
      <div>
        <Button icon={<Plus />} onClick={() => onChange([...stages, { intention: '', parts: [NO_PART] }])}>
          {t('addStage')}
        </Button>
      </div>
    </div>
  )
}

type StageFormProps = { stage: PlanStage; number: number; team: Team; onChange: (stage: PlanStage) => void }

function StageForm({ stage, number, team, onChange }: StageFormProps) {
  const t = useTranslations('plan')
  const { parts } = stage
  const setPart = (at: number, part: PlanStage['parts'][number] | null): void =>
    onChange({ ...stage, parts: parts.flatMap((old, n) => (n === at ? (part ?? []) : old)) })
  const isFree = (id: string, own: string): boolean => id === own || parts.every(({ agent }) => agent !== id)
  return (
    <>
      <TextArea
        label={t('stageGoal', { number })}
        minLines={1}
        value={stage.intention}
        onChange={({ target }) => onChange({ ...stage, intention: target.value })}
      />
      {parts.map(({ agent, goal }, at) => {
        const where = { stage: number, number: at + 1 }
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part that is being written has its place only.
          <div key={at} className="flex flex-wrap items-start gap-2">
            <OptionalSelect
              label={t('who', where)}
              className="w-44"
              none={t('choose')}
              isRequired
              value={agent === '' ? null : agent}
              onChange={(next) => setPart(at, { agent: next ?? '', goal })}
              options={team
                .filter(({ id }) => isFree(id, agent))
                .map(({ id, name }): { value: string; label: string } => ({ value: id, label: name }))}
            />
            <div className="min-w-48 flex-1">
              <TextArea
                label={t('partGoal', where)}
                minLines={1}
                value={goal}
                onChange={({ target }) => setPart(at, { agent, goal: target.value })}
              />
            </div>
            <IconButton icon={<X />} label={t('removePart', where)} onClick={() => setPart(at, null)} />
          </div>
        )
      })}
      <div>
        <Button look="quiet" icon={<Plus />} onClick={() => onChange({ ...stage, parts: [...parts, NO_PART] })}>
          {t('addPart', { number })}
        </Button>
      </div>
    </>
  )
}

/** The stages of a plan: each with its goal, and who does what. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'
import { Avatar } from '@/components/ui/marks/Avatar'
import { PathText } from '@/components/ui/text/FileLink'
import { withoutNotes } from '@/lib/mas/builtInNotes'
import type { RequestShown } from '../shown'
import { type PlanStage, planOf } from './planDraft'

type PlanViewProps = { stages: readonly PlanStage[]; team: NonNullable<RequestShown['team']> }

export function PlanView({ stages, team }: PlanViewProps) {
  const t = useTranslations('plan')
  return (
    <ol className="flex flex-col gap-2" aria-label={t('stages')}>
      {stages.map((stage, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a planned stage has its place only.
        <li key={at} className="min-w-0 rounded-control bg-s3 px-3 py-2">
          <p className="text-table">
            <span className="text-t3">{t('stageAt', { number: at + 1 })}</span>{' '}
            <b className="break-words">
              <PathText text={stage.intention} />
            </b>
          </p>
          <ul className="mt-1 flex flex-col gap-1">
            {stage.parts.map(({ agent, goal }) => (
              <Part key={agent} who={team.find(({ id }) => id === agent) ?? null} goal={goal} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

function Part({ who, goal }: { who: PlanViewProps['team'][number] | null; goal: string }) {
  const t = useTranslations('plan')
  return (
    <li className="flex min-w-0 items-start gap-2 text-table">
      {who ? <Avatar who={who} size={20} /> : null}
      <span className="shrink-0 font-medium">{who?.name ?? t('somebody')}</span>
      <span className="min-w-0 break-words text-t2">
        <PathText text={goal} />
      </span>
    </li>
  )
}

/** What the task is to reach, or why a stage is done again; nothing where the plan says neither. */
export function PlanAim({ shown: { request } }: { shown: RequestShown }) {
  const t = useTranslations('plan')
  const work = request.plan?.work
  if (work?.action === 'add_task')
    return (
      <p className="mt-1 text-table">
        <span className="text-t3">{t('goal')}</span> {withoutNotes(work.task_intention)}
      </p>
    )
  if (work?.action !== 'retry_stage' || work.reason === undefined) return null
  return (
    <p className="mt-1 text-table">
      <span className="text-t3">{t('why')}</span> {withoutNotes(work.reason)}
    </p>
  )
}

/** The plan of a request that is over: the stages that began, or were proposed. */
export function SettledPlan({ shown }: { shown: RequestShown }) {
  const t = useTranslations('plan')
  const [isOpen, setOpen] = useState(false)
  const { plan, answer } = shown.request
  if (plan === undefined) return null
  return (
    <div className="mt-2">
      {isOpen ? <PlanView stages={planOf(answer?.plan ?? plan.stages)} team={shown.team ?? []} /> : null}
      <Button look="quiet" className="mt-1 -ml-2.5" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t(isOpen ? 'hide' : 'show')}
      </Button>
    </div>
  )
}

/** That a rehearsal plays the agents, and the way to a model. */
import { Clapperboard } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useTotals, useViewStatus } from '@/client'
import { useMe } from '@/client/account/session'
import { pathTo } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { useDemo } from '@/components/tasks/useDemo'
import { Button, LinkButton } from '@/components/ui/Button'
import { useSaveSettings } from '@/components/ui/useSaveSettings'
import type { SetupLocalModels } from '@/lib/wire'

/** Whether it is known if there is work; the page is drawn then, and does not move. */
export function useIsFirstRunKnown(): boolean {
  const isHidden = useMe()?.settings.hideHints === true
  const isRehearsal = useTotals('me')?.rehearsal ?? true
  const { status } = useViewStatus(isRehearsal && !isHidden ? 'overview' : null)
  return !isRehearsal || isHidden || status !== 'loading'
}

export function FirstRun() {
  const t = useTranslations()
  const save = useSaveSettings()
  const me = useMe()
  const { state, task } = useDemo()
  const isRehearsal = useTotals('me')?.rehearsal ?? false
  if (me?.settings.hideHints === true || !isRehearsal) return null
  return (
    <section aria-label={t('inbox.firstRun')} className="mt-3 flex flex-wrap items-center gap-y-1 text-table text-t2">
      <p className="flex min-w-0 grow basis-56 items-center gap-2">
        <Clapperboard className="size-4 shrink-0 text-t3" />
        {t('shell.rehearsal')}
      </p>
      <div className="flex flex-wrap items-center gap-x-1 pl-3.5">
        {me?.person.access === 'operator' ? <ConnectModel /> : null}
        {state === 'coming' || task ? (
          <LinkButton look="quiet" href={task ? pathTo('task', { taskId: task.task }) : pathTo('tasks')}>
            {t(task ? 'inbox.openDemo' : 'inbox.toTasks')}
          </LinkButton>
        ) : null}
        <Button look="quiet" onClick={() => void save({ hideHints: true })}>
          {t('inbox.hideHints')}
        </Button>
      </div>
    </section>
  )
}

/** “Connect a model”, with the server that answers on this machine, if there is one. */
function ConnectModel() {
  const t = useTranslations('inbox')
  const found = useApiQuery<SetupLocalModels>('/api/setup/local-models').data?.servers[0]
  return (
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      {found ? <span className="text-t2">{t('localModel', { name: found.name })}</span> : null}
      <LinkButton look="quiet" href={`/settings/models?connect=${found?.preset ?? 1}`}>
        {t('connectModel')}
      </LinkButton>
    </span>
  )
}

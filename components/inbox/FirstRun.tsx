/** That a rehearsal plays the agents, and for a newcomer two ways to begin: the demo task, or work of their own. */
import { CirclePlay, Clapperboard } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows, useTotals, useViewStatus } from '@/client'
import { useMe } from '@/client/account/session'
import { Link, pathTo } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { useDemo } from '@/components/tasks/useDemo'
import { Button, LinkButton } from '@/components/ui/Button'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { useSaveSettings } from '@/components/ui/useSaveSettings'
import type { SetupLocalModels } from '@/lib/wire'

/** Whether it is known if the card is shown and how high it is; the list below is drawn then, and does not move. */
export function useIsFirstRunKnown(): boolean {
  const isHidden = useMe()?.settings.hideHints === true
  const isRehearsal = useTotals('me')?.rehearsal ?? true
  const { status } = useViewStatus(isRehearsal && !isHidden ? 'overview' : null)
  return !isRehearsal || isHidden || status !== 'loading'
}

export function FirstRun() {
  const t = useTranslations()
  const faultWords = useFaultWords()
  const save = useSaveSettings()
  const me = useMe()
  const isHidden = me?.settings.hideHints === true
  const isOperator = me?.person.access === 'operator'
  const { state, task, start } = useDemo()
  const [failure, setFailure] = useState<string | null>(null)
  // With work of their own the member needs no explanation of the demo.
  const hasWork = useRows('overview').some((row) => !row.base)
  const isRehearsal = useTotals('me')?.rehearsal ?? false
  if (isHidden || !isRehearsal) return null
  const begin = async (): Promise<void> => {
    setFailure(null)
    const answer = await start()
    if (!answer.ok) setFailure(faultWords(answer.fault))
  }
  return (
    <section
      aria-label={t('inbox.firstRun')}
      className="mt-4 rounded-card border border-line bg-s2 px-4 py-3 max-md:px-3.5"
    >
      <p className="flex flex-wrap gap-2.5">
        <Clapperboard className="mt-0.5 size-4 text-t3" />
        <span className="min-w-0 grow basis-60">{t('shell.rehearsal')}</span>
        {isOperator ? <ConnectModel /> : null}
      </p>
      {state === 'coming' || task ? (
        <p role="status" className="mt-2 text-t2">
          {t('inbox.demoStarted')}{' '}
          <Link href={task ? pathTo('task', { taskId: task.task }) : pathTo('tasks')} className="link">
            {t(task ? 'inbox.openDemo' : 'inbox.toTasks')}
          </Link>
        </p>
      ) : (
        <>
          {hasWork ? null : <p className="mt-2 text-t2">{t('inbox.demoWhat')}</p>}
          <div className="mt-2.5 flex flex-wrap items-center gap-2">
            <ServerButton
              look={hasWork ? 'plain' : 'primary'}
              icon={<CirclePlay />}
              isDisabled={state !== 'ready'}
              reason={t('inbox.demoStarting')}
              onClick={() => void begin()}
            >
              {t('inbox.startDemo')}
            </ServerButton>
            <Link href="/tasks?ask=1" className="link">
              {t('inbox.ownWork')}
            </Link>
            <Button look="quiet" className="-mr-2.5 ml-auto" onClick={() => void save({ hideHints: true })}>
              {t('inbox.hideHints')}
            </Button>
          </div>
        </>
      )}
      <AlertText text={failure} className="mt-2 text-meta" />
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
      <LinkButton href={`/settings/models?connect=${found?.preset ?? 1}`}>{t('connectModel')}</LinkButton>
    </span>
  )
}

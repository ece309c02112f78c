/** While the built-in program plays the agents: says so, starts the demo task or links to it, and hints at its questions. */

import { CirclePlay, FlaskConical } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useTotals } from '@/client'
import { useMe } from '@/client/account/session'
import { pathTo } from '@/client/nav'
import { useCommandToast } from '@/components/request/useCommandToast'
import { Button, LinkButton } from '@/components/ui/Button'
import { TypeBadge } from '@/components/ui/marks/Badges'
import { ServerButton } from '@/components/ui/ServerButton'
import { useSaveSettings } from '@/components/ui/useSaveSettings'
import { MESSAGE_TYPES } from '@/lib/mas/messages/records'
import { useDemo } from './useDemo'

/** `isShort`: without hints (a phone that has tasks to show). */
export function DemoStart({ isShort }: { isShort: boolean }) {
  const t = useTranslations()
  const isHidden = useMe()?.settings.hideHints ?? false
  const isRehearsal = useTotals('me')?.rehearsal ?? false
  const { state, task, start } = useDemo()
  const sendWithToast = useCommandToast()
  const save = useSaveSettings()
  if (!isRehearsal) return null
  return (
    <div className="mx-5 mb-3 flex flex-col gap-2 max-md:mx-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control border border-line bg-s2 px-3 py-2 text-table text-t2">
        <span className="flex min-w-0 grow items-center gap-2">
          <FlaskConical className="size-4 text-t3" />
          {t('shell.rehearsal')}
        </span>
        {task ? (
          <LinkButton href={pathTo('task', { taskId: task.task })}>{t('tasks.openDemo')}</LinkButton>
        ) : (
          <ServerButton
            icon={<CirclePlay />}
            isDisabled={state !== 'ready'}
            reason={t('tasks.demoStarting')}
            onClick={() => void sendWithToast(start(), t('tasks.demoStarted'))}
          >
            {t('tasks.startDemo')}
          </ServerButton>
        )}
      </div>
      {isHidden || isShort ? null : (
        <div className="flex flex-wrap items-end gap-x-4 gap-y-2 px-3 text-table text-t2">
          <ul className="flex min-w-0 grow flex-col gap-1.5">
            {MESSAGE_TYPES.map((type) => (
              <li key={type} className="flex min-w-0 items-start gap-2">
                <TypeBadge type={type} />
                <span className="min-w-0">{t(`tasks.hint.${type}`)}</span>
              </li>
            ))}
          </ul>
          <Button look="quiet" className="-mr-2.5" onClick={() => void save({ hideHints: true })}>
            {t('tasks.hideHints')}
          </Button>
        </div>
      )}
    </div>
  )
}

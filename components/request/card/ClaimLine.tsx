import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRecords } from '@/client'
import { useMe } from '@/client/account/session'
import { useNow } from '@/client/clock'
import { ActDialog, type ActQuestion } from '@/components/operate/ActDialog'
import { actsOn } from '@/components/operate/acts'
import { TimeText } from '@/components/ui/marks/Time'
import { ServerButton } from '@/components/ui/ServerButton'
import type { RequestShown } from '../shown'

export function ClaimLine({ shown }: { shown: RequestShown }) {
  const t = useTranslations('request')
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  const me = useMe()?.person ?? null
  const now = useNow('minutes')
  const { request } = shown
  const { claimed } = request
  const holder = useRecords(`task:${request.task}`, (world) => (claimed ? world.agents[claimed.by]?.name : undefined))
  if (claimed === null || me === null || claimed.until <= now) return null
  const isMine = claimed.by === me.agent_id
  const who = holder ?? shown.asked.find(({ id }) => id === claimed.by)?.name ?? '—'
  const canTake = !isMine && (request.asked.includes(me.agent_id) || me.access === 'operator')
  const takeOver = (): void =>
    setAsked({
      title: t('takeOverTitle', { who }),
      what: <p>{t('takeOverWhat', { who })}</p>,
      action: t('takeOverAct'),
      act: actsOn(`/api/requests/${encodeURIComponent(request.id)}/claim`),
      done: t('didTake'),
    })
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-2 text-meta text-t2">
      <span>
        {isMine ? t('takenByYouUntil') : t('takenUntil', { who })} <TimeText at={claimed.until} isClock />
      </span>
      {canTake ? (
        <ServerButton look="quiet" onClick={takeOver}>
          {t('takeOver')}
        </ServerButton>
      ) : null}
      <ActDialog asked={asked} onClose={() => setAsked(null)} />
    </p>
  )
}

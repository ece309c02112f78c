/** Details of the connection: last sign of the server, last change, node. A lazy file. */
import { useTranslations } from 'use-intl'
import { useStore } from 'zustand'
import { useMe } from '@/client/account/session'
import type { ConnectionState } from '@/client/connection'
import { soundState } from '@/client/notify/sound'
import { Button } from '@/components/ui/Button'
import { TimeText } from '@/components/ui/marks/Time'
import { formatCount, UNKNOWN } from '@/lib/format'
import { useConnectionLook } from './connectionWords'

export default function ConnectionPanel({ connection }: { connection: ConnectionState }) {
  const t = useTranslations('connection')
  const tNotify = useTranslations('notify')
  const isSilent = useStore(soundState) === 'waiting'
  const hasSound = useMe()?.settings.sound !== false
  const look = useConnectionLook(connection)
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-table">
        <dt className="text-t3">{t('lastBeat')}</dt>
        <dd>{connection.lastBeatAt === null ? UNKNOWN : <TimeText at={connection.lastBeatAt} />}</dd>
        <dt className="text-t3">{t('change')}</dt>
        <dd>{connection.seq === 0 ? UNKNOWN : `#${formatCount(connection.seq)}`}</dd>
        <dt className="text-t3">{t('node')}</dt>
        <dd data-literal className="font-mono break-all">
          {connection.node ?? UNKNOWN}
        </dd>
        <dt className="text-t3">{t('sound')}</dt>
        <dd>{hasSound ? t('soundOn') : t('soundOff')}</dd>
      </dl>
      {isSilent ? <p className="mt-2 text-meta text-t3">{tNotify('soundWaits')}</p> : null}
      {look === 'new-version' ? (
        <Button look="primary" className="mt-3" onClick={() => window.location.reload()}>
          {t('reload')}
        </Button>
      ) : null}
    </>
  )
}

/** The notice that there is no connection, no session, or a newer program. The page stays readable. */
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import type { ConnectionState } from '@/client/connection'
import { useConnection } from '@/client/hooks'
import { getPageClient } from '@/client/pageClient'
import { Button, buttonClass } from '@/components/ui/Button'
import { useClockText } from '@/components/ui/marks/Time'
import { reportServerAway } from '@/components/ui/serverAway'
import { NoticeBar, type NoticeProps } from '../NoticeBar'
import { useConnectionLook } from './connectionWords'

export type ConnectionNoticeProps = { connection: ConnectionState; isSignedOut: boolean }

/** out: null while everything works */
export function useConnectionNotice({ connection, isSignedOut }: ConnectionNoticeProps): NoticeProps | null {
  const t = useTranslations()
  const clock = useClockText()
  const look = useConnectionLook(connection)
  if (isSignedOut || look === 'signed-out') {
    const here = typeof window === 'undefined' ? '/' : window.location.pathname + window.location.search
    return {
      rank: 'signed-out',
      children: (
        <>
          <b>{t('shell.signedOut')}</b> · {t('shell.signedOutWhy')}
        </>
      ),
      action: (
        <a href={`/login?next=${encodeURIComponent(here)}`} className={buttonClass('plain')}>
          {t('shell.signInAgain')}
        </a>
      ),
    }
  }
  if (look === 'new-version') {
    return {
      rank: 'new-version',
      children: t('connection.newVersionWhy'),
      action: <Button onClick={() => window.location.reload()}>{t('connection.reload')}</Button>,
    }
  }
  if (look === 'crowded') {
    return {
      rank: 'offline',
      children: t('connection.crowdedWhy'),
      action: <Button onClick={() => getPageClient().socket.reconnect()}>{t('connection.continueHere')}</Button>,
    }
  }
  if (look === 'offline') {
    return {
      rank: 'offline',
      children: t('connection.offlineWhy', { clock: clock(connection.since) }),
      action: <Button onClick={() => getPageClient().socket.reconnect()}>{t('connection.tryNow')}</Button>,
    }
  }
  return null
}

export function ConnectionBar({ isSignedOut }: { isSignedOut: boolean }) {
  const connection = useConnection()
  const silence = connection.word === 'offline' || connection.word === 'crowded' ? connection.lastBeatAt : null
  // Joins the chips of the page: what ran when the connection was lost is drawn as unknown.
  useEffect(() => reportServerAway(silence), [silence])
  const notice = useConnectionNotice({ connection, isSignedOut })
  return notice ? <NoticeBar {...notice} /> : null
}

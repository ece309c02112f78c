import { useLocale, useTranslations } from 'use-intl'
import type { ConnectionState, ConnectionWord } from '@/client/connection'
import { useClockText, useElapsed } from '@/components/ui/marks/Time'
import { formatCount, formatElapsed } from '@/lib/format'

export type ConnectionLook = ConnectionWord | 'connecting'

/** A page that was just opened is connecting; only after this time it says that it could not. */
const PATIENCE_MS = 5_000

/** Before the first connection there is no "offline since". */
export function useConnectionLook({ word, lastBeatAt, since }: ConnectionState): ConnectionLook {
  const isFirst = lastBeatAt === null && (word === 'offline' || word === 'catching-up')
  const waitedMs = useElapsed(isFirst && since > 0 ? since : null)
  return isFirst && (since === 0 || (waitedMs ?? 0) < PATIENCE_MS) ? 'connecting' : word
}

/** word: on the chip; short: its form on a phone; name: of the button. */
export function useConnectionWords(connection: ConnectionState): {
  look: ConnectionLook
  word: string
  short?: string
  name: string
} {
  const t = useTranslations('connection')
  const locale = useLocale()
  const clock = useClockText()
  const look = useConnectionLook(connection)
  const silentMs = useElapsed(look === 'slow' ? connection.lastBeatAt : null)
  switch (look) {
    case 'connecting':
      return { look, word: t('connecting'), name: t('nameConnecting') }
    case 'live':
      return { look, word: t('live'), name: t('nameLive', { seq: formatCount(connection.seq) }) }
    case 'catching-up': {
      const short = t('catchingUp')
      if (connection.missed === null) return { look, word: short, short, name: t('nameCatchingUp') }
      const counts = {
        done: formatCount(connection.missed.done),
        of: formatCount(connection.missed.of),
      }
      return { look, word: t('catchingUpOf', counts), short, name: t('nameCatchingUpOf', counts) }
    }
    case 'slow':
      return { look, word: t('slow'), name: t('nameSlow', { time: formatElapsed(silentMs, locale) }) }
    case 'offline':
      return {
        look,
        word: t('offline', { clock: clock(connection.since) }),
        short: t('offlineShort'),
        name: t('nameOffline', { clock: clock(connection.since) }),
      }
    case 'crowded':
      return { look, word: t('crowded'), name: t('nameCrowded') }
    case 'signed-out':
      return { look, word: t('signedOut'), name: t('nameSignedOut') }
    case 'new-version':
      return { look, word: t('newVersion'), name: t('nameNewVersion') }
  }
}

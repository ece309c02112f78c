/**
 * The words of the connection: what the chip shows and what its button is called.
 *
 * Owns: one function from the state to both. Used by: ConnectionChip.tsx, ConnectionBar.tsx.
 */
import { useLocale, useTranslations } from 'use-intl'
import type { ConnectionState, ConnectionWord } from '@/client/connection'
import { useClockText, useElapsed } from '@/components/ui/Time'
import { formatCount, formatElapsed } from '@/lib/format'

export type ConnectionLook = ConnectionWord | 'connecting'

/** Before anything was ever heard, "offline since" would name a moment that never was. */
export const lookOf = ({ word, lastBeatAt }: ConnectionState): ConnectionLook =>
  lastBeatAt === null && (word === 'offline' || word === 'catching-up') ? 'connecting' : word

/** word: short, on the chip; name: whole, for the button. */
export function useConnectionWords(connection: ConnectionState): { look: ConnectionLook; word: string; name: string } {
  const t = useTranslations('connection')
  const locale = useLocale()
  const clock = useClockText()
  const look = lookOf(connection)
  const silentMs = useElapsed(look === 'slow' ? connection.lastBeatAt : null)
  switch (look) {
    case 'connecting':
      return { look, word: t('connecting'), name: t('nameConnecting') }
    case 'live':
      return { look, word: t('live'), name: t('nameLive', { seq: formatCount(connection.seq, locale) }) }
    case 'catching-up':
      return { look, word: t('catchingUp'), name: t('nameCatchingUp') }
    case 'slow':
      return { look, word: t('slow'), name: t('nameSlow', { time: formatElapsed(silentMs, locale) }) }
    case 'offline':
      return {
        look,
        word: t('offline', { clock: clock(connection.since) }),
        name: t('nameOffline', { clock: clock(connection.since) }),
      }
    case 'signed-out':
      return { look, word: t('signedOut'), name: t('nameSignedOut') }
    case 'new-version':
      return { look, word: t('newVersion'), name: t('nameNewVersion') }
  }
}

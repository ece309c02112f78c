/**
 * How fresh the page is: a word, the number of the last change, and behind it when the server was last heard.
 *
 * Owns: the chip, its panel, saying a changed word once. Not here: how the state comes about (client/connection.ts).
 */
import { useEffect, useRef } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { ConnectionState } from '@/client/connection'
import { announce } from '@/components/ui/announce'
import { Button, buttonClass } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Popover } from '@/components/ui/Popover'
import { TimeText } from '@/components/ui/Time'
import { formatCount, UNKNOWN } from '@/lib/format'
import { type ConnectionLook, useConnectionWords } from './connectionWords'

const DOTS: Record<ConnectionLook, string> = {
  connecting: 'border-2 border-line-strong',
  live: 'bg-done',
  'catching-up': 'border-2 border-running',
  slow: 'bg-wait-line',
  offline: 'border-2 border-failed',
  'signed-out': 'border-2 border-failed',
  'new-version': 'bg-accent',
}

export function ConnectionChip({ connection }: { connection: ConnectionState }) {
  const t = useTranslations('connection')
  const locale = useLocale()
  const { look, word, name } = useConnectionWords(connection)
  const said = useRef<ConnectionLook>('connecting')
  // Joins the announcer: the chip itself is not live, a change of its word is said once.
  useEffect(() => {
    if (said.current === look) return
    const isFirst = said.current === 'connecting' && (look === 'live' || look === 'catching-up')
    said.current = look
    if (!isFirst) announce(name, look === 'signed-out' ? 'assertive' : 'polite')
  }, [look, name])
  return (
    <Popover
      label={name}
      align="end"
      className="w-72"
      trigger={
        <button type="button" aria-label={name} className={cx(buttonClass('quiet'), 'px-2!')}>
          <span aria-hidden className={cx('size-2 rounded-person', DOTS[look])} />
          {word}
          {look === 'live' ? <span className="text-t3">· #{formatCount(connection.seq, locale)}</span> : null}
        </button>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-table">
        <dt className="text-t3">{t('lastBeat')}</dt>
        <dd>{connection.lastBeatAt === null ? UNKNOWN : <TimeText at={connection.lastBeatAt} />}</dd>
        <dt className="text-t3">{t('change')}</dt>
        <dd>{connection.seq === 0 ? UNKNOWN : `#${formatCount(connection.seq, locale)}`}</dd>
        <dt className="text-t3">{t('node')}</dt>
        <dd className="font-mono">{connection.node ?? UNKNOWN}</dd>
      </dl>
      {look === 'new-version' ? (
        <Button look="primary" className="mt-3" onClick={() => window.location.reload()}>
          {t('reload')}
        </Button>
      ) : null}
    </Popover>
  )
}

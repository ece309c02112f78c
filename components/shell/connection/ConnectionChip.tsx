import { type ComponentProps, useEffect, useRef } from 'react'
import type { ConnectionState } from '@/client/connection'
import { useConnection } from '@/client/hooks'
import { announce } from '@/components/ui/announce'
import { buttonClass } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Popover } from '@/components/ui/overlays/Popover'
import { formatCount } from '@/lib/format'
import { ConnectionPanel } from '../lazy'
import { type ConnectionLook, useConnectionWords } from './connectionWords'

const DOTS: Record<ConnectionLook, string> = {
  connecting: 'border-2 border-line-strong',
  live: 'bg-done',
  'catching-up': 'border-2 border-running',
  slow: 'bg-wait-line',
  offline: 'border-2 border-failed',
  crowded: 'border-2 border-failed',
  'signed-out': 'border-2 border-failed',
  'new-version': 'bg-accent',
}

const LASTED_MS = 1_000

export function ConnectionChip() {
  const connection = useConnection()
  const { look, name } = useConnectionWords(connection)
  const said = useRef<ConnectionLook>('live')
  // Joins the announcer: the chip is not a live region. A state is announced once it has lasted; catching up is only transient.
  useEffect(() => {
    if (look === said.current || look === 'catching-up' || look === 'connecting') return
    const timer = setTimeout(() => {
      said.current = look
      announce(name, look === 'signed-out' ? 'assertive' : 'polite')
    }, LASTED_MS)
    return () => clearTimeout(timer)
  }, [look, name])
  return (
    <Popover
      content={() => <ConnectionPanel connection={connection} />}
      label={name}
      align="end"
      className="w-72"
      trigger={<ConnectionButton connection={connection} />}
    />
  )
}

/** The chip as a button; its name holds the word and the meaning of the dot. */
export function ConnectionButton({ connection, ...rest }: ComponentProps<'button'> & { connection: ConnectionState }) {
  const { look, word, short, name } = useConnectionWords(connection)
  return (
    <button
      {...rest}
      type="button"
      aria-label={name}
      className={cx(
        buttonClass('quiet'),
        'px-2!',
        short !== undefined ? 'md:min-w-0 md:shrink!' : look !== 'live' && 'min-w-0 shrink!',
      )}
    >
      <span aria-hidden className={cx('size-2 shrink-0 rounded-person', DOTS[look])} />
      {short === undefined ? null : <span className="md:hidden group-data-notice/top:hidden">{short}</span>}
      {/* Beside a notice a phone has room for the dot. */}
      <span className={cx('cut max-md:group-data-notice/top:hidden', short !== undefined && 'max-md:hidden')}>
        {word}
      </span>
      {look === 'live' ? (
        <span className="text-left text-t3 max-md:group-data-notice/top:hidden md:min-w-[6ch]">
          · #{formatCount(connection.seq)}
        </span>
      ) : null}
    </button>
  )
}

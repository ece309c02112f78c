import type { ReactNode } from 'react'
import { cx } from '../cx'

type WaitLineProps = { children: ReactNode; reach?: 'short' | 'normal' | 'full'; className?: string }

/** A dashed line and what it says ("waits for you · 12 m"). `reach`: how long the line is. */
export function WaitLine({ children, reach = 'normal', className }: WaitLineProps) {
  return (
    <span className={cx('flex min-w-0 items-center gap-2 text-meta text-waiting', className)}>
      <span
        aria-hidden
        className={cx('dash', reach === 'full' ? 'min-w-3 grow' : reach === 'short' ? 'w-5 shrink-0' : 'w-8 shrink-0')}
      />
      <span className="min-w-0 text-pretty">{children}</span>
    </span>
  )
}

/** The dash alone, for rows that end it with an avatar. */
export const Dash = ({ className }: { className?: string }) => (
  <span aria-hidden className={cx('dash min-w-2.5', className ?? 'grow')} />
)

/** The columns left of the time, and the head of the grid. */
// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one in a window cannot be rows of a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows take the focus, their cells do not.
import type { CSSProperties, ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { isAtMost, type Room } from '@/components/tree/room'
import { cx } from '@/components/ui/cx'

/** Where the time needs the room, the times in words give way. */
export const isNarrowAt = (room: Room): boolean => isAtMost(room, 640)

/** Of the treegrid: `--list` is the width of the columns left of the time. */
export const gridStyle = (room: Room): CSSProperties => ({
  ['--list' as string]: isAtMost(room, 480)
    ? '8rem'
    : isNarrowAt(room)
      ? '11rem'
      : isAtMost(room, 800)
        ? '20rem'
        : '22rem',
  ['--tracks' as string]: isNarrowAt(room) ? 'minmax(0, 1fr)' : 'minmax(0, 1fr) 4rem 4rem',
})

export const CELLS_CLASS = 'grid w-(--list) shrink-0 grid-cols-(--tracks) items-center gap-x-1 pr-2.5'
export const columnCount = (room: Room): number => (isNarrowAt(room) ? 1 : 3)

export function TimelineHead({ room, children }: { room: Room; children: ReactNode }) {
  const t = useTranslations('timeline')
  const isNarrow = isNarrowAt(room)
  return (
    <div
      role="row"
      className="flex h-7 shrink-0 overflow-hidden border-b border-line text-meta text-t3 [scrollbar-gutter:stable]"
    >
      <span role="presentation" className={cx(CELLS_CLASS, 'border-r border-line')}>
        <span role="columnheader" className={isNarrow ? 'pl-3' : 'pl-5'}>
          {t('nameColumn')}
        </span>
        {isNarrow ? null : (
          <>
            <span role="columnheader" className="text-right">
              {t('start')}
            </span>
            <span role="columnheader" className="text-right">
              {t('time')}
            </span>
          </>
        )}
      </span>
      {children}
    </div>
  )
}

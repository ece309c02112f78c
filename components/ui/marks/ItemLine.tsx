/** An item in a list: who, where and since when, then what it says. One shape in the inbox, search, the palette and short lists. */
import type { ReactNode } from 'react'
import { cx } from '../cx'

type ItemLineProps = {
  /** An avatar, or the icon of its kind. */
  mark: ReactNode
  name: ReactNode
  /** The task; absent where the name says it. */
  place?: string
  /** What it says, cut after two lines. */
  children: ReactNode
  /** At the end of the first line: times, marks. */
  end?: ReactNode
  /** It asks something still, or was not read. */
  isNew?: boolean
}

export function ItemLine({ mark, name, place, children, end, isNew = false }: ItemLineProps) {
  return (
    <div className="flex min-w-0 grow items-start gap-2.5">
      <span className="flex w-7 shrink-0 justify-center pt-0.5 text-t3 [&>svg]:size-4">{mark}</span>
      <div className="min-w-0 grow">
        <div className="flex min-w-0 items-baseline gap-2 text-table">
          <p className="cut min-w-0 grow text-t3">
            <span className={cx('text-t1', isNew && 'font-bold')}>{name}</span>
            {place ? ` · ${place}` : null}
          </p>
          {end ? <div className="flex shrink-0 items-center gap-2 text-meta text-t3">{end}</div> : null}
        </div>
        <div className={cx('line-clamp-2 min-w-0 break-words', isNew ? 'text-t1' : 'text-t2')}>{children}</div>
      </div>
    </div>
  )
}

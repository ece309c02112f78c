/**
 * The only notice bar of the page. It is in the space of the top bar, so nothing moves when it appears or disappears; of several notices
 * the most important is shown.
 */
import { type ReactNode, useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { cx } from '@/components/ui/cx'

/** The most important first. */
const RANKS = ['signed-out', 'urgent', 'offline', 'new-version', 'desktop'] as const
type NoticeRank = (typeof RANKS)[number]

const LOOKS: Record<NoticeRank, string> = {
  'signed-out': 'bg-blocked-b text-blocked',
  urgent: 'bg-urgent-fill text-on-urgent',
  offline: 'bg-blocked-b text-blocked',
  'new-version': 'bg-blocked-b text-blocked',
  desktop: 'border border-line bg-s2',
}

/** slot: the room in the top bar; null: no top bar is drawn */
const notices = createStore<{ slot: HTMLElement | null; ranks: readonly NoticeRank[] }>()(() => ({
  slot: null,
  ranks: [],
}))
const setSlot = (slot: HTMLElement | null): void => notices.setState({ slot })

const firstOf = (ranks: readonly NoticeRank[]): NoticeRank | undefined => RANKS.find((one) => ranks.includes(one))

/** The notice that is shown: the top bar gives it the room of its search field. */
export const useNotice = (): NoticeRank | undefined => useStore(notices, ({ ranks }) => firstOf(ranks))

/** The position of the bar: rendered once, by the top bar. */
export const NoticeSlot = () => <div ref={setSlot} className="flex min-w-0 grow basis-0 empty:hidden" />

export type NoticeProps = {
  rank: NoticeRank
  /** The name of its region; without it it is none. */
  label?: string
  icon?: ReactNode
  children: ReactNode
  action: ReactNode
}

export function NoticeBar(props: NoticeProps) {
  const { rank } = props
  useEffect(() => {
    // Joins the other notices: the first of them is shown.
    notices.setState(({ ranks }) => ({ ranks: [...ranks, rank] }))
    return () => notices.setState(({ ranks }) => ({ ranks: ranks.filter((one) => one !== rank) }))
  }, [rank])
  const slot = useStore(notices, (all) => all.slot)
  const first = useNotice()
  return slot !== null && first === rank ? createPortal(<NoticeLook {...props} />, slot) : null
}

/** The look of a notice, at every position. */
export function NoticeLook({ rank, label, icon, children, action }: NoticeProps) {
  return (
    <section
      aria-label={label}
      data-notice={rank}
      className={cx(
        'flex h-10 min-w-0 grow touch:h-11 items-center gap-2.5 rounded-control px-3 text-table max-md:gap-2 max-md:px-2',
        '[&>svg]:size-4',
        LOOKS[rank],
      )}
    >
      {icon}
      <span className="line-clamp-1 min-w-0 grow max-md:line-clamp-2 max-md:text-meta">{children}</span>
      <span className="flex shrink-0 items-center gap-1.5">{action}</span>
    </section>
  )
}

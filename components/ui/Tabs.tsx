import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { Link } from '@/client/nav'
import { cx } from './cx'

const TAB = 'flex h-9 items-center gap-1.5 border-b-2 whitespace-nowrap text-table touch:h-11'
/** One class or the other: two for one property would depend on the order of the style sheet. */
const tabClass = (isChosen: boolean): string =>
  cx(TAB, isChosen ? 'border-accent font-medium text-t1' : 'border-transparent text-t2 hover:text-t1')

type Tab<Value extends string = string> = {
  value: Value
  label: string
  /** Drawn instead of the label where room is short; the accessible name stays the label. */
  short?: string
  /** null: unknown yet. */
  count?: number | null
}

function TabText({ tab, isChosen }: { tab: Tab; isChosen: boolean }) {
  const count = tab.count ?? null
  return (
    <>
      {tab.short ? (
        <>
          <span className="max-md:hidden">{tab.label}</span>
          <span className="md:hidden">{tab.short}</span>
        </>
      ) : (
        tab.label
      )}
      {tab.count === undefined ? null : (
        <span className={cx('text-meta', isChosen ? 'font-bold text-accent' : 'font-normal text-t3')}>
          {/* Keeps its place while it is unknown. */}
          {count ?? <span className="invisible">0</span>}
        </span>
      )}
    </>
  )
}

const nameOf = (tab: Tab): string =>
  `${tab.label}${tab.count === undefined || tab.count === null ? '' : ` ${tab.count}`}`

/** Roving focus: arrows, Home and End move between the tabs. */
function moveAlong(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
  const at = all.findIndex((one) => one.contains(document.activeElement))
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
  if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  all.at(to % all.length)?.focus()
}

type TabsProps = {
  /** Name of the tab list: "Details of think". */
  label: string
  tabs: readonly Tab[]
  value: string
  onChange: (value: string) => void
  /** The panel of the chosen tab. */
  children: ReactNode
  className?: string
  listClassName?: string
  panelClassName?: string
}

export function TabList({
  label,
  tabs,
  value,
  onChange,
  children,
  className,
  listClassName,
  panelClassName,
}: TabsProps) {
  const id = useId()
  const isOne = tabs.some((tab) => tab.value === value)
  const choose = (next: string): void => {
    if (next !== value) onChange(next)
  }
  return (
    <div className={className}>
      <div
        role="tablist"
        aria-label={label}
        className={cx('flex items-stretch gap-4 border-b border-line', listClassName)}
        onKeyDown={moveAlong}
      >
        {tabs.map((tab, at) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-label={nameOf(tab)}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? id : undefined}
            tabIndex={tab.value === value || (!isOne && at === 0) ? 0 : -1}
            className={tabClass(tab.value === value)}
            onClick={() => choose(tab.value)}
            onFocus={() => choose(tab.value)}
          >
            <TabText tab={tab} isChosen={tab.value === value} />
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={id}
        aria-labelledby={`${id}-${value}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is read on a panel can be reached and scrolled by keys.
        tabIndex={0}
        className={panelClassName}
      >
        {children}
      </div>
    </div>
  )
}

/**
 * Tabs that are addresses: each is a link with role tab, so that back, forward and "open in a new tab" work.
 * The pane under them carries role="tabpanel" and the id given as `panel`.
 */
export function TabLinks<Value extends string>({
  label,
  tabs,
  value,
  hrefOf,
  panel,
  className,
}: {
  label: string
  tabs: readonly Tab<Value>[]
  value: Value
  hrefOf: (value: Value) => string
  panel?: string
  className?: string
}) {
  return (
    <div
      role="tablist"
      aria-label={label}
      className={cx(
        'flex items-stretch gap-4 border-b border-line max-md:fade-on max-md:justify-between max-md:gap-2 max-md:overflow-x-auto',
        className,
      )}
      onKeyDown={moveAlong}
    >
      {tabs.map((tab) => (
        <Link
          key={tab.value}
          role="tab"
          href={hrefOf(tab.value)}
          aria-label={nameOf(tab)}
          aria-selected={tab.value === value}
          aria-controls={panel}
          tabIndex={tab.value === value ? 0 : -1}
          className={tabClass(tab.value === value)}
        >
          <TabText tab={tab} isChosen={tab.value === value} />
        </Link>
      ))}
    </div>
  )
}

export type SegmentedProps<Value extends string> = {
  label: string
  /** The words of each, in this order. */
  segments: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
  className?: string
}

/** A switch between two to four values; always one chosen. */
export function Segmented<Value extends string>({
  label,
  segments,
  value,
  onChange,
  className,
}: SegmentedProps<Value>) {
  const id = useId()
  return (
    <div role="radiogroup" aria-label={label} className={cx('inline-flex rounded-avatar bg-s3 p-0.5', className)}>
      {(Object.keys(segments) as Value[]).map((one) => (
        <label
          key={one}
          className={cx(
            'relative flex h-6 cursor-default items-center gap-1.5 rounded-control px-2.5 text-table',
            'whitespace-nowrap touch:h-10',
            one === value ? 'bg-s2 font-medium text-t1 ring-1 ring-line' : 'text-t2 hover:text-t1',
          )}
        >
          <input
            type="radio"
            name={id}
            checked={one === value}
            onChange={() => onChange(one)}
            className="absolute inset-0 appearance-none rounded-control"
          />
          {segments[one]}
        </label>
      ))}
    </div>
  )
}

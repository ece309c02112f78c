/** The figure “Who waits for whom”: members as boxes, waits as dashed lines with their time. */
import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { useNames } from '@/components/request/useNames'
import { cx } from '@/components/ui/cx'
import { Avatar, useKindName } from '@/components/ui/marks/Avatar'
import { StatusChip } from '@/components/ui/marks/StatusChip'
import { Elapsed } from '@/components/ui/marks/Time'
import { useIsNarrow } from '@/components/ui/useIsNarrow'
import { useList } from '@/components/ui/useList'
import { BOX, type Course, coursesOf, leftOf, pictureSize, topOf } from './courses'
import { type GraphGroup, type GraphNode, type GraphStep, neighbourOf } from './layout'
import { waiterOf } from './waitList'
import { useWhyStuck } from './waitWords'

/** A wider picture may have to be scrolled; on a phone every picture. */
const WIDE = 1_000
const rem = (units: number): string => `${units / 16}rem`

const STEPS: Partial<Record<string, GraphStep>> = {
  ArrowRight: 'along',
  ArrowLeft: 'against',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
}

type WaitGraphViewProps = { groups: readonly GraphGroup[]; className?: string }

export function WaitGraphView({ groups, className }: WaitGraphViewProps) {
  const t = useTranslations('waits')
  const figure = useRef<HTMLElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const ids = groups.flatMap((group) => group.nodes.map((node) => node.id))
  const tabStop = current !== null && ids.includes(current) ? current : (ids[0] ?? null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key]
    if (step === undefined || tabStop === null || event.metaKey || event.ctrlKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    const to = neighbourOf(groups, tabStop, step)
    if (to === null) return
    setCurrent(to)
    figure.current?.querySelector<HTMLElement>(`[data-node="${to}"]`)?.focus()
  }
  return (
    <figure ref={figure} aria-label={t('graph')} onKeyDown={onKeyDown} className={className}>
      {groups.map((group) => (
        <Group key={group.rows[0]?.id ?? group.nodes[0]?.id} group={group} tabStop={tabStop} onFocus={setCurrent} />
      ))}
    </figure>
  )
}

type GroupProps = { group: GraphGroup; tabStop: string | null; onFocus: (id: string) => void }

function Group({ group, tabStop, onFocus }: GroupProps) {
  const t = useTranslations('waits')
  const whyOf = useWhyStuck()
  const isNarrow = useIsNarrow()
  const { width, height } = pictureSize(group)
  const stuck = group.rows.find((row) => row.isBlocked)
  const lines = coursesOf(group)
  return (
    <div className="flex min-w-0 items-center gap-6 border-b border-line last:border-b-0 max-md:flex-col max-md:items-start max-md:gap-0">
      <div
        {...(isNarrow || width > WIDE ? { role: 'group', 'aria-label': t('graph'), tabIndex: 0 } : {})}
        className="min-w-0 overflow-x-auto focus-visible:-outline-offset-2"
      >
        <div className="relative" style={{ width: rem(width), height: rem(height) }}>
          <svg
            aria-hidden
            viewBox={`0 0 ${width} ${height}`}
            className="absolute inset-0 size-full text-wait-line"
            fill="none"
          >
            {lines.map((line) => (
              <Line key={line.id} {...line} />
            ))}
          </svg>
          {lines.map(({ id, label, since }) => (
            <span
              key={id}
              aria-hidden
              className="absolute -translate-1/2 rounded-control bg-s1 px-1 text-meta text-waiting"
              style={{ left: rem(label.x), top: rem(label.y) }}
            >
              <Elapsed since={since} />
            </span>
          ))}
          {group.nodes.map((node) => (
            <Box key={node.id} node={node} group={group} isTabStop={node.id === tabStop} onFocus={onFocus} />
          ))}
        </div>
      </div>
      {stuck ? (
        <p className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 pr-5 text-table max-md:px-4 max-md:pb-3">
          <StatusChip
            state="blocked"
            raw={stuck.state}
            detail={whyOf(stuck)}
            since={stuck.since}
            className="max-w-full"
          />
          {stuck.state === 'circle' ? t('circleWhy') : null}
        </p>
      ) : null}
    </div>
  )
}

function Line({ path, tip: { x, y, turn } }: Course) {
  return (
    <>
      <path d={path} stroke="currentColor" strokeWidth={2} strokeDasharray="7 5" />
      <path
        d="M-11 -6L0 0L-11 6"
        transform={`translate(${x} ${y}) rotate(${turn})`}
        stroke="currentColor"
        strokeWidth={2}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </>
  )
}

type BoxProps = { node: GraphNode; group: GraphGroup; isTabStop: boolean; onFocus: (id: string) => void }

function Box({ node, group, isTabStop, onFocus }: BoxProps) {
  const t = useTranslations('waits')
  const listOf = useList()
  const nameOf = useKindName()
  const namesOf = useNames()
  const { who } = node
  const isPerson = who.kind === 'human'
  const own = group.rows.filter((row) => waiterOf(row).id === node.id)
  const on = [...new Map(own.flatMap((row) => row.forWhom).map((one) => [one.id, one])).values()]
  const tasks = listOf([...new Set(own.map((row) => taskTitle(row.taskName)))])
  const style: CSSProperties = {
    left: rem(leftOf(node)),
    top: rem(topOf(node)),
    width: rem(BOX.width),
    height: rem(BOX.height),
  }
  return (
    <Link
      data-node={node.id}
      tabIndex={isTabStop ? 0 : -1}
      href={who.kind === 'system' ? pathTo('task', { taskId: node.id }) : pathTo('agent', { agentId: who.id })}
      aria-label={
        on.length === 0 ? nameOf(who) : t('nodeWaits', { who: nameOf(who), names: namesOf(on.map((one) => one.name)) })
      }
      onFocus={() => onFocus(node.id)}
      style={style}
      className={cx(
        'absolute flex min-w-0 items-center gap-2.5 border border-line-strong bg-s2 px-2.5 hover:bg-hover',
        isPerson ? 'rounded-person' : 'rounded-card',
        who.kind === 'outside' && 'border-dashed',
      )}
    >
      <Avatar who={who} size={28} />
      <span className="flex min-w-0 flex-col leading-tight">
        <span className="cut text-table font-medium">{who.name}</span>
        <span className="cut text-meta text-t3">
          {who.kind === 'system' ? t('taskItself') : tasks || (isPerson ? t('person') : who.role)}
        </span>
      </span>
    </Link>
  )
}

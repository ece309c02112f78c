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
import { type GraphEdge, type GraphGroup, type GraphNode, type GraphStep, neighbourOf } from './layout'
import { waiterOf } from './waitList'
import { useWhyStuck } from './waitWords'

/** In sixteenths of a rem, so that the picture scales with the text. */
const BOX = { width: 200, height: 50, gapX: 112, gapY: 24 } as const
const PAD = 20
/** Distance from the middle of the two lines of a pair that waits for each other. */
const TWIN = 11
/** A wider picture may have to be scrolled; on a phone every picture. */
const WIDE = 1_000
const rem = (units: number): string => `${units / 16}rem`
const leftOf = (node: GraphNode): number => PAD + node.column * (BOX.width + BOX.gapX)
const topOf = (node: GraphNode): number => PAD + node.line * (BOX.height + BOX.gapY)

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
  const width = PAD * 2 + group.columns * BOX.width + (group.columns - 1) * BOX.gapX
  const hasLoop = group.edges.some((edge) => edge.isBack && !isPair(group, edge))
  const height = PAD * 2 + group.lines * BOX.height + (group.lines - 1) * BOX.gapY + (hasLoop ? 24 : 0)
  const stuck = group.rows.find((row) => row.isBlocked)
  const lines = group.edges.flatMap((edge) => {
    const course = courseOf(group, edge)
    return course ? [{ ...edge, ...course }] : []
  })
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

/** Two that wait for each other, side by side: both lines are straight. */
const isPair = (group: GraphGroup, edge: GraphEdge): boolean =>
  group.edges.some((other) => other.from === edge.to && other.to === edge.from)

type Course = {
  path: string
  label: { x: number; y: number }
  /** The tip of the arrow, and its direction in degrees: 0 is to the right. */
  tip: { x: number; y: number; turn: number }
}

/** The path of a line from box to box, ending a little before it. */
function courseOf(group: GraphGroup, edge: GraphEdge): Course | null {
  const from = group.nodes.find((node) => node.id === edge.from)
  const to = group.nodes.find((node) => node.id === edge.to)
  if (!from || !to) return null
  const middle = (node: GraphNode): number => topOf(node) + BOX.height / 2
  const twin = isPair(group, edge) ? TWIN : 0
  if (from.id === to.id) {
    const [x, y] = [leftOf(from) + BOX.width, middle(from)]
    return {
      path: `M${x} ${y - 10}c44 -22 44 42 6 22`,
      label: { x: x + 52, y },
      tip: { x: x + 4, y: y + 11, turn: 200 },
    }
  }
  if (edge.isBack && twin > 0) {
    const [x1, x2, y1, y2] = [leftOf(from), leftOf(to) + BOX.width + 4, middle(from) + TWIN, middle(to) + TWIN]
    return {
      path: `M${x1} ${y1}L${x2} ${y2}`,
      label: { x: (x1 + x2) / 2, y: (y1 + y2) / 2 + 14 },
      tip: { x: x2, y: y2, turn: 180 },
    }
  }
  if (edge.isBack) {
    const below = PAD + group.lines * BOX.height + (group.lines - 1) * BOX.gapY + 18
    const [x1, x2] = [leftOf(from) + BOX.width / 2, leftOf(to) + BOX.width / 2]
    const y2 = topOf(to) + BOX.height + 4
    return {
      path: `M${x1} ${topOf(from) + BOX.height}V${below - 8}q0 8 -8 8H${x2 + 8}q-8 0 -8 -8V${y2}`,
      label: { x: (x1 + x2) / 2, y: below },
      tip: { x: x2, y: y2, turn: -90 },
    }
  }
  // Lines from one box to several begin one below the other.
  const siblings = group.edges.filter((one) => one.from === edge.from && !one.isBack)
  const shift = (siblings.indexOf(edge) - (siblings.length - 1) / 2) * 12 - twin
  const [x1, y1] = [leftOf(from) + BOX.width, middle(from) + shift]
  const [x2, y2] = [leftOf(to) - 4, middle(to) - twin]
  const tip = { x: x2, y: y2, turn: 0 }
  const label = { x: x1 + BOX.gapX / 2 - 8, y: y1 - 10 }
  // It bends in the last gap, so that it crosses no box in between.
  const bend = x2 - BOX.gapX + 4
  if (isBarred(group, from, to)) {
    // Behind a box it would seem to begin at that box: it runs below the row of boxes.
    const under = topOf(from) + BOX.height + BOX.gapY / 2
    const down = `M${x1} ${y1}C${x1 + 48} ${y1} ${x1 + 40} ${under} ${x1 + 88} ${under}`
    const up = `C${bend + 56} ${under} ${x2 - 64} ${y2} ${x2 - 12} ${y2}`
    return {
      path: `${down}H${bend}${up}H${x2}`,
      label: { x: x1 + BOX.gapX + BOX.width / 2, y: under },
      tip,
    }
  }
  if (Math.abs(y1 - y2) < 1) return { path: `M${x1} ${y1}H${x2}`, label, tip }
  return {
    path: `M${x1} ${y1}H${Math.max(x1, bend)}C${bend + 56} ${y1} ${x2 - 64} ${y2} ${x2 - 12} ${y2}H${x2}`,
    label: { x: (Math.max(x1, bend) + x2) / 2, y: (y1 + y2) / 2 },
    tip,
  }
}

/** Whether another member's box is between the two, in the row of the first. */
const isBarred = (group: GraphGroup, from: GraphNode, to: GraphNode): boolean =>
  group.nodes.some(({ line, column }) => line === from.line && column > from.column && column < to.column)

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
          {who.kind === 'system' ? null : tasks || (isPerson ? t('person') : who.role)}
        </span>
      </span>
    </Link>
  )
}

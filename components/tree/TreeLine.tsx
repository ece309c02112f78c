// biome-ignore-all lint/a11y/useSemanticElements: lines that are placed one by one in a window cannot be rows of a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows take the focus, their cells do not.
import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { useNow } from '@/client/clock'
import { useStaleSince } from '@/client/connection/stale'
import { cx } from '@/components/ui/cx'
import { StatusChip } from '@/components/ui/marks/StatusChip'
import { Dash } from '@/components/ui/marks/WaitLine'
import type { TreeNode } from './model/treeModel'
import type { Room } from './room'
import { useRowName } from './rowWords'
import { type CellProps, NAME_CELL, NameCell, SubtreeCounts, TimeSpent, WaitedForAvatars } from './TreeCells'
import { COLUMNS_CLASS, WideCells } from './treeColumns'

type TreeLineProps = {
  id: string
  node: TreeNode
  level: number
  /** null: it has no children. */
  isOpen: boolean | null
  isCurrent: boolean
  isSelected: boolean
  isCompact: boolean
  /** It stays at the top while its steps scroll below it: its place there, from 0. null: it scrolls. */
  pinned: number | null
  height: number
  room: Room
  onPress: (id: string) => void
  onTurn: CellProps['onTurn']
  onFocus: (id: string) => void
}

/** Drawn again only when its own node changes: what moves with its neighbours is set by `usePlaces`. */
export const TreeLine = memo(function TreeLine(props: TreeLineProps) {
  const { id, node, level, isOpen, isCurrent, isSelected, isCompact, pinned, height, room } = props
  const { onPress, onTurn, onFocus } = props
  const nameOf = useRowName()
  // Names have minutes, so that names do not change each second.
  const now = useNow(node.chip === 'running' || node.waitingSince !== null ? 'minutes' : null)
  const staleSince = useStaleSince(node.id, node.kind === 'step' && node.chip === 'running' ? node.startedAt : null)
  const cells: CellProps = { node, isOpen, staleSince, room, onTurn }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the treegrid around it has the keys.
    <div
      id={id}
      role="row"
      aria-label={nameOf(node, Math.max(now, node.waitingSince ?? node.startedAt ?? 0), staleSince)}
      aria-level={level}
      aria-expanded={isOpen ?? undefined}
      aria-selected={isSelected}
      tabIndex={isCurrent ? 0 : -1}
      data-id={node.id}
      data-kind={node.kind}
      data-state={node.state}
      data-seq={node.seq}
      data-pinned={pinned === null ? undefined : ''}
      style={{
        height,
        top: pinned === null ? 0 : pinned * height,
        ['--depth' as string]: level - 1,
        ['--twisty' as string]: isOpen === null && node.kind !== 'older' ? '1.25rem' : '0rem',
      }}
      onClick={() => onPress(node.id)}
      onFocus={() => onFocus(node.id)}
      className={cx(
        'cursor-pointer text-table whitespace-nowrap focus-visible:-outline-offset-2',
        // No containment of style: the browser computes its counters again with each line that comes or goes.
        'contain-layout contain-paint contain-size',
        pinned === null ? 'absolute inset-x-0' : 'sticky z-sticky border-b border-line',
        isSelected
          ? 'bg-sel before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent'
          : cx('hover:bg-hover', pinned !== null && 'bg-s1'),
        isCompact ? 'flex items-center pr-2.5 pl-2' : cx(COLUMNS_CLASS, 'pr-5 pl-3'),
      )}
    >
      {isCompact ? <CompactCells {...cells} /> : <WideCells {...cells} />}
    </div>
  )
})

/** The 288 px list: name, wait line to whom, time, icon. */
function CompactCells(props: CellProps) {
  const { node, staleSince } = props
  const t = useTranslations('state')
  const isWaiting = node.waitingSince !== null && (node.kind === 'agent' || node.kind === 'step')
  const isTimed = node.kind === 'step' && !isWaiting && node.chip !== 'failed' && node.startedAt !== null
  return (
    <>
      <span role="gridcell" tabIndex={-1} className={NAME_CELL}>
        <NameCell {...props} />
      </span>
      {node.kind === 'older' ? null : (
        <span role="gridcell" tabIndex={-1} className="flex shrink-0 grow items-center justify-end gap-1.5 pl-2">
          {node.kind === 'step' && isWaiting ? (
            <>
              <Dash />
              <WaitedForAvatars node={node} />
            </>
          ) : null}
          <SubtreeCounts node={node} isAlone />
          {isTimed || (node.kind === 'stage' && node.chip === 'done') ? (
            <TimeSpent node={node} className="text-meta text-t3" />
          ) : null}
          {node.kind === 'stage' && node.chip !== 'waiting' && node.chip !== 'blocked' ? (
            <span className="sr-only">{t(node.chip)}</span>
          ) : (
            <StatusChip
              state={node.chip}
              raw={node.state}
              silentSince={staleSince}
              isNarrow
              since={isWaiting && node.kind === 'step' ? node.waitingSince : null}
            />
          )}
        </span>
      )}
    </>
  )
}

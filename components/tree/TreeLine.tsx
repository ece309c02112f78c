/** One line of the tree. */
// biome-ignore-all lint/a11y/useSemanticElements: lines that are placed one by one in a window cannot be rows of a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows take the focus, their cells do not.
import { ChevronDown, ChevronRight, Layers, Undo2 } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, memo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useNow } from '@/client/clock'
import { pathTo } from '@/client/nav'
import { useStaleSince } from '@/client/stale'
import { CheckpointMark } from '@/components/directory/CheckpointMark'
import { Avatar } from '@/components/ui/Avatar'
import { cx } from '@/components/ui/cx'
import { StateIcon, StatusChip } from '@/components/ui/StatusChip'
import { StepIcon } from '@/components/ui/StepIcon'
import { Duration, Elapsed } from '@/components/ui/Time'
import { Dash } from '@/components/ui/WaitLine'
import { formatCost, formatTokens } from '@/lib/format'
import { useNodeTitle, useOnWords, useRowName } from './rowWords'
import type { TreeLineModel, TreeNode } from './treeModel'
import { useMarkOf } from './useCheckpoints'

export type TreeLineProps = {
  id: string
  line: TreeLineModel
  /** Place among all lines, from 1. */
  index: number
  isCurrent: boolean
  isSelected: boolean
  isCompact: boolean
  style: CSSProperties
  onPress: (id: string) => void
  onTurn: (id: string, isOpen: boolean) => void
  onFocus: (id: string) => void
}

/** The columns; the head uses them too. */
export const COLUMNS =
  'grid grid-cols-[minmax(0,1fr)_11.5rem_4.75rem_3.25rem_3.75rem] items-center gap-x-3 @max-[640px]/tree:grid-cols-[minmax(0,1fr)_10.5rem_4.75rem_3.75rem] @max-[560px]/tree:grid-cols-[minmax(0,1fr)_9.5rem_4.75rem] @max-[480px]/tree:grid-cols-[minmax(0,1fr)_auto_minmax(3.25rem,auto)]'
export const TOKENS = '@max-[640px]/tree:hidden'
export const COST = '@max-[560px]/tree:hidden'

const REASON_LENGTH = 80

export const TreeLine = memo(function TreeLine(props: TreeLineProps) {
  const { id, line, index, isCurrent, isSelected, isCompact, style, onPress, onTurn, onFocus } = props
  const { node, level, isOpen } = line
  const nameOf = useRowName()
  // Names say minutes: no line is named anew each second.
  const now = useNow(node.chip === 'running' || node.waitingSince !== null ? 'minutes' : null)
  const silent = useStaleSince(node.id, node.kind === 'step' && node.chip === 'running' ? node.startedAt : null)
  const indent: CSSProperties = { ['--depth' as string]: level - 1 }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the treegrid around it has the keys.
    <div
      id={id}
      role="row"
      aria-label={nameOf(node, Math.max(now, node.waitingSince ?? node.startedAt ?? 0), silent)}
      aria-level={level}
      aria-expanded={isOpen ?? undefined}
      aria-posinset={line.place}
      aria-setsize={line.of}
      aria-rowindex={index}
      aria-selected={isSelected}
      tabIndex={isCurrent ? 0 : -1}
      data-id={node.id}
      data-kind={node.kind}
      data-state={node.state}
      data-seq={node.seq}
      style={style}
      onClick={() => onPress(node.id)}
      onFocus={() => onFocus(node.id)}
      className={cx(
        'absolute inset-x-0 top-0 cursor-pointer text-table whitespace-nowrap focus-visible:-outline-offset-2',
        isSelected
          ? 'bg-sel before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent'
          : 'hover:bg-hover',
        isCompact ? 'flex items-center pr-2.5 pl-2' : cx(COLUMNS, 'pr-5 pl-3'),
      )}
    >
      {isCompact ? (
        <CompactCells node={node} silent={silent} isOpen={isOpen} indent={indent} onTurn={onTurn} />
      ) : (
        <WideCells node={node} silent={silent} isOpen={isOpen} indent={indent} onTurn={onTurn} />
      )}
    </div>
  )
})

type CellProps = { node: TreeNode; isOpen: boolean | null; indent: CSSProperties; onTurn: TreeLineProps['onTurn'] }
/** silent: a step that runs has said nothing since then, epoch ms. */
type CellsProps = CellProps & { silent: number | null }

function Twisty({ node, isOpen, onTurn }: Omit<CellProps, 'indent'>) {
  if (isOpen === null)
    return node.kind === 'step' || node.kind === 'older' ? null : <span className="size-3.5 shrink-0" />
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: arrow keys of the row do the same.
    // biome-ignore lint/a11y/noStaticElementInteractions: a second target for the pointer only.
    <span
      data-twisty
      className="relative grid size-3.5 shrink-0 place-items-center text-t3 after:absolute after:-inset-2"
      onClick={(event) => {
        event.stopPropagation()
        onTurn(node.id, !isOpen)
      }}
    >
      <Icon aria-hidden className="size-3.5" />
    </span>
  )
}

function NodeIcon({ node }: { node: TreeNode }) {
  switch (node.kind) {
    case 'task':
      return <Layers aria-hidden className="size-3.5 text-t3" />
    case 'stage':
      return <StateIcon state={node.chip} className="size-3.5" />
    case 'agent':
      return node.who ? <Avatar who={node.who} size={20} /> : null
    case 'older':
      return <Undo2 aria-hidden className="size-3.5 rotate-90 text-t3" />
    case 'step':
      return (
        <StepIcon
          skill={node.byHand ? 'by_hand' : node.stepType === 'tool' ? 'tool' : (node.executor ?? '')}
          className="size-3.5 text-t3"
        />
      )
  }
}

function NameCell({ node, isOpen, indent, onTurn }: CellProps) {
  const titleOf = useNodeTitle()
  const t = useTranslations('tree')
  const isStrong = node.kind === 'task' || node.kind === 'agent'
  const title = titleOf(node)
  return (
    <span
      role="gridcell"
      tabIndex={-1}
      style={indent}
      className="flex min-w-0 items-center gap-1.5 pl-[calc(var(--depth)*1.125rem)] @max-[480px]/tree:pl-[calc(var(--depth)*.8125rem)]"
    >
      <Twisty node={node} isOpen={isOpen} onTurn={onTurn} />
      <NodeIcon node={node} />
      <span
        title={node.kind === 'step' ? `${node.executor ?? ''} · ${title}` : title}
        className={cx('cut', isStrong && 'font-medium', node.kind === 'older' && 'text-accent')}
      >
        {title}
      </span>
      {node.kind === 'agent' && node.who?.kind === 'human' ? (
        <span className="text-t3 @max-[480px]/tree:hidden">{t('person')}</span>
      ) : null}
      <Mark node={node} />
    </span>
  )
}

/** What the agent reached in this stage; a press on it is none on the line. */
function Mark({ node }: { node: TreeNode }) {
  const checkpoint = useMarkOf(node)
  if (checkpoint === null) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the press from the line.
    <span className="inline-flex" onClick={(event) => event.stopPropagation()} onKeyDown={keepEnter}>
      <CheckpointMark
        checkpoint={checkpoint}
        look="sign"
        href={`${pathTo('directory', { list: 'checkpoints' })}?checkpoint=${encodeURIComponent(checkpoint.id)}`}
      />
    </span>
  )
}

/** Enter on the link is the link's; all other keys go on to the tree. */
const keepEnter = (event: KeyboardEvent): void => {
  if (event.key === 'Enter') event.stopPropagation()
}

function Passed({ node, className }: { node: TreeNode; className: string }) {
  const since = node.waitingSince ?? (node.endedAt === null ? node.startedAt : null)
  if (since !== null && node.chip !== 'idle') return <Elapsed since={since} className={className} />
  const ms = node.startedAt !== null && node.endedAt !== null ? node.endedAt - node.startedAt : null
  return <Duration ms={ms} className={className} />
}

function Faces({ node }: { node: TreeNode }) {
  if (node.waitsFor.length === 0 || (node.kind !== 'agent' && node.kind !== 'step')) return null
  return (
    <>
      {node.waitsFor.slice(0, 3).map((who) => (
        <Avatar key={who.id} who={who} size={20} />
      ))}
    </>
  )
}

/** What stands still below, beside the own state; `isAlone`: nothing stands before it. */
function Counts({ node, isAlone = false }: { node: TreeNode; isAlone?: boolean }) {
  const t = useTranslations('tree')
  // The faces of those waited for need the room.
  if (node.kind === 'step' || node.kind === 'older' || (node.kind === 'agent' && node.waitsFor.length > 0)) return null
  const parts = [
    node.kind !== 'agent' && node.counts.waiting > 0 && node.chip !== 'waiting'
      ? t('waitingCount', { count: node.counts.waiting })
      : null,
    node.counts.failed > 0 ? t('failedCount', { count: node.counts.failed }) : null,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  return (
    <span className="cut text-meta text-t3">
      {isAlone ? '' : '· '}
      {parts.join(' · ')}
    </span>
  )
}

function WideCells({ node, silent, isOpen, indent, onTurn }: CellsProps) {
  const locale = useLocale()
  const onWords = useOnWords()
  const number = 'text-right text-meta text-t2'
  if (node.kind === 'older') return <NameCell node={node} isOpen={isOpen} indent={indent} onTurn={onTurn} />
  const isFailed = node.chip === 'failed'
  return (
    <>
      <NameCell node={node} isOpen={isOpen} indent={indent} onTurn={onTurn} />
      <span role="gridcell" tabIndex={-1} className="flex min-w-0 items-center gap-[5px]">
        <span className="flex min-w-0 overflow-hidden @max-[560px]/tree:hidden">
          <StatusChip
            state={node.chip}
            raw={node.state}
            silentSince={silent}
            on={node.waitsFor.length > 0 ? onWords(node.waitsFor) : undefined}
            detail={isFailed && node.reason ? node.reason.slice(0, REASON_LENGTH) : undefined}
            className="max-w-full"
          />
        </span>
        <span className="hidden min-w-0 overflow-hidden @max-[560px]/tree:flex">
          <StatusChip
            state={node.chip}
            raw={node.state}
            silentSince={silent}
            className="max-w-full @max-[480px]/tree:hidden"
          />
          <StatusChip
            state={node.chip}
            raw={node.state}
            silentSince={silent}
            look="narrow"
            className="hidden! max-w-full @max-[480px]/tree:inline-flex!"
          />
        </span>
        {node.waitsFor.length > 0 && (node.kind === 'agent' || node.kind === 'step') ? (
          <Dash className="w-5.5 shrink @max-[480px]/tree:hidden" />
        ) : null}
        <Faces node={node} />
        <span className="flex min-w-0 @max-[480px]/tree:hidden">
          <Counts node={node} />
        </span>
      </span>
      <span role="gridcell" tabIndex={-1} className={number}>
        <Passed node={node} className="" />
      </span>
      <span role="gridcell" tabIndex={-1} className={cx(number, TOKENS)}>
        {formatTokens(node.tokens, locale)}
      </span>
      <span role="gridcell" tabIndex={-1} className={cx(number, COST)}>
        {formatCost(node.costUsd, locale)}
      </span>
    </>
  )
}

/** The 288 px list: name, wait line to whom, time, icon. */
function CompactCells({ node, silent, isOpen, indent, onTurn }: CellsProps) {
  const isWaiting = node.waitingSince !== null && (node.kind === 'agent' || node.kind === 'step')
  const isTimed = node.kind === 'step' && !isWaiting && node.chip !== 'failed' && node.startedAt !== null
  return (
    <>
      <NameCell node={node} isOpen={isOpen} indent={indent} onTurn={onTurn} />
      {node.kind === 'older' ? null : (
        <span role="gridcell" tabIndex={-1} className="flex shrink-0 grow items-center justify-end gap-1.5 pl-2">
          {node.kind === 'step' && isWaiting ? (
            <>
              <Dash />
              <Faces node={node} />
            </>
          ) : null}
          <Counts node={node} isAlone />
          {isTimed || (node.kind === 'stage' && node.chip === 'done') ? (
            <Passed node={node} className="text-meta text-t3" />
          ) : null}
          {node.kind === 'stage' && node.chip !== 'waiting' && node.chip !== 'blocked' ? (
            <span className="sr-only">{node.state}</span>
          ) : (
            <StatusChip
              state={node.chip}
              raw={node.state}
              silentSince={silent}
              look="narrow"
              since={isWaiting && node.kind === 'step' ? node.waitingSince : null}
            />
          )}
        </span>
      )}
    </>
  )
}

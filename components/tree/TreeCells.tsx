import { ChevronDown, ChevronRight, Layers, Undo2 } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { pathTo } from '@/client/nav'
import { CheckpointMark } from '@/components/directory/CheckpointMark'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'
import { StateIcon, StatusChip } from '@/components/ui/marks/StatusChip'
import { StepIcon } from '@/components/ui/marks/StepIcon'
import { Elapsed } from '@/components/ui/marks/Time'
import { Dash } from '@/components/ui/marks/WaitLine'
import { formatDuration } from '@/lib/format'
import { missingFile } from '@/lib/mas/steps/failureCause'
import type { TreeNode } from './model/treeModel'
import { isAtMost, type Room } from './room'
import { useNodeTitle, useOnWords } from './rowWords'
import { useMarkOf } from './useCheckpoints'

const REASON_LENGTH = 80

export type CellProps = {
  node: TreeNode
  isOpen: boolean | null
  /** The last sign of a running step, once it is stale; epoch ms. */
  staleSince: number | null
  room: Room
  onTurn: (id: string, isOpen: boolean) => void
}

function Twisty({ node, isOpen, onTurn }: CellProps) {
  if (isOpen === null) return null
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

/** Of the grid cell around NameCell; `--depth` and `--twisty` (the width of one that is not there) are the line's. */
export const NAME_CELL = 'flex min-w-0 items-center gap-1.5 pl-[calc(var(--depth)*var(--indent)+var(--twisty))]'

export function NameCell(props: CellProps) {
  const { node } = props
  const titleOf = useNodeTitle()
  const t = useTranslations('tree')
  const isStrong = node.kind === 'task' || node.kind === 'agent'
  const title = titleOf(node)
  return (
    <>
      <Twisty {...props} />
      <NodeIcon node={node} />
      <span
        title={node.kind === 'step' ? `${node.executor ?? ''} · ${title}` : title}
        className={cx('cut', isStrong && 'font-medium', node.kind === 'older' && 'text-accent')}
      >
        {title}
      </span>
      {node.kind === 'agent' && node.who?.kind === 'human' && !isAtMost(props.room, 480) ? (
        <span className="text-t3">{t('person')}</span>
      ) : null}
      <Mark node={node} />
    </>
  )
}

/** The agent's checkpoint in this stage; a press on it does not reach the line. */
function Mark({ node }: { node: TreeNode }) {
  const checkpoint = useMarkOf(node)
  if (checkpoint === null) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stops the press.
    <span className="inline-flex" onClick={(event) => event.stopPropagation()} onKeyDown={keepEnter}>
      <CheckpointMark
        checkpoint={checkpoint}
        look="sign"
        href={`${pathTo('directory', { list: 'checkpoints' })}?checkpoint=${encodeURIComponent(checkpoint.id)}`}
      />
    </span>
  )
}

/** Enter opens the link; the tree gets all other keys. */
const keepEnter = (event: KeyboardEvent): void => {
  if (event.key === 'Enter') event.stopPropagation()
}

/** How long it has waited, runs, or took; a fixed time without a class is text alone. */
export function TimeSpent({ node, className }: { node: TreeNode; className?: string }) {
  const locale = useLocale()
  const since = node.waitingSince ?? (node.endedAt === null ? node.startedAt : null)
  if (since !== null && node.chip !== 'idle') return <Elapsed since={since} className={className} />
  const ms = node.startedAt !== null && node.endedAt !== null ? node.endedAt - node.startedAt : null
  const text = formatDuration(ms, locale)
  return <span className={className}>{text}</span>
}

export function WaitedForAvatars({ node }: { node: TreeNode }) {
  if (node.waitsFor.length === 0 || (node.kind !== 'agent' && node.kind !== 'step')) return null
  return (
    <>
      {node.waitsFor.slice(0, 3).map((who) => (
        <Avatar key={who.id} who={who} size={20} />
      ))}
    </>
  )
}

/** How many below wait or failed; isAlone: nothing is drawn before it. */
export function SubtreeCounts({ node, isAlone = false }: { node: TreeNode; isAlone?: boolean }) {
  const t = useTranslations('tree')
  // The avatars of those waited for need the room.
  if (node.kind === 'step' || node.kind === 'older' || (node.kind === 'agent' && node.waitsFor.length > 0)) return null
  const parts = [
    node.kind !== 'agent' && node.counts.waiting > 0 && node.chip !== 'waiting'
      ? t('waitingCount', { count: node.counts.waiting })
      : null,
    node.counts.failed > 0 ? t('failedCount', { count: node.counts.failed }) : null,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  return (
    // One that has no room wraps below the line and is not seen: a part of its word would say nothing.
    <span
      className={cx(
        'flex h-4 flex-wrap gap-x-1 overflow-hidden text-meta text-t3',
        isAlone ? 'shrink-0' : 'min-w-0 grow before:h-4 before:w-0',
      )}
    >
      {parts.map((part, at) => (
        <span key={part} className="h-4 shrink-0">{`${isAlone && at === 0 ? '' : '· '}${part}`}</span>
      ))}
    </span>
  )
}

export function TreeStateCell({ node, staleSince, room }: CellProps) {
  const t = useTranslations('tree')
  const onWords = useOnWords()
  const isNarrow = isAtMost(room, 480)
  const shortReason = (reason: string): string => {
    const path = missingFile(reason)
    return (path === null ? reason : t('fileNotFound', { path })).slice(0, REASON_LENGTH)
  }
  // Beside the inspector the column holds the word alone; the avatar says on whom.
  const isWhole = room === null
  return (
    <>
      <StatusChip
        state={node.chip}
        raw={node.state}
        silentSince={staleSince}
        isNarrow={isNarrow}
        on={isWhole && node.waitsFor.length > 0 ? onWords(node.waitsFor) : undefined}
        detail={isWhole && node.chip === 'failed' && node.reason ? shortReason(node.reason) : undefined}
        className={cx('max-w-full', isWhole && 'shrink!')}
      />
      {node.waitsFor.length > 0 && (node.kind === 'agent' || node.kind === 'step') && !isNarrow ? (
        <Dash className="w-5.5 shrink" />
      ) : null}
      <WaitedForAvatars node={node} />
      {isNarrow ? null : <SubtreeCounts node={node} />}
    </>
  )
}

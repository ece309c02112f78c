/** A state is a word: icon, word, who, how long; colour last. */
import {
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleX,
  ClockAlert,
  Hourglass,
  LoaderCircle,
  OctagonPause,
  RotateCcw,
} from 'lucide-react'
import { memo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDuration, formatElapsed, joinParts, speakElapsed } from '@/lib/format'
import type { Chip } from '@/lib/wire/rows'
import { cx } from '../cx'
import { useServerAway } from '../serverAway'
import { pulse } from './pulse'
import { useElapsed } from './Time'

export type ChipState = Chip

/** fill: of the stuck states alone. */
const LOOKS: Record<ChipState, { icon: typeof CircleCheck; text: string; fill?: string }> = {
  idle: { icon: CircleDashed, text: 'text-idle' },
  running: { icon: LoaderCircle, text: 'text-running' },
  waiting: { icon: Hourglass, text: 'text-waiting', fill: 'bg-waiting-b' },
  blocked: { icon: OctagonPause, text: 'text-blocked', fill: 'bg-blocked-b' },
  done: { icon: CircleCheck, text: 'text-done' },
  redone: { icon: RotateCcw, text: 'text-idle' },
  failed: { icon: CircleX, text: 'text-failed', fill: 'bg-failed-b' },
}

const RAW: Record<string, ChipState> = {
  init: 'idle',
  pending: 'idle',
  idle: 'idle',
  running: 'running',
  working: 'running',
  waiting: 'waiting',
  finished: 'done',
  failed: 'failed',
}
/** The chip of a raw engine value. Blocked is no raw value: callers that know of the circle or the pause pass it. */
export const chipStateOf = (raw: string): ChipState => RAW[raw] ?? 'idle'

type StateIconProps = { state: ChipState; isStale?: boolean; className?: string }

/** The icon of a state alone. `isStale` draws the clock instead. */
export const StateIcon = memo(function StateIcon({ state, isStale = false, className }: StateIconProps) {
  const isAway = useServerAway() !== null && state === 'running'
  if (isStale || isAway) return <ClockAlert className={cx('text-stale', className)} />
  const { icon: Icon, text } = LOOKS[state]
  const colour = state === 'blocked' ? '' : text
  if (state !== 'running') return <Icon aria-hidden className={cx(colour, className)} />
  return (
    <>
      <LoaderCircle ref={pulse} className={cx(colour, 'still:hidden', className)} />
      <CircleDot className={cx(colour, 'hidden still:block', className)} />
    </>
  )
})

export type StatusChipProps = {
  state: ChipState
  /** The engine's own value, for the tooltip and data-state. */
  raw: string
  /** Waiting: for whom ("Ana", "2 people"). */
  on?: string
  /** One word more after the state: the skill, the reason, "a circle". */
  detail?: string
  /** Counts up from here (epoch ms). */
  since?: number | null
  /** A fixed duration instead. */
  ms?: number | null
  /** Running, but silent since then (epoch ms): drawn hatched. */
  silentSince?: number | null
  /** Without the word (lists of 288 px). */
  isNarrow?: boolean
  className?: string
}

/** The own state of an object as a chip. The states of its children are beside it, never inside. */
export const StatusChip = memo(function StatusChip({
  state,
  raw,
  on,
  detail,
  since = null,
  ms = null,
  silentSince = null,
  isNarrow = false,
  className,
}: StatusChipProps) {
  const t = useTranslations('state')
  const locale = useLocale()
  const away = useServerAway()
  const silence = silentSince ?? away
  const isStale = state === 'running' && silence !== null
  const passed = useElapsed(isStale ? silence : since)
  const time = passed !== null ? formatElapsed(passed, locale) : ms !== null ? formatDuration(ms, locale) : null
  const spoken = passed !== null ? speakElapsed(passed, locale) : time

  const word =
    state === 'waiting' && on ? t.rich('waitingOn', { who: on, b: (text) => <b key="b">{text}</b> }) : <b>{t(state)}</b>
  const plain = state === 'waiting' && on ? t.markup('waitingOn', { who: on, b: (text) => text }) : t(state)
  const after = isStale && time !== null ? t('noSign', { time }) : time
  const said = joinParts(
    [plain, detail, isStale && spoken !== null ? t('noSign', { time: spoken }) : spoken].flatMap((part) => part || []),
    locale,
  )

  const { text, fill } = LOOKS[state]
  const isFilled = fill !== undefined || isStale
  const isIconOnly = isNarrow && (state === 'idle' || state === 'running' || state === 'done')
  const isTimeOnly = isNarrow && (state === 'waiting' || isStale)
  const parts = [detail, after].filter((part) => part)
  return (
    <span
      data-state={raw}
      title={isNarrow ? `${said} (${raw})` : raw}
      className={cx(
        'inline-flex min-w-0 shrink-0 items-center gap-1 overflow-hidden rounded-control border',
        'h-5 border-transparent text-meta whitespace-nowrap',
        isStale ? 'hatched text-stale' : cx(text, fill),
        isFilled ? (isNarrow ? 'px-1' : 'px-1.5') : '',
        className,
      )}
    >
      <StateIcon state={state} isStale={isStale} className="size-[.8125rem] stroke-2!" />
      {said === plain && !isIconOnly && !isTimeOnly ? (
        <span className="cut">{word}</span>
      ) : (
        <>
          <span className="sr-only">{said}</span>
          {isIconOnly || (isTimeOnly && time === null) ? null : isTimeOnly ? (
            <span aria-hidden>{time}</span>
          ) : (
            <span aria-hidden className="cut">
              {word}
              {isNarrow ? null : parts.map((part) => ` · ${part}`).join('')}
            </span>
          )}
        </>
      )}
    </span>
  )
})

/** One member at work: what they do or wait for, since when, and the last words of their running step. */
import { useTranslations } from 'use-intl'
import { useStepDoing, useStepText } from '@/client'
import { Link, withSearch } from '@/client/nav'
import { useOnWords } from '@/components/tasks/progress'
import { cx } from '@/components/ui/cx'
import { Avatar, useKindName } from '@/components/ui/marks/Avatar'
import { StateIcon, StatusChip } from '@/components/ui/marks/StatusChip'
import { Elapsed, useElapsed } from '@/components/ui/marks/Time'
import type { Who } from '@/lib/wire'
import { type AtWork, lastWordsOf } from '../fns/atWork'
import { doingWords } from './doingWords'
import { useKept } from './useKept'

/** A text that writes nothing for so long is stalled. */
const STALLED_AFTER_MS = 3_000

type LiveLineProps = {
  member: AtWork
  /** Two lines of text where there is room, else one. */
  isRoomy: boolean
  pausedBy: Who | null
}

export function LiveLine({ member: { lane, step }, isRoomy, pausedBy }: LiveLineProps) {
  const nameOf = useKindName()
  const told = useStepText(lane.running)
  const words = told === null ? '' : lastWordsOf(told.text)
  const isTextKept = useKept(words === '' ? NO_TEXT : TEXT).size > 0
  return (
    <li data-id={lane.agent} data-kind="at-work" data-state={lane.chip} className="min-w-0">
      <div className="flex h-7 min-w-0 items-center gap-2 text-table touch:h-9">
        <Avatar who={lane.who} size={20} />
        <b title={nameOf(lane.who)} className="cut max-w-40 shrink-0 font-medium max-md:max-w-24">
          {lane.who.name}
        </b>
        {lane.running === null ? (
          <Stopped lane={lane} pausedBy={pausedBy} />
        ) : (
          <Running step={lane.running} name={step?.name ?? ''} from={step?.from ?? null} wroteAt={told?.at ?? null} />
        )}
      </div>
      {isTextKept ? (
        <div
          className={cx(
            'mb-1 ml-2.5 flex flex-col justify-end overflow-hidden border-l pl-4 text-meta text-t3 max-md:h-4',
            isRoomy ? 'h-8' : 'h-4',
            words === '' ? 'border-transparent' : 'border-line',
          )}
        >
          <div data-kind="last-words" className="shrink-0 break-words whitespace-pre-wrap">
            {words}
          </div>
        </div>
      ) : null}
    </li>
  )
}
const TEXT = ['text']
const NO_TEXT: readonly string[] = []

function Stopped({ lane, pausedBy }: { lane: AtWork['lane']; pausedBy: Who | null }) {
  const t = useTranslations()
  const onWords = useOnWords()
  const { chip, cause, waitsFor, waitingSince } = lane
  const isPaused = cause === 'paused' && pausedBy !== null
  const why =
    cause === null ? undefined : isPaused ? t('chat.pausedBy', { who: pausedBy.name }) : t(`progress.why.${cause}`)
  return (
    <StatusChip
      state={waitingSince === null ? 'idle' : chip}
      raw={chip}
      on={onWords(waitsFor)}
      detail={why}
      since={waitingSince}
      className="max-w-full shrink!"
    />
  )
}

type RunningProps = { step: string; name: string; from: number | null; wroteAt: number | null }

function Running({ step, name, from, wroteAt }: RunningProps) {
  const t = useTranslations('chat.atWork')
  const doing = useStepDoing(step)
  const silentMs = useElapsed(doing?.what === 'writing' ? wroteAt : null)
  const isStalled = silentMs !== null && silentMs >= STALLED_AFTER_MS
  const since = isStalled ? wroteAt : (doing?.since ?? from)
  return (
    <Link
      href={withSearch({ inspect: `StepState_${step}`, tab: null })}
      data-doing={doing?.what}
      className="flex h-full min-w-0 items-center gap-1.5 text-t2 hover:underline focus-visible:-outline-offset-2"
    >
      <StateIcon state={doing?.what === 'queued' ? 'idle' : 'running'} className="size-3.5 shrink-0" />
      <span className="cut">{doingWords(t, name, doing, isStalled)}</span>
      {since === null ? null : <Elapsed since={since} className="shrink-0 text-meta text-t3" />}
    </Link>
  )
}

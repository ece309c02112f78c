/** The stages of a task in their order; retried stages hang above the one that replaced them. */
import { CornerRightDown } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { useStageChip } from '@/components/tasks/progress'
import { cx } from '@/components/ui/cx'
import { moveFocus } from '@/components/ui/fields/keyboard'
import { StateIcon } from '@/components/ui/marks/StatusChip'
import { Duration, Elapsed } from '@/components/ui/marks/Time'
import { useList } from '@/components/ui/useList'
import { gather } from '@/lib/gather'
import type { StageRecord } from '@/lib/mas/records'
import { placeInPlan, replacementOf } from '@/lib/mas/stages/plan'
import { isOpen } from '@/lib/mas/statuses'
import { stageName } from '@/lib/mas/tasks/taskTitle'
import type { TaskWorld } from '../useTaskWorld'

/** How much of the stage before the current one stays in view. */
const KEEP_BEFORE_PX = 72

/** Few stages share the width of the pane; many have a minimum width, and the rail scrolls. */
const widthOf = (stages: number): CSSProperties & { '--stage-width': string } => ({
  '--stage-width': `max(16rem, calc((100cqw - 2.5rem) / ${stages} - 2.25rem))`,
})

export function StageRail({ task }: { task: TaskWorld }) {
  const t = useTranslations('chat')
  const listOf = useList()
  const list = useRef<HTMLOListElement>(null)
  const currentId = task.stages.find(({ state }) => state === 'running')?.id
  useEffect(() => {
    // Joins the scroll position: the current stage is scrolled into view.
    const current = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (currentId && list.current && current) list.current.scrollLeft = current.offsetLeft - KEEP_BEFORE_PX
  }, [currentId])
  const [lookedAt, setLookedAt] = useState<string | null>(null)
  const look = (event: { target: EventTarget }): void =>
    setLookedAt(event.target instanceof Element ? (event.target.closest('a')?.dataset.id ?? null) : null)
  if (task.isBase || task.stages.length === 0) return null
  const branches = branchesOf(task.stages)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key]
    if (step === undefined) return
    event.preventDefault()
    moveFocus([...(list.current?.querySelectorAll('a') ?? [])], step)
  }
  const shown = task.stages.find(({ id }) => id === lookedAt)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only tells which stage is looked at.
    <div
      className="relative max-md:min-w-32 max-md:flex-1 short:hidden"
      onFocus={look}
      onBlur={() => setLookedAt(null)}
      onPointerOver={look}
      onPointerLeave={() => setLookedAt(null)}
    >
      <ol
        ref={list}
        aria-label={t('stages')}
        onKeyDown={onKeyDown}
        style={widthOf(branches.length)}
        className="relative mt-1.5 flex items-end gap-2 overflow-x-auto pb-1"
      >
        {branches.map(({ stage, earlier }, at) => (
          <li key={stage.id} className="flex min-w-0 shrink-0 items-end gap-2">
            {at > 0 ? (
              <span aria-hidden className="mb-3.5 w-5 border-t border-line-strong touch:mb-4.5 max-md:w-3" />
            ) : null}
            <span className="flex min-w-0 flex-col items-start">
              {earlier.map((old) => (
                <span key={old.id} className="flex items-center gap-1 pl-1 text-t3">
                  <StageLink task={task} stage={old} isSmall />
                  <CornerRightDown className="size-3.5" />
                </span>
              ))}
              <StageLink task={task} stage={stage} isCurrent={stage.id === currentId} />
            </span>
          </li>
        ))}
      </ol>
      {shown === undefined ? null : (
        <p className="pointer-events-none absolute top-full left-0 z-popover max-w-full rounded-control border border-line bg-s2 px-2.5 py-1.5 text-table break-words shadow-overlay">
          {`${placeInPlan(task.stages, shown.id).number} ${tipOf(task, shown, listOf)}`}
        </p>
      )}
    </div>
  )
}

function tipOf(task: TaskWorld, stage: StageRecord, listOf: (names: readonly string[]) => string): string {
  const allocated = Object.keys(stage.allocation).map((id) => task.who(id as keyof typeof stage.allocation).name)
  return [stage.intention, listOf(allocated), stage.reason ?? ''].filter((part) => part !== '').join(' · ')
}

type StageLinkProps = { task: TaskWorld; stage: StageRecord; isCurrent?: boolean; isSmall?: boolean }

function StageLink({ task, stage, isCurrent = false, isSmall = false }: StageLinkProps) {
  const t = useTranslations()
  const listOf = useList()
  const state = useStageChip(stage.task)(stage)
  const { number } = placeInPlan(task.stages, stage.id)
  const whyEnded = state === 'failed' ? stage.reason : null
  const waits = isCurrent ? task.requests.filter((one) => one.stage === stage.id && isOpen(one)).length : 0
  return (
    <Link
      href={pathTo('stage', { taskId: stage.task, stageId: stage.id })}
      aria-current={isCurrent ? 'step' : undefined}
      aria-description={tipOf(task, stage, listOf)}
      data-id={stage.id}
      data-kind="stage"
      data-state={stage.state}
      className={cx(
        'relative flex max-w-(--stage-width) items-center max-md:max-w-52 gap-1.5 rounded-control px-1.5 text-table whitespace-nowrap hover:bg-hover focus-visible:-outline-offset-2',
        isSmall ? 'min-h-6 text-meta' : 'min-h-7 touch:min-h-9',
        isCurrent && 'bg-s3',
      )}
    >
      <StateIcon state={state} className="size-4 shrink-0" />
      <span className={cx('cut', !isCurrent && 'max-md:sr-only')}>
        {isCurrent ? <b>{`${number} ${stageName(stage)}`}</b> : `${number} ${stageName(stage)}`}
      </span>
      <span className="sr-only">{t(`state.${state}`)}</span>
      {stage.startedAt === null ? null : (
        <span className={cx('shrink-0 text-meta text-t3', !isCurrent && 'max-md:hidden')}>
          {stage.endedAt === null ? (
            <Elapsed since={stage.startedAt} />
          ) : (
            <Duration ms={stage.endedAt - stage.startedAt} />
          )}
          {waits > 0 ? (
            <span className="max-md:sr-only">{` · ${t('chat.waitingCount', { count: waits })}`}</span>
          ) : null}
        </span>
      )}
      {whyEnded === null ? null : <span className="cut text-meta text-failed max-md:sr-only">{whyEnded}</span>}
    </Link>
  )
}

/** The stages of the plan, each with those that it replaced. */
export const branchesOf = (stages: readonly StageRecord[]): { stage: StageRecord; earlier: StageRecord[] }[] =>
  [...gather(stages, (stage) => [replacementOf(stages, stage)])].map(([stage, all]) => ({
    stage,
    earlier: all.filter((one) => one !== stage),
  }))

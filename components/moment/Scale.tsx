/** The slider of moments: how changes are spread, marks, and the moment that is shown. */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { cx } from '@/components/ui/cx'
import type { MarkKind, MomentsOfTask } from '@/lib/wire/http'
import { endsOf, marksOn, seqAtShare, shareOf } from './steps'

const MARKS: Record<MarkKind, string> = {
  stage: 'bg-t3',
  checkpoint: 'bg-accent',
  ask: 'bg-waiting',
  answer: 'bg-done',
  failure: 'bg-failed',
}
const HEIGHT = 100

type ScaleProps = {
  whole: MomentsOfTask
  seq: number
  /** How the moment is read aloud. */
  text: string
  onKey: (event: KeyboardEvent) => void
  goTo: (seq: number) => void
}

export function Scale({ whole, seq, text, onKey, goTo }: ScaleProps) {
  const t = useTranslations('moment')
  const slider = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Keys work at once: the slider gets the focus unless something else has it.
    if (document.activeElement === document.body) slider.current?.focus()
  }, [])
  const { first, last } = endsOf(whole)
  const point = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    goTo(seqAtShare(whole, Math.min(1, Math.max(0, (event.clientX - box.left) / box.width))))
  }
  return (
    <div
      ref={slider}
      role="slider"
      tabIndex={0}
      aria-label={t('slider')}
      aria-valuemin={first}
      aria-valuemax={last}
      aria-valuenow={Math.min(last, Math.max(first, seq))}
      aria-valuetext={text}
      data-moment
      onKeyDown={onKey}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        point(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) point(event)
      }}
      className="relative h-7 min-w-0 grow basis-40 cursor-pointer touch-none rounded-control border border-line bg-s2 touch:h-11"
    >
      <svg
        aria-hidden
        viewBox={`0 0 ${Math.max(1, whole.buckets.length)} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full fill-line-strong"
      >
        <path d={spread(whole)} />
      </svg>
      {marksOn(whole).map(({ kind, share }) => (
        <span
          key={`${kind} ${share}`}
          aria-hidden
          data-mark={kind}
          style={{ left: `${share * 100}%` }}
          className={cx('absolute top-0 h-1.5 w-0.5 -translate-x-1/2', MARKS[kind])}
        />
      ))}
      <span
        aria-hidden
        style={{ left: `${shareOf(whole, seq) * 100}%` }}
        className="absolute inset-y-0 w-1 -translate-x-1/2 rounded-control bg-accent"
      />
    </div>
  )
}

/** How fast changes came: of equally many changes, those that took less time stand higher. */
function spread({ buckets }: MomentsOfTask): string {
  const until = buckets.slice(1).map(({ at }, n) => Math.max(1, at - (buckets[n]?.at ?? at)))
  // When the last one ends is not known.
  const times = buckets.map((_, n) => until[n] ?? until.at(-1) ?? 1)
  const shortest = Math.min(...times)
  return times
    .map((ms, n) => {
      const height = Math.max(4, (HEIGHT * 0.7) / (1 + Math.log10(ms / shortest)))
      return `M${n} ${HEIGHT}v${-Math.round(height)}h1v${Math.round(height)}z`
    })
    .join('')
}

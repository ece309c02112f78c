/** The bar of time travel: which moment is shown, the slider, playing, comparing, back to live. */
import { GitCompareArrows, Link2, Play, Radio, Square } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRecords } from '@/client'
import { useAction } from '@/client/actions/keyboard'
import { useNow } from '@/client/clock'
import { setMomentTime } from '@/client/momentTime'
import { setSearch, withSearch } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { whoInWorld } from '@/components/request'
import { announce } from '@/components/ui/announce'
import { Button, IconButton } from '@/components/ui/Button'
import { Select } from '@/components/ui/fields/Choice'
import { useTimeStyle } from '@/components/ui/marks/Time'
import { useCopyLink } from '@/components/ui/useCopyLink'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { formatElapsed, formatSeconds, joinList } from '@/lib/format'
import type { AgentId } from '@/lib/mas/ids'
import type { MomentChanges, MomentMark, MomentsOfTask } from '@/lib/wire/http'
import type { TaskMoment } from '@/lib/wire/views'
import { MomentComparison } from './lazy'
import { Scale } from './Scale'
import { changeAt, endsOf, lastUntil, type MomentList, markedBeside, stepped } from './steps'
import { SPEEDS, type Speed, usePlaying } from './usePlaying'

/** Fewer known changes than these on one side: those around are asked for. */
const LEAST_NEAR = 100

const show = (seq: number): void => setSearch({ at: String(seq) }, { replace: true })
const backToLive = (): void => setSearch({ at: null })

/** The changes of the task, and those around a moment; null until they have come. */
function useMomentList({ task, seq }: TaskMoment) {
  const [around, setAround] = useState(seq)
  const path = `/api/tasks/${task}/moments`
  const whole = useApiQuery<MomentsOfTask>(path)
  const near = useApiQuery<MomentChanges>(`${path}/changes?around=${around}`, { keepsLast: true })
  const changes = near.data?.changes ?? null
  const isShort = changes !== null && isNearEnd(changes, near.data?.of ?? 0, seq)
  if (isShort && around !== seq) setAround(seq)
  const list: MomentList | null = whole.data && changes ? { whole: whole.data, near: changes } : null
  return { list, of: near.data?.of ?? 0, refused: whole.error ?? near.error }
}

function isNearEnd(near: MomentChanges['changes'], of: number, seq: number): boolean {
  const at = near.findLastIndex((one) => one.seq <= seq)
  const [first, last] = [near[0]?.place ?? 1, near.at(-1)?.place ?? of]
  return (first > 1 && at < LEAST_NEAR) || (last < of && near.length - at <= LEAST_NEAR)
}

export default function MomentBar({ moment }: { moment: TaskMoment }) {
  const t = useTranslations('moment')
  const faultWords = useFaultWords()
  const { seq, task } = moment
  const { list, of, refused } = useMomentList(moment)
  const said = useMomentWords(moment, list, of)
  const [speed, setSpeed] = useState<Speed>(10)
  const last = list === null ? seq : endsOf(list.whole).last
  const { isPlaying, stop, toggle } = usePlaying(speed, said.at, (at) => {
    const next = list === null ? null : lastUntil(list.near, at)
    if (next !== null && next.seq > seq) show(next.seq)
    return (next?.seq ?? seq) < last
  })
  const goTo = (next: number): void => {
    stop()
    show(next)
  }
  const step = (by: number): void => {
    if (list !== null) goTo(stepped(list, seq, by))
  }
  useAction('previousChange', 'moment', { run: () => step(-1) })
  useAction('nextChange', 'moment', { run: () => step(1) })
  useAction('play', 'moment', { run: list === null || seq >= last ? null : toggle })
  // Joins the clock of what is shown.
  useEffect(() => setMomentTime(said.at), [said.at])
  useEffect(() => () => setMomentTime(null), [])
  useEffect(() => {
    // Announced once, not at each change.
    announce(t('began'))
  }, [t])
  return (
    <section
      aria-label={t('region')}
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 border-t-2 border-dashed border-accent bg-s1 px-4 py-2"
    >
      <p className="w-full min-w-0 text-table">{said.looking}</p>
      {list === null ? (
        <p className="grow text-t2">{refused === null ? t('loading') : `${t('failed')} ${faultWords(refused)}`}</p>
      ) : (
        <Scale
          whole={list.whole}
          seq={seq}
          text={said.text}
          goTo={goTo}
          onKey={(event) => onSliderKey(event, { list, seq, step, goTo, toggle })}
        />
      )}
      <span className="flex items-center gap-2">
        <Button
          icon={isPlaying ? <Square /> : <Play />}
          isDisabled={list === null || seq >= last}
          reason={list === null ? t('loading') : t('atEnd')}
          onClick={toggle}
        >
          {isPlaying ? t('stop') : t('play')}
        </Button>
        <Select
          label={t('speed')}
          isLabelHidden
          value={String(speed)}
          onChange={(next) => setSpeed(SPEEDS.find((one) => String(one) === next) ?? 1)}
          options={SPEEDS.map((one) => ({ value: String(one), label: t('times', { count: one }) }))}
        />
      </span>
      <Comparing task={task} seq={seq} />
      <LinkButtonOf seq={seq} />
      <Button look="primary" icon={<Radio />} onClick={backToLive}>
        {t('back')}
      </Button>
    </section>
  )
}

type SliderActs = {
  list: MomentList
  seq: number
  step: (by: number) => void
  goTo: (seq: number) => void
  toggle: () => void
}

/** Page Up goes back in time, as it goes up in a log. */
function onSliderKey(event: KeyboardEvent, { list, seq, step, goTo, toggle }: SliderActs): void {
  const { first, last } = endsOf(list.whole)
  const acts = new Map<string, () => void>([
    ['ArrowLeft', () => step(event.shiftKey ? -100 : -1)],
    ['ArrowDown', () => step(event.shiftKey ? -100 : -1)],
    ['ArrowRight', () => step(event.shiftKey ? 100 : 1)],
    ['ArrowUp', () => step(event.shiftKey ? 100 : 1)],
    ['PageUp', () => goTo(markedBeside(list, seq, -1) ?? first)],
    ['PageDown', () => goTo(markedBeside(list, seq, 1) ?? last)],
    ['Home', () => goTo(first)],
    ['End', () => goTo(last)],
    [' ', toggle],
  ])
  const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts.get(event.key)
  if (act === undefined) return
  event.preventDefault()
  event.stopPropagation()
  act()
}

/** The sentences of a moment, with the names that its task knows. */
function useMomentWords({ task, seq }: TaskMoment, list: MomentList | null, of: number) {
  const t = useTranslations('moment')
  const how = useTimeStyle()
  const now = useNow('minutes')
  const world = useRecords(`task:${task}`, ({ agents, team }) => ({ agents, team }))
  const nameOf = (id: string): string => whoInWorld(world, id as AgentId).name
  const wordsOf = ({ kind, who, whom }: MomentMark): string => {
    switch (kind) {
      case 'ask':
        return t('mark.ask', { who: who === null ? '' : nameOf(who), whom: joinList(whom.map(nameOf), how.locale) })
      case 'answer':
        return t('mark.answer', { who: who === null ? '' : nameOf(who) })
      case 'failure':
        return who === null ? t('mark.failed') : t('mark.failure', { who: nameOf(who) })
      case 'checkpoint':
        return t('mark.checkpoint', { who: who === null ? '' : nameOf(who) })
      case 'stage':
        return t('mark.stage')
    }
  }
  const change = list === null ? null : changeAt(list.near, seq)
  if (change === null) return { at: null, text: '', looking: t('lookingAt', { seq }) }
  const time = formatSeconds(change.at, how)
  const place = t('place', { time, place: change.place, of })
  const ago = formatElapsed(Math.max(0, now - change.at), how.locale)
  return {
    at: change.at,
    text: change.mark === null ? place : t('placeMark', { place, mark: wordsOf(change.mark) }),
    looking: t('looking', { time, ago }),
  }
}

/** Two buttons: with now, and with a moment that was kept for it. */
function Comparing({ task, seq }: { task: string; seq: number }) {
  const t = useTranslations('moment')
  const [kept, setKept] = useState<number | null>(null)
  const [to, setTo] = useState<number | null | 'none'>('none')
  const [from, until] = to === null || to === 'none' || to > seq ? [seq, to] : [to, seq]
  return (
    <>
      <Button icon={<GitCompareArrows />} onClick={() => setTo(null)}>
        {t('compareNow')}
      </Button>
      <Button look="quiet" onClick={() => (kept === null || kept === seq ? setKept(seq) : setTo(kept))}>
        {kept === null || kept === seq ? t('keep') : t('compareKept', { seq: kept })}
      </Button>
      {to === 'none' || until === 'none' ? null : (
        <MomentComparison
          task={task}
          from={from}
          to={until}
          title={until === null ? t('withNow') : t('between', { from, to: until })}
          onClose={() => setTo('none')}
        />
      )}
    </>
  )
}

function LinkButtonOf({ seq }: { seq: number }) {
  const t = useTranslations('moment')
  const copy = useCopyLink()
  return <IconButton icon={<Link2 />} label={t('link')} onClick={() => copy(withSearch({ at: String(seq) }))} />
}

/**
 * The texts of rows: what is on them, and the accessible name: "think, step of Coder, Done, started 10:42:01, 3.2 seconds".
 *
 * Running times are in minutes, so that a name does not change each second.
 */
import { useLocale, useTranslations } from 'use-intl'
import { useKindName } from '@/components/ui/marks/Avatar'
import { useTimeStyle } from '@/components/ui/marks/Time'
import { formatDuration, formatSeconds, joinList, joinParts, speakElapsed } from '@/lib/format'
import type { TimelineBar, TimelineLane, Who } from '@/lib/wire/rows'
import { type BarSpan, openWait, spanOf } from './model/barTimes'

/** The words on the row itself. */
export function useBarTitle(): (bar: TimelineBar) => string {
  const t = useTranslations('tree')
  return ({ name, attempt }) => (attempt > 1 ? t('try', { name, number: String(attempt) }) : name)
}

export type RowNames = {
  laneName: (lane: TimelineLane, now: number) => string
  barName: (bar: TimelineBar, lane: TimelineLane, now: number) => string
}

export function useRowNames(): RowNames {
  const t = useTranslations()
  const locale = useLocale()
  const how = useTimeStyle()
  const titleOf = useBarTitle()
  const kindName = useKindName()
  const namesOf = (who: readonly Who[]): string =>
    joinList(
      who.map(({ name }) => name),
      locale,
    )
  const state = (chip: TimelineBar['chip'], on: readonly Who[]): string =>
    chip === 'waiting' && on.length > 0 ? t('tree.waitingOn', { who: namesOf(on) }) : t(`state.${chip}`)
  const lengthOf = ({ from, to }: BarSpan, now: number): string | null => {
    if (to === null) return now - from < 60_000 ? null : speakElapsed(now - from, locale)
    return to - from < 10_000 ? formatDuration(to - from, locale) : speakElapsed(to - from, locale)
  }
  const started = (at: number): string => t('timeline.started', { time: formatSeconds(at, how) })
  const joined = (parts: readonly (string | null)[]): string =>
    joinParts(
      parts.flatMap((part) => part ?? []),
      locale,
    )
  return {
    laneName: (lane, now) =>
      joined([
        kindName(lane.who),
        state(lane.chip, lane.waitsFor),
        lane.waitingSince === null ? null : lengthOf({ from: lane.waitingSince, to: null }, now),
        t('timeline.bars', { count: lane.bars }),
      ]),
    barName: (bar, lane, now) => {
      const wait = openWait(bar)
      const span = spanOf(bar)
      return joined([
        bar.kind === 'request'
          ? t('timeline.requestTo', { who: lane.who.name })
          : t('tree.stepOf', {
              step: bar.stepType === 'tool' ? t('tree.tool', { name: bar.executor ?? '' }) : (bar.executor ?? ''),
              who: lane.who.name,
            }),
        state(bar.chip, wait?.on ?? []),
        span && started(span.from),
        wait ? lengthOf(wait, now) : span && lengthOf(span, now),
        ...bar.waits.flatMap(({ from, to, on }) =>
          to === null || on.length === 0
            ? []
            : t('timeline.waitedFor', { who: namesOf(on), time: speakElapsed(to - from, locale) }),
        ),
        titleOf(bar),
        bar.byHand ? t('tree.byHand') : null,
      ])
    },
  }
}

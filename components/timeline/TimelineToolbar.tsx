/** What the critical path says, and what changes the picture. */
import { LocateFixed, Minus, Plus } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import { useActionLook } from '@/client/actions/actionLook'
import { Button, IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Checkbox } from '@/components/ui/fields/Choice'
import { formatDuration } from '@/lib/format'
import type { TimelineTotals } from '@/lib/wire/rows'
import type { TimeView } from './useTimeView'

/** What the reader switched on. */
export type PictureChoice = { isSqueezed: boolean; isPathShown: boolean }

type TimelineToolbarProps = PictureChoice & {
  totals: TimelineTotals
  view: TimeView
  choose: (change: Partial<PictureChoice>) => void
}

export function TimelineToolbar({ totals, view, isSqueezed, isPathShown, choose }: TimelineToolbarProps) {
  const t = useTranslations('timeline')
  const follow = useActionLook()('follow', 'timeline')
  return (
    <div
      role="toolbar"
      aria-label={t('tools')}
      className={cx(
        'flex shrink-0 flex-wrap items-center justify-end gap-x-1 px-5 py-1',
        '@max-[480px]/timeline:justify-between @max-[480px]/timeline:gap-x-0 @max-[480px]/timeline:px-3',
      )}
    >
      <p className="mr-auto min-w-0 text-meta text-t2 @max-[480px]/timeline:w-full">
        {isPathShown ? <PathWords totals={totals} /> : null}
      </p>
      <span className="flex flex-wrap items-center gap-x-4 pr-2">
        <Checkbox label={t('squeeze')} isChecked={isSqueezed} onChange={(next) => choose({ isSqueezed: next })} />
        <Checkbox label={t('path')} isChecked={isPathShown} onChange={(next) => choose({ isPathShown: next })} />
      </span>
      <span className="flex items-center">
        <IconButton
          icon={<Minus aria-hidden />}
          label={t('zoomOut')}
          isDisabled={view.isFit}
          reason={t('fits')}
          onClick={() => view.zoomStep(-1)}
        />
        <IconButton icon={<Plus aria-hidden />} label={t('zoomIn')} onClick={() => view.zoomStep(1)} />
        <Button look="quiet" isDisabled={view.isFit} reason={t('fits')} onClick={view.showAll}>
          {t('fit')}
        </Button>
        {view.isOpenEnded ? (
          <Button
            look="quiet"
            aria-pressed={view.isFollowing}
            aria-keyshortcuts={follow.shortcuts}
            icon={<LocateFixed aria-hidden />}
            className={view.isFollowing ? 'bg-accent-soft! text-accent!' : undefined}
            onClick={() => view.setFollowing(!view.isFollowing)}
          >
            {follow.label}
          </Button>
        ) : null}
      </span>
    </div>
  )
}

/** How long the critical path is, and for whom it waited longest. */
function PathWords({ totals: { pathMs, pathWaits } }: { totals: TimelineTotals }) {
  const t = useTranslations('timeline')
  const locale = useLocale()
  const longest = pathWaits[0]
  if (pathMs === 0) return null
  const time = formatDuration(pathMs, locale)
  return longest === undefined
    ? t('pathWords', { time })
    : t('pathWaitWords', { time, who: longest.who.name, wait: formatDuration(longest.ms, locale) })
}

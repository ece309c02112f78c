/** Display: theme, density, text size, motion, times. Applied at once, stored with the member. */
import { useTranslations } from 'use-intl'
import { type Display, SCALES, setDisplay, useDisplay } from '@/client/theme'
import { Segmented } from '@/components/ui/Tabs'
import type { Settings } from '@/lib/wire'
import { Setting, useKeep, useOfferUndo } from './Setting'

export function DisplayPart() {
  const t = useTranslations('settings')
  const display = useDisplay((all) => all)
  const keep = useKeep()
  /** The server stores the first three; motion and times belong to this browser. */
  const put = (change: Partial<Display>, kept: Settings | null): void => {
    setDisplay(change)
    if (kept) keep(kept)
  }
  const offerUndo = useOfferUndo()
  const choose = (change: Partial<Display>, kept: Settings | null): void => {
    const { theme, density, scale, motion, time } = display
    put(change, kept)
    offerUndo(() => put({ theme, density, scale, motion, time }, kept && { theme, density, textScale: scale / 100 }))
  }
  return (
    <>
      <Setting name={t('theme')}>
        <Segmented
          label={t('theme')}
          value={display.theme}
          onChange={(theme) => choose({ theme }, { theme })}
          segments={[
            { value: 'system', label: t('themeSystem') },
            { value: 'light', label: t('themeLight') },
            { value: 'dark', label: t('themeDark') },
          ]}
        />
      </Setting>
      <Setting name={t('density')}>
        <Segmented
          label={t('density')}
          value={display.density}
          onChange={(density) => choose({ density }, { density })}
          segments={[
            { value: 'comfortable', label: t('comfortable') },
            { value: 'compact', label: t('compact') },
          ]}
        />
      </Setting>
      <Setting name={t('scale')}>
        <Segmented
          label={t('scale')}
          value={String(display.scale)}
          onChange={(value) => {
            const scale = SCALES.find((one) => String(one) === value)
            if (scale) choose({ scale }, { textScale: scale / 100 })
          }}
          segments={SCALES.map((scale) => ({ value: String(scale), label: `${scale} %` }))}
        />
      </Setting>
      <Setting name={t('motion')}>
        <Segmented
          label={t('motion')}
          value={display.motion}
          onChange={(motion) => choose({ motion }, null)}
          segments={[
            { value: 'system', label: t('motionSystem') },
            { value: 'reduced', label: t('motionReduced') },
          ]}
        />
      </Setting>
      <Setting name={t('time')}>
        <Segmented
          label={t('time')}
          value={display.time}
          onChange={(time) => choose({ time }, null)}
          segments={[
            { value: 'relative', label: t('timeRelative') },
            { value: 'local', label: t('timeLocal') },
            { value: 'utc', label: t('timeUtc') },
          ]}
          className="max-md:flex-col"
        />
      </Setting>
    </>
  )
}

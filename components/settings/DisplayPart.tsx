/** Display: theme, density, text size, motion, times, time zone. Applied at once, stored with the member. */
import { useTranslations } from 'use-intl'
import { zoneHere } from '@/client/clock'
import { type Display, SCALES, setDisplay, useDisplay } from '@/client/theme'
import { ZoneField } from '@/components/ui/fields/ZoneField'
import { Segmented, type SegmentedProps } from '@/components/ui/Tabs'
import type { Settings } from '@/lib/wire'
import { Setting, useKeep, useOfferUndo } from './Setting'

export function DisplayPart() {
  const t = useTranslations('settings')
  const display = useDisplay((all) => all)
  const keep = useKeep()
  /** The server stores the first three and the time zone; motion and times belong to this browser. */
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
      <Choice
        name={t('theme')}
        value={display.theme}
        onChange={(theme) => choose({ theme }, { theme })}
        segments={{ system: t('themeSystem'), light: t('themeLight'), dark: t('themeDark') }}
      />
      <Choice
        name={t('density')}
        value={display.density}
        onChange={(density) => choose({ density }, { density })}
        segments={{ comfortable: t('comfortable'), compact: t('compact') }}
      />
      <Choice
        name={t('scale')}
        value={String(display.scale)}
        onChange={(value) => {
          const scale = SCALES.find((one) => String(one) === value)
          if (scale) choose({ scale }, { textScale: scale / 100 })
        }}
        segments={Object.fromEntries(SCALES.map((scale) => [scale, `${scale} %`]))}
      />
      <Choice
        name={t('motion')}
        value={display.motion}
        onChange={(motion) => choose({ motion }, null)}
        segments={{ system: t('motionSystem'), reduced: t('motionReduced') }}
      />
      <Choice
        name={t('time')}
        value={display.time}
        onChange={(time) => choose({ time }, null)}
        segments={{ relative: t('timeRelative'), local: t('timeLocal'), utc: t('timeUtc') }}
        className="max-md:flex-col"
      />
      <Setting name={t('zone')}>
        <ZoneField
          label={t('zone')}
          isLabelHidden
          value={display.zone ?? ''}
          fallback={zoneHere()}
          hint={t('zoneHint', { zone: zoneHere() })}
          onChange={(zone) => put({ zone: zone || null }, { timeZone: zone || null })}
        />
      </Setting>
    </>
  )
}

function Choice<Value extends string>({ name, ...choice }: { name: string } & Omit<SegmentedProps<Value>, 'label'>) {
  return (
    <Setting name={name}>
      <Segmented label={name} {...choice} />
    </Setting>
  )
}

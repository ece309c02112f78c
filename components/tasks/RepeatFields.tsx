import { useLocale, useTranslations } from 'use-intl'
import { myZone } from '@/client/theme'
import { Select } from '@/components/ui/fields/Choice'
import { TextField } from '@/components/ui/fields/TextField'
import { ZoneField } from '@/components/ui/fields/ZoneField'
import { EVERY, type Repeat } from './repeat'

const NAME_LENGTH = 100
/** A Sunday, from which the names of the weekdays are made. */
const SUNDAY = Date.UTC(2023, 0, 1)
const DAY_MS = 86_400_000

export const weekdayName = (weekday: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(SUNDAY + weekday * DAY_MS)

type RepeatFieldsProps = { repeat: Repeat; onChange: (repeat: Repeat) => void }

export function RepeatFields({ repeat, onChange }: RepeatFieldsProps) {
  const t = useTranslations('tasks')
  const locale = useLocale()
  const set = (change: Partial<Repeat>): void => onChange({ ...repeat, ...change })
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label={t('scheduleName')}
        value={repeat.name}
        maxLength={NAME_LENGTH}
        onChange={(event) => set({ name: event.target.value })}
      />
      <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
        <Select
          label={t('repeats')}
          value={repeat.every}
          onChange={(every) => set({ every })}
          options={EVERY.map((value) => ({ value, label: t(`every.${value}`) }))}
        />
        {repeat.every === 'custom' ? (
          <TextField
            label={t('cron')}
            value={repeat.cron}
            placeholder="0 9 * * 1"
            className="font-mono"
            hint={t('cronHint')}
            onChange={(event) => set({ cron: event.target.value })}
          />
        ) : (
          <TextField
            label={t('atTime')}
            type="time"
            value={repeat.time}
            onChange={(event) => set({ time: event.target.value })}
          />
        )}
        {repeat.every === 'week' ? (
          <Select
            label={t('onDay')}
            value={repeat.weekday}
            onChange={(weekday) => set({ weekday })}
            options={[1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: `${day}`, label: weekdayName(day, locale) }))}
          />
        ) : null}
        {repeat.every === 'month' ? (
          <Select
            label={t('onDayOfMonth')}
            value={repeat.day}
            onChange={(day) => set({ day })}
            options={Array.from({ length: 31 }, (_, at) => ({ value: `${at + 1}`, label: `${at + 1}` }))}
          />
        ) : null}
      </div>
      <ZoneField
        label={t('zone')}
        value={repeat.zone}
        fallback={myZone()}
        hint={t('zoneHint', { zone: repeat.zone || myZone() })}
        onChange={(zone) => set({ zone })}
      />
    </div>
  )
}

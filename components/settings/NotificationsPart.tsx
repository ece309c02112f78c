import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { zoneHere } from '@/client/clock'
import { desktopPermission, requestDesktopPermission, showDesktop } from '@/client/notify/desktop'
import { playSound } from '@/client/notify/sound'
import { useDnd } from '@/client/notify/useDnd'
import { Button } from '@/components/ui/Button'
import { Checkbox } from '@/components/ui/fields/Choice'
import { TextField } from '@/components/ui/fields/TextField'
import { useSaveSettings } from '@/components/ui/useSaveSettings'
import { minutesOf } from '@/lib/wire/dnd'
import { ChannelsPart } from './ChannelsPart'
import { RingRulesPart } from './RingRules'
import { Setting } from './Setting'

const NIGHT = { from: '22:00', to: '07:00' }

export function NotificationsPart() {
  const t = useTranslations('notify')
  const me = useMe()
  const save = useSaveSettings()
  const { settings: rest } = useDnd()
  const [permission, setPermission] = useState(desktopPermission)
  const [hours, setHours] = useState(rest.daily ?? NIGHT)
  const hasSound = me?.settings.sound !== false
  const testNotice = { title: t('testNotice'), text: t('testNoticeText'), isUrgent: false, onClick: () => undefined }
  const change = (part: 'from' | 'to', value: string): void => {
    const next = { ...hours, [part]: value }
    setHours(next)
    if (rest.daily && minutesOf(next.from) !== null && minutesOf(next.to) !== null)
      void save({ rest: { ...rest, daily: { ...next, zone: zoneHere() } } })
  }
  const wrong = (value: string): string | null => (minutesOf(value) === null ? t('noTime') : null)
  return (
    <>
      <Setting name={t('sounds')} hint={t('soundsWhy')}>
        <Checkbox label={t('soundsOn')} isChecked={hasSound} onChange={(sound) => void save({ sound })} />
        {hasSound ? (
          <div className="mt-2 flex flex-wrap gap-2">
            <Button onClick={() => playSound('chime')}>{t('playTick')}</Button>
            <Button onClick={() => playSound('alarm')}>{t('playKnock')}</Button>
          </div>
        ) : null}
      </Setting>
      <Setting name={t('desktop')} hint={permission === 'denied' ? t('deniedWhy') : undefined}>
        <p className="text-table">{t(`permission.${permission}`)}</p>
        {permission === 'default' ? (
          <Button
            className="mt-2"
            onClick={() => {
              void save({ askedDesktop: true })
              void requestDesktopPermission().then(setPermission)
            }}
          >
            {t('allow')}
          </Button>
        ) : null}
        {permission === 'granted' ? (
          <Button className="mt-2" onClick={() => showDesktop('test', testNotice)}>
            {t('testNotice')}
          </Button>
        ) : null}
      </Setting>
      <Setting name={t('disturb')} hint={t('disturbWhy')}>
        <Checkbox
          label={t('daily')}
          isChecked={rest.daily !== null}
          onChange={(isOn) => void save({ rest: { ...rest, daily: isOn ? { ...hours, zone: zoneHere() } : null } })}
        />
        {rest.daily === null ? null : (
          <div className="mt-2 flex gap-3">
            {(['from', 'to'] as const).map((part) => (
              <TextField
                key={part}
                label={t(part)}
                value={hours[part]}
                error={wrong(hours[part])}
                onChange={({ target }) => change(part, target.value)}
              />
            ))}
          </div>
        )}
        <div className="mt-3">
          <Checkbox
            label={t('breaksThrough')}
            isChecked={rest.urgentBreaksThrough}
            onChange={(urgentBreaksThrough) => void save({ rest: { ...rest, urgentBreaksThrough } })}
          />
        </div>
      </Setting>
      <RingRulesPart />
      <ChannelsPart />
    </>
  )
}

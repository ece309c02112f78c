import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { useMe } from '@/client/account/session'
import { desktopPermission, requestDesktopPermission, showDesktop } from '@/client/notify/desktop'
import { playSound } from '@/client/notify/sound'
import { dndWith, useDnd } from '@/client/notify/useDnd'
import { taskTitle } from '@/client/readersWords'
import { myZone } from '@/client/theme'
import { Button, IconButton } from '@/components/ui/Button'
import { Checkbox, OptionalSelect, Select } from '@/components/ui/fields/Choice'
import { TextField } from '@/components/ui/fields/TextField'
import { useSaveSettings } from '@/components/ui/useSaveSettings'
import { minutesOf } from '@/lib/wire/dnd'
import { LEVELS, type RingLevel } from '@/lib/wire/levels'
import { ChannelsPart } from './ChannelsPart'
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
      void save(dndWith({ daily: { ...next, zone: myZone() } }))
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
          onChange={(isOn) => void save(dndWith({ daily: isOn ? { ...hours, zone: myZone() } : null }))}
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
            onChange={(urgentBreaksThrough) => void save(dndWith({ urgentBreaksThrough }))}
          />
        </div>
      </Setting>
      <RingRulesPart />
      <ChannelsPart />
    </>
  )
}

type Named = { id: string; name: string }
type Rules = Readonly<Record<string, RingLevel>>

function RingRulesPart() {
  const t = useTranslations('settings.rings')
  const settings = useMe()?.settings
  const save = useSaveSettings()
  const tasks = useRows('overview')
  const agents = useRows('agents')
  const me = useMe()?.person.agent_id
  // A participant knows the members of their tasks.
  const people = [...agents.map(({ who }) => who), ...tasks.flatMap(({ members }) => members)]
  const members = [...new Map(people.filter(({ id }) => id !== me).map((who) => [who.id as string, who])).values()]
  return (
    <Setting name={t('title')} hint={t('why')}>
      <div className="flex flex-col gap-4">
        <RuleList
          name={t('tasks')}
          add={t('addTask')}
          rules={settings?.levels ?? {}}
          all={tasks.map(({ task, name }) => ({ id: task, name: taskTitle(name) }))}
          onKeep={(change) => void save(({ levels = {} }) => ({ levels: change(levels) }))}
        />
        <RuleList
          name={t('senders')}
          add={t('addSender')}
          rules={settings?.senders ?? {}}
          all={members}
          onKeep={(change) => void save(({ senders = {} }) => ({ senders: change(senders) }))}
        />
      </div>
    </Setting>
  )
}

type RuleListProps = {
  name: string
  add: string
  rules: Rules
  all: readonly Named[]
  onKeep: (change: (now: Rules) => Record<string, RingLevel>) => void
}

function RuleList({ name, add, rules, all, onKeep }: RuleListProps) {
  const t = useTranslations()
  const ruled = Object.entries(rules)
  const free = all.filter(({ id }) => rules[id] === undefined)
  // A task that has ended may be gone from the page; its rule can still be removed.
  const nameOf = (id: string): string => all.find((one) => one.id === id)?.name ?? t('settings.rings.gone')
  const put = (id: string, level: RingLevel): void => onKeep((now) => ({ ...now, [id]: level }))
  const remove = (id: string): void =>
    onKeep((now) => Object.fromEntries(Object.entries(now).filter(([one]) => one !== id)))
  return (
    <section aria-label={name}>
      <h3 className="text-table font-medium">{name}</h3>
      <ul className="mt-1 flex flex-col gap-1.5">
        {ruled.map(([id, level]) => (
          <li key={id} className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 grow basis-40 break-words">{nameOf(id)}</span>
            <Select
              label={t('settings.rings.levelOf', { name: nameOf(id) })}
              isLabelHidden
              className="w-52"
              value={level}
              options={LEVELS.map((value) => ({ value, label: t(`chat.level.${value}`) }))}
              onChange={(next) => put(id, next)}
            />
            <IconButton
              icon={<X />}
              label={t('settings.rings.remove', { name: nameOf(id) })}
              onClick={() => remove(id)}
            />
          </li>
        ))}
      </ul>
      {free.length === 0 ? null : (
        <OptionalSelect
          label={add}
          isLabelHidden
          className="mt-1.5 w-52"
          none={add}
          value={null}
          options={free.map(({ id, name: label }) => ({ value: id, label }))}
          // Most rules are made to have less; another level is one more choice.
          onChange={(id) => (id === null ? undefined : put(id, 'urgent'))}
        />
      )}
    </section>
  )
}

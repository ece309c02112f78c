import { X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { useMe } from '@/client/account/session'
import { taskTitle } from '@/client/readersWords'
import { IconButton } from '@/components/ui/Button'
import { OptionalSelect, Select } from '@/components/ui/fields/Choice'
import { useSaveSettings } from '@/components/ui/useSaveSettings'
import { LEVELS, type RingLevel } from '@/lib/wire/levels'
import { Setting } from './Setting'

type Named = { id: string; name: string }
type Rules = Readonly<Record<string, RingLevel>>

export function RingRulesPart() {
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
          onKeep={(levels) => void save({ levels })}
        />
        <RuleList
          name={t('senders')}
          add={t('addSender')}
          rules={settings?.senders ?? {}}
          all={members}
          onKeep={(senders) => void save({ senders })}
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
  onKeep: (rules: Record<string, RingLevel>) => void
}

function RuleList({ name, add, rules, all, onKeep }: RuleListProps) {
  const t = useTranslations()
  const ruled = Object.entries(rules)
  const free = all.filter(({ id }) => rules[id] === undefined)
  // A task that has ended may be gone from the page; its rule can still be removed.
  const nameOf = (id: string): string => all.find((one) => one.id === id)?.name ?? t('settings.rings.gone')
  const without = (id: string): Record<string, RingLevel> => Object.fromEntries(ruled.filter(([one]) => one !== id))
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
              onChange={(next) => onKeep({ ...rules, [id]: next })}
            />
            <IconButton
              icon={<X />}
              label={t('settings.rings.remove', { name: nameOf(id) })}
              onClick={() => onKeep(without(id))}
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
          onChange={(id) => (id === null ? undefined : onKeep({ ...rules, [id]: 'urgent' }))}
        />
      )}
    </section>
  )
}

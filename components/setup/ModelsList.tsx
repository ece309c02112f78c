import { History, Pencil, Plug, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { setSearch, useSearchParam } from '@/client/nav'
import { useActNow } from '@/components/operate/useSendAct'
import { Menu, type MenuEntry } from '@/components/ui/overlays/Menu'
import { ServerButton } from '@/components/ui/ServerButton'
import { FaultState, Skeleton } from '@/components/ui/States'
import { traitsOf } from '@/lib/mas/setup/providers'
import type { SetupAnswer } from '@/lib/wire'
import { ChangesDialog } from './ChangesList'
import { ModelForm } from './ModelForm'
import { useTrial } from './SetupTry'
import { recordSourceOf, type SetupChange, seenOf, setupAct, trySetup } from './setupCalls'
import { useSetupQuery } from './useSetupQuery'

type ModelShown = SetupAnswer['models'][number]

export function ModelsList() {
  const t = useTranslations('setup')
  const { data: setup, error, refetch } = useSetupQuery()
  const asked = useSearchParam('connect')
  const [form, setForm] = useState<{ of: ModelShown | null } | null>(null)
  if (error !== null) return <FaultState title={t('broken')} fault={error} onRetry={refetch} />
  if (setup === undefined) return <Skeleton lines={4} />
  const teamModel = setup.team[0]?.value?.model ?? 'default'
  const close = (): void => {
    setForm(null)
    setSearch({ connect: null }, { replace: true })
  }
  const open = form ?? (asked === null ? null : { of: null })
  const shown = setup.models.filter(({ value, changes }) => value !== null || changes.length > 0)
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-3">
        <p className="min-w-0 grow text-t2">{t('model.about')}</p>
        <ServerButton look="primary" icon={<Plug />} onClick={() => setForm({ of: null })}>
          {t('model.connect')}
        </ServerButton>
      </div>
      <ul aria-label={t('model.list')} className="border-y border-line">
        {shown.map((model) => (
          <li
            key={model.id}
            data-id={model.id}
            data-kind="model"
            data-state={model.value === null ? 'removed' : 'there'}
            className="border-b border-line py-2 last:border-b-0"
          >
            <ModelRow
              model={model}
              setup={setup}
              isTeams={teamModel === model.id}
              onChange={() => setForm({ of: model })}
            />
          </li>
        ))}
      </ul>
      {open === null ? null : (
        <ModelForm of={open.of} {...(asked ? { preset: asked } : {})} setup={setup} onClose={close} />
      )}
    </>
  )
}

type ModelRowProps = { model: ModelShown; setup: SetupAnswer; isTeams: boolean; onChange: () => void }

function ModelRow({ model, setup, isTeams, onChange }: ModelRowProps) {
  const t = useTranslations('setup')
  const act = useActNow()
  const [isHistory, setHistory] = useState(false)
  const { id, value } = model
  const put = (change: SetupChange, done: string): void => void act(setupAct('act:setup.model', [change]), done)
  const trial = useTrial({ name: id, run: value && (() => trySetup({ kind: 'model', id, value })) })
  const team = setup.team[0]
  const entries: (MenuEntry | null)[] = [
    isTeams || value === null || !team
      ? null
      : {
          label: t('model.makeTeams'),
          icon: <Star />,
          onSelect: () =>
            put(
              { kind: 'team', id: 'team', value: { model: id }, seen: seenOf(team) },
              t('model.madeTeams', { name: id }),
            ),
        },
    { label: t('changes'), icon: <History />, onSelect: () => setHistory(true) },
    value === null || isTeams
      ? null
      : {
          label: t('takeOut'),
          icon: <Trash2 />,
          isDanger: true,
          onSelect: () => put({ kind: 'model', id, value: null, seen: seenOf(model) }, t('takenOut', { name: id })),
        },
  ]
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table">
        <span className="min-w-0 grow basis-48">
          <span data-literal className="font-mono font-medium break-words">
            {id}
          </span>
          {isTeams ? (
            <span className="ml-2 rounded-control bg-accent-soft px-1.5 text-meta">{t('model.team')}</span>
          ) : null}
          <span className="ml-2 text-meta text-t3">{t(recordSourceOf(model))}</span>
          <span data-literal className="block text-meta break-words text-t2">
            {value === null ? '' : aboutOf(value, t('model.demo'))}
          </span>
        </span>
        {trial.button}
        {value === null || !traitsOf(value.provider).isServer ? null : (
          <ServerButton icon={<Pencil />} aria-label={t('changeNamed', { name: id })} onClick={onChange}>
            {t('change')}
          </ServerButton>
        )}
        <Menu label={t('moreOf', { name: id })} align="start" entries={entries} />
      </div>
      {trial.line}
      {isHistory ? <ChangesDialog kind="model" record={model} value={value} onClose={() => setHistory(false)} /> : null}
    </>
  )
}

/** `gpt-5.4-mini · api.openai.com · 200,000` */
function aboutOf({ provider, baseUrl, model, price }: NonNullable<ModelShown['value']>, demo: string): string {
  if (provider === 'rehearsal') return demo
  const host = baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl).host : null
  const cost = price === null ? null : `$${price.input} / $${price.output}`
  return [model, host ?? provider, cost].filter((part) => part !== null).join(' · ')
}

import { History, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActDialog, type ActQuestion } from '@/components/operate/ActDialog'
import { Menu } from '@/components/ui/overlays/Menu'
import { ServerButton } from '@/components/ui/ServerButton'
import { useList } from '@/components/ui/useList'
import type { SetupAnswer } from '@/lib/wire'
import { ChangesDialog } from './ChangesList'
import { recordSourceOf, seenOf, setupAct } from './setupCalls'
import { ToolServerForm } from './ToolServerForm'
import { useSetupQuery } from './useSetupQuery'

type ToolShown = SetupAnswer['tools'][number]

export function ToolServersList() {
  const t = useTranslations('setup')
  const { data: setup } = useSetupQuery()
  const [form, setForm] = useState<{ of: ToolShown | null } | null>(null)
  if (setup === undefined) return null
  const shown = setup.tools.filter(({ value, changes }) => value !== null || changes.length > 0)
  return (
    <section aria-label={t('tool.list')} className="mb-4 rounded-card border border-line bg-s2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="min-w-0 grow text-body font-medium">{t('tool.list')}</h2>
        <ServerButton icon={<Plus />} onClick={() => setForm({ of: null })}>
          {t('tool.new')}
        </ServerButton>
      </div>
      {shown.length === 0 ? <p className="text-table text-t3">{t('tool.none')}</p> : null}
      <ul>
        {shown.map((server) => (
          <li
            key={server.id}
            data-id={server.id}
            data-kind="toolServer"
            className="border-t border-line py-2 first:mt-2"
          >
            <ServerRow server={server} setup={setup} onChange={() => setForm({ of: server })} />
          </li>
        ))}
      </ul>
      {form === null ? null : <ToolServerForm of={form.of} setup={setup} onClose={() => setForm(null)} />}
    </section>
  )
}

type ServerRowProps = { server: ToolShown; setup: SetupAnswer; onChange: () => void }

function ServerRow({ server, setup, onChange }: ServerRowProps) {
  const t = useTranslations('setup')
  const listOf = useList()
  const [isHistory, setHistory] = useState(false)
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  const { id, value } = server
  const holders = setup.agents.flatMap((agent) => (agent.value?.tools.includes(id) ? [agent.value.name] : []))
  const takeOut: ActQuestion = {
    title: t('tool.takeOutTitle', { name: id }),
    what: <p>{t('tool.takeOutWhat', { name: id, count: holders.length, names: listOf(holders) })}</p>,
    action: t('takeOut'),
    act: setupAct('act:setup.tool', [{ kind: 'tool', id, value: null, seen: seenOf(server) }]),
    done: t('takenOut', { name: id }),
    hasReason: false,
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table">
      <span className="min-w-0 grow basis-56">
        <span data-literal className="font-mono font-medium">
          {id}
        </span>
        <span className="ml-2 text-meta text-t3">{t(recordSourceOf(server))}</span>
        <span data-literal className="block text-meta break-words text-t2">
          {[value?.address ?? value?.command, t('tool.heldBy', { count: holders.length, names: listOf(holders) })]
            .filter((part) => part)
            .join(' · ')}
        </span>
      </span>
      {value === null ? null : (
        <ServerButton icon={<Pencil />} aria-label={t('changeNamed', { name: id })} onClick={onChange}>
          {t('change')}
        </ServerButton>
      )}
      <Menu
        label={t('moreOf', { name: id })}
        entries={[
          { label: t('changes'), icon: <History />, onSelect: () => setHistory(true) },
          value === null
            ? null
            : {
                label: t('takeOut'),
                icon: <Trash2 />,
                isDanger: true,
                onSelect: () => setAsked(takeOut),
              },
        ]}
      />
      {isHistory ? <ChangesDialog kind="tool" record={server} value={value} onClose={() => setHistory(false)} /> : null}
      <ActDialog asked={asked} onClose={() => setAsked(null)} />
    </div>
  )
}

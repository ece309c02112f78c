import { Copy, Pencil, Plus, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRow } from '@/client'
import { ActDialog, type ActQuestion } from '@/components/operate/ActDialog'
import { Menu } from '@/components/ui/overlays/Menu'
import { ServerButton } from '@/components/ui/ServerButton'
import type { AgentId } from '@/lib/mas/ids'
import { AgentForm, type AgentTask } from './AgentForm'
import { seenOf } from './setupCalls'
import { useSetup, useSetupAct } from './useSetup'

export function NewAgentButton() {
  const t = useTranslations('setup')
  const { isOperator, setup } = useSetup()
  const [isOpen, setOpen] = useState(false)
  if (!isOperator) return null
  return (
    <>
      <ServerButton look="primary" icon={<Plus />} isDisabled={setup === null} onClick={() => setOpen(true)}>
        {t('agent.new')}
      </ServerButton>
      {isOpen && setup !== null ? (
        <AgentForm task={{ act: 'new', of: null }} setup={setup} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}

type AgentSetupButtonsProps = { agent: AgentId; configId: string | null; name: string }

/** Of one agent that the file or the page names; nothing for others and for members who are no operators. */
export function AgentSetupButtons({ agent, configId, name }: AgentSetupButtonsProps) {
  const t = useTranslations('setup')
  const { isOperator, setup } = useSetup()
  const setupAct = useSetupAct()
  const row = useRow(isOperator ? 'agents' : null, agent)
  const [task, setTask] = useState<AgentTask | null>(null)
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  const record = setup?.agents.find(({ id, value }) => id === configId && value?.agent === agent)
  if (!isOperator || setup === null || record === undefined) return null
  const takeOut: ActQuestion = {
    title: t('agent.takeOutTitle', { name }),
    what: <p>{t('agent.takeOutWhat', { name, tasks: row?.tasks.length ?? 0, steps: row?.queue ?? 0 })}</p>,
    action: t('agent.takeOutDo'),
    act: setupAct('act:setup.agent', [{ kind: 'agent', id: record.id, value: null, seen: seenOf(record) }]),
    done: t('takenOut', { name }),
    hasReason: false,
  }
  return (
    <>
      <ServerButton icon={<Pencil />} onClick={() => setTask({ act: 'change', of: record })}>
        {t('change')}
      </ServerButton>
      <Menu
        label={t('agent.more', { name })}
        align="start"
        entries={[
          { label: t('agent.copy'), icon: <Copy />, onSelect: () => setTask({ act: 'copy', of: record }) },
          { label: t('agent.takeOut'), icon: <UserMinus />, isDanger: true, onSelect: () => setAsked(takeOut) },
        ]}
      />
      {task === null ? null : <AgentForm task={task} setup={setup} onClose={() => setTask(null)} />}
      <ActDialog asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}

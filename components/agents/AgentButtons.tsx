import { MessageCircle, Pause, Play, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { useMe } from '@/client/account/session'
import { useAction } from '@/client/actions/keyboard'
import { navigate, pathTo } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { changeComposer } from '@/components/chat/composer/composerState'
import { ActDialog, type ActQuestion } from '@/components/operate/ActDialog'
import { pauseAgentAct, removeAgentAct, resumeAgentAct } from '@/components/operate/acts'
import { useActNow } from '@/components/operate/useSendAct'
import { Button, LinkButton } from '@/components/ui/Button'
import { Menu } from '@/components/ui/overlays/Menu'
import { ServerButton } from '@/components/ui/ServerButton'
import type { AgentId } from '@/lib/mas/ids'
import type { AgentRow } from '@/lib/wire'

type AgentTarget = Pick<AgentRow['who'], 'name' | 'kind'> & { id: AgentId; isPaused: boolean }

/** Write to somebody: in the task that both are in, or in one of several. */
export function MessageButton({ agent }: { agent: AgentTarget }) {
  const t = useTranslations('agents')
  const me = useMe()?.person.agent_id ?? null
  const tasks = useRows('overview').filter((row) => {
    const ids = row.members.map((who) => who.id)
    return row.endedAt === null && me !== null && ids.includes(me) && ids.includes(agent.id)
  })
  const write = (task: string): void => {
    changeComposer(`task:${task}`, { to: [agent.id] })
    navigate(pathTo('task', { taskId: task }))
  }
  const icon = <MessageCircle />
  const only = tasks[0]
  if (agent.id === me) return null
  if (!only) {
    return (
      <Button icon={icon} isDisabled reason={t('noSharedTask', { who: agent.name })}>
        {t('message')}
      </Button>
    )
  }
  if (tasks.length === 1) {
    return (
      <Button icon={icon} onClick={() => write(only.task)}>
        {t('message')}
      </Button>
    )
  }
  return (
    <Menu
      label={t('messageIn')}
      align="start"
      trigger={<Button icon={icon}>{t('message')}</Button>}
      entries={tasks.map((row) => ({ label: taskTitle(row.name), onSelect: () => write(row.task) }))}
    />
  )
}

/** Leads to the private conversation with them: with an agent it is how to try it. */
export function TalkButton({ agent }: { agent: AgentTarget }) {
  const t = useTranslations('agents')
  const me = useMe()?.person.agent_id ?? null
  if (agent.id === me || agent.kind === 'outside') return null
  return (
    <LinkButton look={agent.kind === 'llm' ? 'primary' : 'plain'} href={pathTo('talk', { agentId: agent.id })}>
      {t(agent.kind === 'llm' ? 'tryIt' : 'talk')}
    </LinkButton>
  )
}

export function usePauseQuestion(): (agent: { id: AgentId; name: string }) => ActQuestion {
  const t = useTranslations('agents')
  return ({ id, name: who }) => ({
    title: t('pauseTitle', { who }),
    what: t('pauseWhat', { who }),
    action: t('pause'),
    act: pauseAgentAct(id),
    done: t('paused', { who }),
  })
}

type PauseButtonProps = {
  agent: AgentTarget
  isQuiet?: boolean
  /** The key `p` does the same: this agent is the page. */
  hasKey?: boolean
}

/** Pause an agent, with the reason, or resume it: operators only. */
export function PauseButton({ agent, isQuiet = false, hasKey = false }: PauseButtonProps) {
  const t = useTranslations('agents')
  const isOperator = useMe()?.person.access === 'operator'
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  const resume = useActNow()
  const pauseOf = usePauseQuestion()
  const mayTurn = isOperator && agent.kind !== 'human'
  const who = agent.name
  const turn = (): void =>
    agent.isPaused ? void resume(resumeAgentAct(agent.id), t('resumed', { who })) : setAsked(pauseOf(agent))
  const label = t(agent.isPaused ? 'resumeNamed' : 'pauseNamed', { who })
  useAction('pause', 'agent', { label, run: hasKey && mayTurn ? turn : null })
  if (!mayTurn) return null
  return (
    <>
      <ServerButton
        look={isQuiet ? 'quiet' : 'plain'}
        icon={agent.isPaused ? <Play /> : <Pause />}
        aria-label={label}
        onClick={turn}
      >
        {agent.isPaused ? t('resume') : t('pause')}
      </ServerButton>
      <ActDialog asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}

export function RemoveButton({ agent }: { agent: AgentTarget }) {
  const t = useTranslations('agents')
  const isOperator = useMe()?.person.access === 'operator'
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  if (!isOperator) return null
  const who = agent.name
  const remove: ActQuestion = {
    title: t('removeTitle', { who }),
    what: t('removeWhat', { who }),
    action: t('remove'),
    act: removeAgentAct(agent.id),
    done: t('removed', { who }),
  }
  return (
    <>
      <ServerButton icon={<UserMinus />} onClick={() => setAsked(remove)}>
        {t('remove')}
      </ServerButton>
      <ActDialog asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}

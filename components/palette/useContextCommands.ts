/** Commands on what is open: those of a task's manager, pausing agents. */
import { Layers, Pause, Play } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useRecords, useRows } from '@/client'
import { useMe } from '@/client/account/session'
import { getPlace, pathTo } from '@/client/nav'
import { usePauseQuestion } from '@/components/agents/AgentButtons'
import type { ActQuestion } from '@/components/operate/ActDialog'
import { resumeAgentAct, resumeTaskAct } from '@/components/operate/acts'
import {
  isOffered,
  moreOf,
  openLimitRequest,
  TASK_ACT_NAMES,
  type TaskActName,
  whyOff,
} from '@/components/operate/taskActs'
import { useActNow } from '@/components/operate/useSendAct'
import type { TaskId } from '@/lib/mas/ids'
import { selectPlan } from '@/lib/mas/stages/plan'
import type { AgentRow } from '@/lib/wire'
import type { PaletteCommand } from './commands'

/** all: every command; pause: only agents that can be paused or resumed */
export type PalettePage = 'all' | 'pause'

export function useContextCommands(
  ask: (asked: ActQuestion) => void,
  turnTo: (page: PalettePage) => void,
): PaletteCommand[] {
  const t = useTranslations('palette')
  const isOperator = useMe()?.person.access === 'operator'
  const { agentId = null } = getPlace()?.params ?? {}
  const agents = useAgentCommands(isOperator && agentId !== null, ask)
  const onTask = useTaskCommands()
  const pauseOne: PaletteCommand = {
    id: 'act:pause',
    group: 'here',
    icon: Pause,
    label: t('pauseOne'),
    words: 'resume agent',
    isKept: true,
    run: () => turnTo('pause'),
  }
  const here = agents.filter(({ id }) => id === `pause:${agentId}`)
  return [...here, ...onTask, ...(isOperator ? [pauseOne] : [])]
}

/** A command per agent: pause or resume it. isOn: the commands are shown */
export function useAgentCommands(isOn: boolean, ask: (asked: ActQuestion) => void): PaletteCommand[] {
  const t = useTranslations('agents')
  const rows = useRows(isOn ? 'agents' : null)
  const pauseOf = usePauseQuestion()
  const resume = useActNow()
  const lineOf = ({ agent: id, who: { name }, paused }: AgentRow): PaletteCommand => {
    const common = { id: `pause:${id}`, group: 'here' as const, icon: paused === null ? Pause : Play }
    return paused === null
      ? { ...common, label: t('pauseNamed', { who: name }), isKept: true, run: () => ask(pauseOf({ id, name })) }
      : {
          ...common,
          label: t('resumeNamed', { who: name }),
          run: () => resume(resumeAgentAct(id), t('resumed', { who: name })),
        }
  }
  return rows.flatMap((row) => (row.kind === 'agent' && row.who.kind === 'llm' ? [lineOf(row)] : []))
}

function useTaskCommands(): PaletteCommand[] {
  const t = useTranslations('operate')
  const me = useMe()?.person ?? null
  const resume = useActNow()
  const taskId = (getPlace()?.params.taskId ?? null) as TaskId | null
  const view = taskId === null ? null : (`task:${taskId}` as const)
  const world = useRecords(view, ({ tasks, stages, requests }) => ({ tasks, stages, requests }))
  const task = taskId === null ? undefined : world.tasks[taskId]
  // Nothing is sent from a moment.
  if (getPlace()?.search.has('at')) return []
  if (!task || me === null || (me.access !== 'operator' && task.manager !== me.agent_id)) return []
  const plan = selectPlan(world, task.id)
  const limit = openLimitRequest(Object.values(world.requests[task.id] ?? {}))
  const makesSense = (act: TaskActName): boolean => {
    if (whyOff(act, task, plan) !== null) return false
    if (act === 'pauseTask') return task.paused === null
    return !task.base && isOffered(act, me.access, limit)
  }
  const lines = TASK_ACT_NAMES.filter(makesSense).map((act): PaletteCommand => {
    const href = `${pathTo('task', { taskId: task.id })}?act=${act}`
    const count = limit === null ? '' : moreOf(limit)
    return {
      id: `act:${act}`,
      group: 'here',
      icon: act === 'pauseTask' ? Pause : Layers,
      label: act === 'allowMore' ? t('act.allowMore', { count }) : t(`act.${act}`),
      words: t('menu'),
      href,
    }
  })
  const goOn: PaletteCommand = {
    id: 'act:resumeTask',
    group: 'here',
    icon: Play,
    label: t('resumeTask'),
    run: () => resume(resumeTaskAct(task.id), t('done.resumeTask')),
  }
  return task.paused !== null && task.endedAt === null ? [goOn, ...lines] : lines
}

import { Pause, Play, RotateCcw } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { useAction } from '@/client/actions/keyboard'
import { useMoment } from '@/client/moment'
import { setSearch, useSearchParam } from '@/client/nav'
import { resumeTaskAct } from '@/components/operate/acts'
import { TaskDialogs } from '@/components/operate/lazy'
import {
  isOffered,
  moreOf,
  openLimitRequest,
  readTaskActName,
  TASK_MENU,
  type TaskActName,
  whyOff,
} from '@/components/operate/taskActs'
import { useActNow } from '@/components/operate/useSendAct'
import { againHref } from '@/components/tasks/askAgain'
import { Menu, type MenuEntry } from '@/components/ui/overlays/Menu'
import { ServerButton } from '@/components/ui/ServerButton'
import { isTaskOver } from '@/lib/mas/statuses'
import type { TaskWorld } from '../useTaskWorld'

const LINE: MenuEntry = { kind: 'line' }

/** `details`: what else the menu leads to, for everybody. */
export function TaskButtons({ world, details }: { world: TaskWorld; details: readonly MenuEntry[] }) {
  const t = useTranslations('operate')
  const asked = readTaskActName(useSearchParam('act'))
  const resume = useActNow()
  const access = useMe()?.person.access ?? 'none'
  const { task, stages, requests } = world
  const isOpened = task?.opened !== undefined
  const isThen = useMoment() !== null
  const mayAct = task !== null && !isOpened && !task.talk && (world.isOperator || task.manager === world.me)
  const isPaused = task?.paused !== null
  const open = (act: TaskActName): void => setSearch({ act })
  const turn = (): void => {
    if (task === null) return
    if (isPaused) void resume(resumeTaskAct(task.id), t('done.resumeTask'))
    else open('pauseTask')
  }
  const canTurn = mayAct && !isTaskOver(task)
  // Nothing is sent from a moment: entries are off with the reason, keys and dialogs are not there.
  const mayName = mayAct || (task !== null && !isOpened && task.requestedBy === world.me)
  const again: MenuEntry[] =
    task !== null && isTaskOver(task) && !task.base && !isOpened
      ? [
          {
            kind: 'link',
            label: t('act.askAgain'),
            icon: <RotateCcw />,
            href: againHref({ kind: 'task', id: task.id }),
            isAct: true,
          },
        ]
      : []
  useAction('pause', 'task', { run: canTurn && !isThen ? turn : null })
  const dialog =
    asked === null || task === null ? null : (
      <TaskDialogs act={asked} taskId={task.id} onClose={() => setSearch({ act: null }, { replace: true })} />
    )
  const limit = openLimitRequest(requests)
  const actEntry = (act: TaskActName | null): MenuEntry => {
    const off = act === null || task === null ? null : whyOff(act, task, stages)
    return act === null
      ? LINE
      : {
          label: act === 'allowMore' ? t('act.allowMore', { count: limit ? moreOf(limit) : '' }) : t(`act.${act}`),
          onSelect: () => open(act),
          isDisabled: off !== null,
          reason: off === null ? undefined : t(`off.${off}`),
          isAct: true,
        }
  }
  const acts = TASK_MENU.filter((act) => act === null || isOffered(act, access, limit))
  const pauseEntry: MenuEntry = {
    label: t(isPaused ? 'resumeTask' : 'act.pauseTask'),
    onSelect: turn,
    isDisabled: !canTurn,
    reason: canTurn ? undefined : t('off.taskOver'),
    isAct: true,
  }
  const isBase = task?.base === true
  const entries: MenuEntry[] = mayAct
    ? [pauseEntry, ...(isBase ? [] : [LINE, ...acts.map(actEntry)])]
    : mayName && !isBase
      ? [{ label: t('act.rename'), onSelect: () => open('rename'), isAct: true }]
      : []
  return (
    <>
      {canTurn ? (
        <ServerButton className="@max-[40rem]/main:hidden" icon={isPaused ? <Play /> : <Pause />} onClick={turn}>
          {t(isPaused ? 'resume' : 'pause')}
        </ServerButton>
      ) : null}
      <Menu label={t('menu')} entries={[...again, ...entries, ...(entries.length > 0 ? [LINE] : []), ...details]} />
      {!isThen && (mayAct || (mayName && asked === 'rename')) ? dialog : null}
    </>
  )
}

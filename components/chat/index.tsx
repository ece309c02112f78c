/**
 * A task's page: head, stages, what waits for me, and its views as tabs.
 *
 * Owns: which tab an address means, the faces of a task that is not there. The same file draws a task's chat, tree, stage,
 * step and message addresses, so that going between them keeps the page.
 * Not here: the chat (GroupChat.tsx), the tree (components/tree).
 */
import { lazy, Suspense } from 'react'
import { useTranslations } from 'use-intl'
import { Link, navigate, pathTo, useSearchParam } from '@/client/nav'
import { useKey } from '@/components/shell/keyboard'
import { loadTaskTree } from '@/components/shell/lateParts'
import type { ScreenProps } from '@/components/shell/screens'
import { buttonClass } from '@/components/ui/Button'
import { ErrorState, Skeleton } from '@/components/ui/States'
import { TabLinks } from '@/components/ui/Tabs'
import type { TaskId } from '@/lib/mas/ids'
import { GroupChat } from './GroupChat'
import { RequestStrip } from './RequestStrip'
import { StageRail } from './StageRail'
import { TaskHead } from './TaskHead'
import { useTaskWorld } from './useTaskWorld'

const TaskTree = lazy(loadTaskTree)

export default function TaskPage({ screen, params, person }: ScreenProps) {
  const t = useTranslations('chat')
  const taskId = (params.taskId ?? '') as TaskId
  const task = useTaskWorld(taskId, person.agent_id, person.access === 'operator')
  const reply = useSearchParam('reply')
  const tab = screen === 'task' || screen === 'message' ? 'chat' : 'tree'
  const hrefOf = (value: string): string => pathTo(value === 'tree' ? 'tree' : 'task', { taskId })
  useKey('1', t('key.chat'), () => navigate(hrefOf('chat')))
  useKey('2', t('key.tree'), () => navigate(hrefOf('tree')))

  if (task.status.status === 'closed' || (task.status.status === 'open' && task.task === null)) {
    return <NoTask reason={task.status.reason} />
  }
  return (
    <>
      <header className="shrink-0 px-5 pt-3 max-md:px-4">
        <TaskHead task={task} tab={tab === 'tree' ? t('tree') : t('chat')} />
        <StageRail task={task} />
        <RequestStrip task={task} isChat={tab === 'chat'} />
        <div className="relative">
          <TabLinks
            label={t('views')}
            panel="task-panel"
            value={tab}
            hrefOf={hrefOf}
            className="max-md:justify-start! max-md:gap-5!"
            tabs={[
              { value: 'chat', label: t('chat') },
              { value: 'tree', label: t('tree') },
            ]}
          />
        </div>
      </header>
      <div
        id="task-panel"
        role="tabpanel"
        aria-label={tab === 'tree' ? t('tree') : t('chat')}
        aria-busy={task.status.status === 'loading' || undefined}
        className="flex min-h-0 grow flex-col"
      >
        {tab === 'tree' ? (
          <Suspense fallback={<Skeleton lines={8} />}>
            <TaskTree taskId={taskId} />
          </Suspense>
        ) : task.status.status === 'loading' ? (
          <Skeleton lines={6} />
        ) : (
          <GroupChat key={taskId} task={task} goTo={params.messageId ?? null} reply={reply} />
        )}
      </div>
    </>
  )
}

function NoTask({ reason }: { reason: string | null }) {
  const t = useTranslations('chat')
  const isForbidden = reason === 'not-allowed'
  return (
    <ErrorState
      isHeading
      title={isForbidden ? t('notAllowed') : t('notFound')}
      action={
        <Link href={pathTo('tasks')} className={buttonClass('plain')}>
          {t('toTasks')}
        </Link>
      }
    >
      {isForbidden ? t('notAllowedWhy') : t('notFoundWhy')}
    </ErrorState>
  )
}

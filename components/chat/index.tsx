/** A task's page: head, stages, my open requests, and its views as tabs. Moving between its addresses keeps the page. */
import { useTranslations } from 'use-intl'
import { useViewStatus } from '@/client'
import { useAction } from '@/client/actions/keyboard'
import { FilesElsewhere } from '@/client/knownFiles'
import { pathTo, setSearch, useSearchParam, withSearch } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { useApiQuery } from '@/client/queries'
import { TaskTimeline } from '@/components/timeline/lazy'
import { TaskTree } from '@/components/tree/lazy'
import { announce } from '@/components/ui/announce'
import { Button, LinkButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { ErrorState, Skeleton } from '@/components/ui/States'
import { useServerAway } from '@/components/ui/serverAway'
import { TabLinks } from '@/components/ui/Tabs'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { useIsWide } from '@/components/ui/useIsNarrow'
import { TaskWaits } from '@/components/waits/lazy'
import type { TaskId } from '@/lib/mas/ids'
import type { TaskScreen } from '@/lib/wire/addresses'
import { UnsentDraft } from './composer/ComposerOrReason'
import { GroupChat } from './GroupChat'
import { OpenedLine } from './task/OpenedLine'
import { HeldStrip, RequestStrip } from './task/RequestStrip'
import { StageRail } from './task/StageRail'
import { TalkLine } from './task/TalkLine'
import { TaskHead } from './task/TaskHead'
import { useTaskWorld } from './useTaskWorld'
import { useTimeTravel } from './useTimeTravel'

const TABS = ['chat', 'tree', 'timeline', 'waits'] as const
type Tab = (typeof TABS)[number]
const SCREEN_OF = {
  chat: 'task',
  tree: 'tree',
  timeline: 'timeline',
  waits: 'taskWaits',
} satisfies Record<Tab, TaskScreen>
const TAB_OF = {
  task: 'chat',
  message: 'chat',
  tree: 'tree',
  stage: 'tree',
  step: 'tree',
  timeline: 'timeline',
  taskWaits: 'waits',
} satisfies Record<TaskScreen, Tab>

export default function TaskPage({ screen, params, person }: ScreenProps) {
  const t = useTranslations('chat')
  const taskId = (params.taskId ?? '') as TaskId
  const tab: Tab = TAB_OF[screen as TaskScreen]
  const isWide = useIsWide()
  const hasChat = tab === 'chat' || (tab === 'tree' && isWide)
  // Asked for first, so that it is there when the conversation comes; other tabs do not need who is at work.
  const atWork = useViewStatus(hasChat ? `timeline:${taskId}` : `task:${taskId}`)
  const { status, reason } = useViewStatus(`task:${taskId}`)
  const task = useTaskWorld(taskId, person.agent_id, person.access === 'operator')
  const reply = useSearchParam('reply')
  const away = useServerAway()
  const words = { chat: t('chat'), tree: t('tree'), timeline: t('timeline'), waits: t('waits') }
  // What is inspected stays open beside the next tab.
  const [inspect, stage, aspect] = [useSearchParam('inspect'), useSearchParam('stage'), useSearchParam('tab')]
  const at = useSearchParam('at')
  const hrefOf = (value: string): string =>
    withSearch({ inspect, stage, tab: aspect, at }, { pathname: pathTo(SCREEN_OF[value as Tab], { taskId }) })
  const turnTime = useTimeTravel(taskId)
  useAction('chat', 'task', { href: hrefOf('chat') })
  useAction('tree', 'task', { href: hrefOf('tree') })
  useAction('timeline', 'task', { href: hrefOf('timeline') })
  useAction('waits', 'task', { href: hrefOf('waits') })
  useAction('moment', 'task', {
    run: task.task?.opened === undefined ? turnTime : () => announce(t('openedNoMoments')),
  })

  if (status === 'closed' || (status === 'open' && task.task === null)) {
    return at === null ? <NoTask taskId={taskId} reason={reason} /> : <NoMoment />
  }
  // The tabs come with the task: drawn before its head, they would jump under the pointer.
  // Who is at work stands above the chat: coming later, it would move it. Without a connection it may not come at all.
  const isStripLoading = atWork.status === 'loading' && away === null
  const isLoading = status === 'loading' || isStripLoading
  return (
    <FilesElsewhere value={task.task?.opened !== undefined}>
      <header className="@container/main shrink-0">
        <div className="px-5 pt-3 max-md:px-4">
          <div className="max-md:flex max-md:flex-wrap max-md:items-end max-md:gap-x-2">
            <TaskHead task={task} tab={words[tab]} />
            <StageRail task={task} />
          </div>
          {task.task?.opened === undefined ? null : <OpenedLine from={task.task.opened} />}
          {task.task?.talk ? <TalkLine task={task.task} me={person.agent_id} who={task.who} /> : null}
          <RequestStrip key={taskId} task={task} isChat={tab === 'chat'} />
          <HeldStrip task={task} />
          {isLoading ? null : (
            <div className="relative">
              <TabLinks
                label={t('views')}
                panel="task-panel"
                value={tab}
                hrefOf={hrefOf}
                className="max-md:justify-start! max-md:gap-5!"
                tabs={TABS.map((value) => ({ value, label: words[value] }))}
              />
            </div>
          )}
        </div>
      </header>
      <div
        key={isLoading ? 'loading' : 'open'}
        id="task-panel"
        role="tabpanel"
        aria-label={words[tab]}
        aria-busy={isLoading || undefined}
        className={cx('flex min-h-0 grow flex-col', tab === 'waits' && '@container/main')}
      >
        {isLoading ? (
          <Skeleton lines={6} />
        ) : tab === 'tree' && !isWide ? (
          <TaskTree taskId={taskId} />
        ) : tab === 'timeline' ? (
          <TaskTimeline taskId={taskId} />
        ) : tab === 'waits' ? (
          <TaskWaits taskId={taskId} />
        ) : (
          <div className="flex min-h-0 grow">
            <div className={cx('flex min-h-0 min-w-0 grow basis-0 flex-col', isWide && 'min-w-120')}>
              <GroupChat key={taskId} task={task} goTo={params.messageId ?? null} reply={reply} />
            </div>
            {isWide ? (
              <section
                aria-label={words.tree}
                className="flex min-h-0 min-w-105 grow basis-0 flex-col border-l border-line"
              >
                <TaskTree taskId={taskId} />
              </section>
            ) : null}
          </div>
        )}
      </div>
    </FilesElsewhere>
  )
}

/** Nothing is shown at this moment: the bar of time travel has the others. */
function NoMoment() {
  const t = useTranslations('chat')
  return (
    <ErrorState
      isHeading
      title={t('noMoment')}
      action={<Button onClick={() => setSearch({ at: null })}>{t('toNow')}</Button>}
    >
      {t('noMomentWhy')}
    </ErrorState>
  )
}

/** A former member finds here what they did not send. */
function NoTask({ taskId, reason }: { taskId: TaskId; reason: string | null }) {
  const t = useTranslations('chat')
  const faultWords = useFaultWords()
  const isForbidden = reason === 'not-allowed'
  const isErased = reason === 'erased'
  // No view has an erased task; the refusal says who erased it, and when.
  const { error } = useApiQuery(isErased ? `/api/tasks/${taskId}/result` : null)
  const [title, why] = isErased
    ? [t('erased'), error && faultWords(error)]
    : isForbidden
      ? [t('notAllowed'), t('notAllowedWhy')]
      : [t('notFound'), t('notFoundWhy')]
  return (
    <>
      <ErrorState isHeading title={title} action={<LinkButton href={pathTo('tasks')}>{t('toTasks')}</LinkButton>}>
        {why}
      </ErrorState>
      <div className="mx-auto w-full max-w-[40rem] px-6 max-md:px-4">
        <UnsentDraft place={`task:${taskId}`} />
      </div>
    </>
  )
}

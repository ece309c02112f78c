import { CalendarClock } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { useMe } from '@/client/account/session'
import { Link, pathTo, setSearch, useSearchParam } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { FormDialog } from '@/components/operate/FormDialog'
import { firstMissing, useActForm } from '@/components/operate/useActForm'
import { useActNow } from '@/components/operate/useSendAct'
import { RepeatFields, weekdayName } from '@/components/tasks/RepeatFields'
import { cronOf, repeatOf, repeatShape } from '@/components/tasks/repeat'
import { LinkButton } from '@/components/ui/Button'
import { TextArea } from '@/components/ui/fields/TextField'
import { chipStateOf, StatusChip } from '@/components/ui/marks/StatusChip'
import { TimeText } from '@/components/ui/marks/Time'
import { Menu, type MenuEntry } from '@/components/ui/overlays/Menu'
import { EmptyState, FaultState, Loading } from '@/components/ui/States'
import type { ScheduleList, ScheduleShown } from '@/lib/wire'
import { changeScheduleAct, scheduleAct } from './templateActs'

export function Schedules() {
  const t = useTranslations('templates')
  const tasks = useTranslations('tasks')
  const me = useMe()?.person.agent_id ?? null
  const { data, error, refetch } = useApiQuery<ScheduleList>('/api/schedules')
  const asked = useSearchParam('schedule')
  const list = data?.schedules ?? []
  const edited = list.find(({ id }) => id === asked) ?? null
  return (
    <>
      <h2 className="mb-2 text-question font-bold">{t('schedules')}</h2>
      {error !== null ? (
        <FaultState title={t('schedulesBroken')} fault={error} onRetry={refetch} />
      ) : data === undefined ? (
        <Loading lines={3} />
      ) : list.length === 0 ? (
        <EmptyState
          title={t('noSchedules')}
          icon={<CalendarClock />}
          isInColumn
          action={<LinkButton href={`${pathTo('tasks')}?ask=1`}>{tasks('ask')}</LinkButton>}
        >
          {t('noSchedulesWhy')}
        </EmptyState>
      ) : (
        <ul aria-label={t('schedules')} className="border-line border-t">
          {list.map((one) => (
            <ScheduleRow key={one.id} schedule={one} isMine={one.of.id === me} />
          ))}
        </ul>
      )}
      {edited === null ? null : (
        <ScheduleDialog
          key={edited.id}
          schedule={edited}
          onClose={() => setSearch({ schedule: null }, { replace: true })}
        />
      )}
    </>
  )
}

function ScheduleRow({ schedule, isMine }: { schedule: ScheduleShown; isMine: boolean }) {
  const t = useTranslations('templates')
  const act = useActNow()
  const often = useOften()
  const { id, name, of, text, paused, next, last, timeZone } = schedule
  const does = (name: 'pause' | 'resume' | 'remove', done: string): void => void act(scheduleAct(id, name), done)
  const entries: MenuEntry[] = [
    { label: t('changeSchedule'), onSelect: () => setSearch({ schedule: id }) },
    paused
      ? { label: t('resume'), onSelect: () => does('resume', t('didResume')) }
      : { label: t('pause'), onSelect: () => does('pause', t('didPause')) },
    { label: t('remove'), isDanger: true, onSelect: () => does('remove', t('didRemoveSchedule')) },
  ]
  return (
    <li
      data-id={id}
      data-kind="schedule"
      data-state={paused ? 'paused' : 'running'}
      className="flex min-w-0 items-start gap-3 border-line border-b py-2.5"
    >
      <div className="flex min-w-0 grow flex-col gap-0.5">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <b className="font-medium">{name}</b>
          <span className="text-table text-t2">{often(schedule)}</span>
          <span className="text-meta text-t3">{timeZone}</span>
          {isMine ? null : <span className="text-meta text-t3">{t('inNameOf', { who: of.name })}</span>}
        </div>
        <p className="cut text-table text-t2">{text}</p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-t3">
          {paused ? (
            <span className="text-waiting">
              {paused.by === null ? t('stopped', { reason: paused.reason }) : t('pausedBy', { who: paused.by })}
            </span>
          ) : next === null ? (
            <span>{t('never')}</span>
          ) : (
            <span>
              {t('next')} <TimeText at={next} />
            </span>
          )}
          <Last last={last} />
        </div>
      </div>
      <Menu label={t('actionsFor', { name })} entries={entries} />
    </li>
  )
}

function Last({ last }: { last: ScheduleShown['last'] }) {
  const t = useTranslations('templates')
  if (last === null) return <span>{t('notYet')}</span>
  const { task } = last
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-1.5">
      {t('last')} <TimeText at={last.at} />
      {task === null ? (
        <span>· {t('noTaskYet')}</span>
      ) : (
        <>
          <span aria-hidden>·</span>
          {task.state === null ? null : <StatusChip state={chipStateOf(task.state)} raw={task.state} />}
          <Link href={pathTo('task', { taskId: task.id })} className="cut text-t1 hover:underline">
            {task.name ?? t('archivedTask')}
          </Link>
        </>
      )}
    </span>
  )
}

/** How often, as text: "Every Monday at 09:00". */
function useOften(): (schedule: Pick<ScheduleShown, 'cron'>) => string {
  const t = useTranslations('templates')
  const locale = useLocale()
  return ({ cron }) => {
    const { every, time, weekday, day } = repeatOf(cron)
    return t(`often.${every}`, { time, day, cron, weekday: weekdayName(Number(weekday), locale) })
  }
}

const shape = z.object({ text: z.string(), repeat: repeatShape })

type ScheduleDialogProps = { schedule: ScheduleShown; onClose: () => void }

function ScheduleDialog({ schedule: { id, name, text, cron, timeZone }, onClose }: ScheduleDialogProps) {
  const t = useTranslations('templates')
  const nothing = { name, text, cron, timeZone }
  const start = { text, repeat: { name, ...repeatOf(cron), zone: timeZone } }
  const form = useActForm(changeScheduleAct(id, nothing).place, shape, start)
  const { repeat, text: request } = form.values
  const next = cronOf(repeat)
  const missing = firstMissing(
    [repeat.name.trim() === '', t('missing.name')],
    [request.trim() === '', t('missing.text')],
    [next === null, t('missing.time')],
  )
  return (
    <FormDialog
      title={t('changeSchedule')}
      action={t('save')}
      hasReason={false}
      missing={missing}
      act={changeScheduleAct(id, {
        name: repeat.name.trim(),
        text: request,
        cron: next ?? '',
        timeZone: repeat.zone || timeZone,
      })}
      done={t('scheduleSaved')}
      onClose={onClose}
    >
      <RepeatFields repeat={repeat} onChange={(repeat) => form.set({ repeat })} />
      <TextArea {...form.text('text')} label={t('requestText')} minLines={3} maxLines={10} />
    </FormDialog>
  )
}

import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { whoInWorld } from '@/components/request'
import { cx } from '@/components/ui/cx'
import { Avatar, AvatarRow } from '@/components/ui/marks/Avatar'
import { Duration, TimeText } from '@/components/ui/marks/Time'
import { Dash } from '@/components/ui/marks/WaitLine'
import { columnsOf, DataTable } from '@/components/ui/Table'
import { useList } from '@/components/ui/useList'
import { firstWords } from '@/lib/format/plainText'
import type { TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import type { EndedWait } from './endedWaits'

type EndedTableProps = {
  waits: readonly EndedWait[]
  world: World
  task: TaskId
  /** The open waits are above this table. */
  isSecond: boolean
}

export function EndedTable({ waits, world, task, isSecond }: EndedTableProps) {
  const t = useTranslations('waits')
  const columns = columnsOf<EndedWait>()(
    {
      who: { className: 'w-[16%]', cell: (wait) => <Asker wait={wait} world={world} task={task} /> },
      forWhom: { className: 'w-[17%]', cell: (wait) => <ForWhom wait={wait} world={world} /> },
      what: {
        className: '@max-[850px]/main:hidden',
        cell: (wait) => (
          <span className="block md:cut" title={firstWords(wait.what, 400)}>
            {firstWords(wait.what)}
          </span>
        ),
      },
      long: { className: 'w-36', cell: (wait) => <Duration ms={wait.endedAt - wait.since} /> },
      how: { className: 'w-[30%] pr-5', cell: (wait) => <How wait={wait} world={world} /> },
    },
    (name) => t(`column.${name}`),
  )
  return (
    <DataTable
      isFramed
      isSecond={isSecond}
      label={t('ended')}
      kind="ended-wait"
      rows={waits}
      columns={columns}
      idOf={({ id }) => id}
      stateOf={({ how }) => how}
    />
  )
}

function Asker({ wait, world, task }: { wait: EndedWait; world: World; task: TaskId }) {
  const who = whoInWorld(world, wait.who)
  const href =
    wait.message !== null
      ? pathTo('message', { taskId: task, messageId: wait.message })
      : pathTo('request', { requestId: wait.request ?? '' })
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Avatar who={who} size={24} />
      <Link data-row href={href} className="cut font-medium text-t1 hover:underline">
        {who.name}
      </Link>
    </span>
  )
}

function ForWhom({ wait, world }: { wait: EndedWait; world: World }) {
  const listOf = useList()
  const people = wait.forWhom.map((id) => whoInWorld(world, id))
  const names = listOf(people.map(({ name }) => name))
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Dash className="w-6 shrink-0" />
      <AvatarRow people={people} size={24} max={3} />
      <span className="cut" title={names}>
        {names}
      </span>
    </span>
  )
}

/** "Answered by Ana 10:42", "Released: by Ana, it knows the columns". */
function How({ wait, world }: { wait: EndedWait; world: World }) {
  const t = useTranslations('waits')
  const words =
    wait.how === 'answered' && wait.by !== null
      ? t('endedHow.answeredBy', { who: whoInWorld(world, wait.by).name })
      : t(`endedHow.${wait.how}`)
  const why = wait.how === 'answered' ? null : wait.why
  return (
    <span className="block md:cut" title={why ?? undefined}>
      <b className={cx('font-medium', wait.how === 'answered' ? 'text-done' : 'text-t1')}>{words}</b>{' '}
      <TimeText at={wait.endedAt} isClock className="text-t3" />
      {why ? ` · ${why}` : null}
    </span>
  )
}

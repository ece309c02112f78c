import { useId, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useRecords } from '@/client'
import { Link, pathTo } from '@/client/nav'
import { whoInWorld } from '@/components/request'
import { cx } from '@/components/ui/cx'
import { Duration, TimeText } from '@/components/ui/marks/Time'
import { DataTable } from '@/components/ui/Table'
import { useList } from '@/components/ui/useList'
import { firstWords } from '@/lib/format/plainText'
import type { TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { AwaitedCell, WaiterCell } from './cells'
import { type EndedWait, endedWaitsOf } from './endedWaits'

/** Rows at most; the chat has all. */
const MOST_ENDED = 200

/** name: the task's, where several tasks are listed; one without ended waits is then left out. */
export function Ended({ taskId, isSecond, name }: { taskId: TaskId; isSecond: boolean; name?: string }) {
  const t = useTranslations('waits')
  const heading = useId()
  const world = useRecords(`task:${taskId}`, (whole) => whole)
  const waits = useMemo(() => endedWaitsOf(world, taskId), [world, taskId])
  if (name !== undefined && waits.length === 0) return null
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="px-5 pt-5 pb-2 text-table font-medium max-md:px-4">
        {name === undefined ? null : (
          <>
            <Link href={`${pathTo('taskWaits', { taskId })}?ended`} className="hover:underline">
              {name}
            </Link>
            {' · '}
          </>
        )}
        {t('endedCount', { count: waits.length })}
      </h2>
      {waits.length === 0 ? (
        <p className="px-5 pb-6 text-t2 max-md:px-4">{t('noneEnded')}</p>
      ) : (
        <EndedTable waits={waits.slice(0, MOST_ENDED)} world={world} task={taskId} isSecond={isSecond} />
      )}
      {waits.length > MOST_ENDED ? (
        <p className="px-5 py-3 text-t3 max-md:px-4">{t('moreEnded', { count: MOST_ENDED })}</p>
      ) : null}
    </section>
  )
}

type EndedTableProps = {
  waits: readonly EndedWait[]
  world: World
  task: TaskId
  /** The open waits are above this table. */
  isSecond: boolean
}

function EndedTable({ waits, world, task, isSecond }: EndedTableProps) {
  const t = useTranslations('waits')
  return (
    <DataTable
      isFramed
      isSecond={isSecond}
      label={t('ended')}
      kind="ended-wait"
      rows={waits}
      columns={{
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
      }}
      headOf={(name) => t(`column.${name}`)}
      idOf={({ id }) => id}
      stateOf={({ how }) => how}
    />
  )
}

const Asker = ({ wait, world, task }: { wait: EndedWait; world: World; task: TaskId }) => (
  <WaiterCell
    who={whoInWorld(world, wait.who)}
    href={
      wait.message !== null
        ? pathTo('message', { taskId: task, messageId: wait.message })
        : pathTo('request', { requestId: wait.request ?? '' })
    }
  />
)

function ForWhom({ wait, world }: { wait: EndedWait; world: World }) {
  const listOf = useList()
  const people = wait.forWhom.map((id) => whoInWorld(world, id))
  const names = listOf(people.map(({ name }) => name))
  return (
    <AwaitedCell people={people} names={names}>
      {names}
    </AwaitedCell>
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

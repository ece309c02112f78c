/**
 * The table “Ended waits”: who waited for whom, how long, how it ended; on a phone the rows are cards.
 *
 * Owns: its columns and words. Not here: which these are (endedWaits.ts), waits that go on (WaitTable.tsx).
 */
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { firstWords, personOf } from '@/components/request'
import { Avatar, AvatarRow } from '@/components/ui/Avatar'
import { cx } from '@/components/ui/cx'
import { Duration, TimeText } from '@/components/ui/Time'
import { Dash } from '@/components/ui/WaitLine'
import type { TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import type { EndedWait } from './endedWaits'

export function EndedTable({
  waits,
  world,
  task,
  isNarrow,
}: {
  waits: readonly EndedWait[]
  world: World
  task: TaskId
  isNarrow: boolean
}) {
  const t = useTranslations('waits')
  const heads = [t('column.who'), t('column.forWhom'), t('column.what'), t('column.long'), t('column.how')]
  const width = ['w-[16%] pl-5', 'w-[17%]', '@max-[850px]/main:hidden', 'w-36', 'w-[30%] pr-5']
  return (
    <table aria-label={t('ended')} className="w-full table-fixed border-collapse border-y border-line text-table">
      <thead className={isNarrow ? 'sr-only' : undefined}>
        <tr>
          {(isNarrow ? heads.slice(0, 1) : heads).map((head, at) => (
            <th
              key={head}
              scope="col"
              className={cx('h-8 border-b border-line pr-3 text-left text-meta font-medium text-t3', width[at])}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {waits.map((wait) => {
          const cells = [
            <Asker key="who" wait={wait} world={world} task={task} />,
            <ForWhom key="for" wait={wait} world={world} />,
            <span key="what" className="cut block" title={firstWords(wait.what, 400)}>
              {firstWords(wait.what)}
            </span>,
            <Duration key="long" ms={wait.endedAt - wait.since} />,
            <How key="how" wait={wait} world={world} />,
          ]
          return (
            <tr
              key={wait.id}
              data-id={wait.id}
              data-kind="ended-wait"
              data-state={wait.how}
              className="h-row border-b border-line text-t2"
            >
              {isNarrow ? (
                <td className="flex flex-col gap-1.5 px-4 py-3">{cells}</td>
              ) : (
                cells.map((cell, at) => (
                  <td key={heads[at]} className={cx('h-row overflow-hidden py-1 pr-3 whitespace-nowrap', width[at])}>
                    {cell}
                  </td>
                ))
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Who waited, as a link to what was asked. */
function Asker({ wait, world, task }: { wait: EndedWait; world: World; task: TaskId }) {
  const who = personOf(world, wait.who)
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
  const people = wait.forWhom.map((id) => personOf(world, id))
  const names = people.map(({ name }) => name).join(', ')
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
      ? t('endedHow.answeredBy', { who: personOf(world, wait.by).name })
      : t(`endedHow.${wait.how}`)
  const why = wait.how === 'answered' ? null : wait.why
  return (
    <span className="cut block" title={why ?? undefined}>
      <b className={cx('font-medium', wait.how === 'answered' ? 'text-done' : 'text-t1')}>{words}</b>{' '}
      <TimeText at={wait.endedAt} isClock className="text-t3" />
      {why ? ` · ${why}` : null}
    </span>
  )
}

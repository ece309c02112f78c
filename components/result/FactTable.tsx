/** What a result states, one fact per row, with the source that its manager named. */
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { PathText } from '@/components/ui/text/FileLink'
import { safeHref } from '@/components/ui/text/safeHref'
import type { TaskResult } from '@/lib/wire'

type Fact = TaskResult['facts'][number]

export function FactTable({ task, facts }: { task: string; facts: readonly Fact[] }) {
  const t = useTranslations('result')
  const hasSources = facts.some(({ source }) => source !== null)
  const cell = 'border-t border-line py-1.5 pr-4 align-baseline break-words last:pr-0'
  return (
    <table aria-label={t('facts')} className="w-full table-fixed border-collapse border-b border-line">
      <thead className="sr-only">
        <tr>
          <th scope="col">{t('fact')}</th>
          <th scope="col">{t('value')}</th>
          {hasSources ? (
            <th scope="col" className="@max-md:hidden">
              {t('source')}
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {facts.map((fact, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: facts of an ended task never change places.
          <tr key={at} data-kind="fact">
            <th scope="row" className={`w-[28%] text-left font-normal text-t2 ${cell}`}>
              {fact.label}
            </th>
            <td className={`font-medium tabular-nums ${cell}`}>
              <PathText text={fact.value} />
              {fact.source === null ? null : (
                <span className="block text-table font-normal text-t3 @md:hidden">
                  <Source task={task} fact={fact} />
                </span>
              )}
            </td>
            {hasSources ? (
              // Where there is no room for a third column, it is below the value.
              <td className={`w-[30%] text-table text-t3 @max-md:hidden ${cell}`}>
                <Source task={task} fact={fact} />
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Source({ task, fact: { source, record } }: { task: string; fact: Fact }) {
  if (source === null) return null
  if (record !== null) {
    const href =
      record.kind === 'step'
        ? pathTo('step', { taskId: task, stepId: record.id })
        : pathTo('message', { taskId: task, messageId: record.id })
    return (
      <Link data-literal href={href} className="link">
        {source}
      </Link>
    )
  }
  const address = /^https?:/i.test(source) ? safeHref(source) : null
  if (address === null) return <PathText text={source} isLiteral />
  return (
    <a data-literal href={address} target="_blank" rel="noreferrer" className="link">
      {source}
    </a>
  )
}

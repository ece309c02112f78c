/** What people decided in the task: the question as a link to it, who decided what, and when. */
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { TimeText } from '@/components/ui/marks/Time'
import { firstWords } from '@/lib/format/plainText'
import type { TaskResult } from '@/lib/wire'

type Decided = TaskResult['decisions'][number]

/** Letters of a question and of an answer; the request has the rest. */
const QUESTION_LENGTH = 140
const ANSWER_LENGTH = 200

export const Decisions = ({ decisions }: { decisions: readonly Decided[] }) => (
  <ul>
    {decisions.map((one) => (
      <li key={one.request} data-kind="decision" className="mb-1.5 break-words">
        <Link href={pathTo('request', { requestId: one.request })} className="link">
          {firstWords(one.title, QUESTION_LENGTH)}
        </Link>
        <Outcome decided={one} />
      </li>
    ))}
  </ul>
)

function Outcome({ decided: { decision, name, text, at } }: { decided: Decided }) {
  const t = useTranslations('result')
  const isNo = decision === 'refuse' || decision === 'cannot'
  return (
    <p className="text-table text-t2">
      <span className={isNo ? 'text-failed' : undefined}>{t(`decided.${decision}`, { who: name })}</span>
      {text.trim() === '' ? null : <> · {t('quoted', { text: firstWords(text, ANSWER_LENGTH) })}</>}
      {' · '}
      <TimeText at={at} isClock className="text-t3" />
    </p>
  )
}

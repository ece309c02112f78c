import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { questionText, taskTitle } from '@/client/readersWords'
import { Avatar } from '@/components/ui/marks/Avatar'
import { TimeText } from '@/components/ui/marks/Time'
import { firstWords } from '@/lib/format/plainText'
import type { RequestRow } from '@/lib/wire/rows'
import type { InboxRow } from './rows'

export default function LastAnswers({ rows }: { rows: readonly InboxRow[] }) {
  const t = useTranslations('inbox')
  const answers = rows.filter((row): row is RequestRow => row.kind === 'request' && row.group === 'done').slice(0, 3)
  if (answers.length === 0) return null
  return (
    <section className="max-w-[40rem]">
      <h3 className="text-table font-medium text-t2">{t('lastAnswers')}</h3>
      <ul className="mt-1.5 flex flex-col">
        {answers.map(({ request, asker, taskName }) => (
          <li
            key={request.id}
            className="flex min-h-row items-center gap-2.5 border-b border-line py-1.5 last:border-0"
          >
            <Avatar who={asker} size={20} isNamed />
            <span className="min-w-0 grow">
              <Link href={pathTo('request', { requestId: request.id })} className="hover:underline">
                {firstWords(request.answer?.text || questionText(request), 90)}
              </Link>
              <span className="block text-meta text-t3">{taskTitle(taskName)}</span>
            </span>
            {request.answer ? <TimeText at={request.answer.at} className="text-meta text-t3" /> : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

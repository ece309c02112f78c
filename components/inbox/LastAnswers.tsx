import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { questionText, taskTitle } from '@/client/readersWords'
import { Avatar } from '@/components/ui/marks/Avatar'
import { ItemLine } from '@/components/ui/marks/ItemLine'
import { TimeText } from '@/components/ui/marks/Time'
import { firstWords } from '@/lib/format/plainText'
import type { RequestRow } from '@/lib/wire/rows'
import type { InboxRow } from './rows'

export function LastAnswers({ rows }: { rows: readonly InboxRow[] }) {
  const t = useTranslations('inbox')
  const answers = rows.filter((row): row is RequestRow => row.kind === 'request' && row.group === 'done').slice(0, 3)
  if (answers.length === 0) return null
  return (
    <section>
      <h3 className="text-table font-medium text-t2">{t('lastAnswers')}</h3>
      <ul className="mt-1.5 border-t border-line">
        {answers.map(({ request, asker, taskName }) => (
          <li key={request.id} className="relative border-b border-line py-2 hover:bg-hover">
            <ItemLine
              mark={<Avatar who={asker} size={28} isNamed />}
              name={asker.kind === 'system' ? taskTitle(taskName) : asker.name}
              place={asker.kind === 'system' ? undefined : taskTitle(taskName)}
              end={request.answer ? <TimeText at={request.answer.at} /> : null}
            >
              <Link href={pathTo('request', { requestId: request.id })} className="after:absolute after:inset-0">
                {firstWords(request.answer?.text || questionText(request), 90)}
              </Link>
            </ItemLine>
          </li>
        ))}
      </ul>
    </section>
  )
}

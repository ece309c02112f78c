/** My unsent answers to requests that somebody else answered, or that ended. A lazy file. */
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { questionText, taskTitle } from '@/client/readersWords'
import { useFetched } from '@/client/useFetched'
import { displayStateOf } from '@/components/request'
import { firstWords } from '@/lib/format/plainText'
import type { RequestAnswerBody } from '@/lib/wire'

/** in: ids: the requests that have a draft and are not on this page */
export default function OrphanedDrafts({ ids }: { ids: readonly string[] }) {
  const t = useTranslations('inbox')
  return (
    <section aria-label={t('leftDrafts')} className="mt-5 text-table not-has-[li]:hidden">
      <h2 className="font-medium text-t2">{t('leftDrafts')}</h2>
      <ul className="mt-1 flex flex-col gap-0.5">
        {ids.map((id) => (
          <OrphanedDraft key={id} id={id} />
        ))}
      </ul>
    </section>
  )
}

/** Nothing while its request is open or unknown. */
function OrphanedDraft({ id }: { id: string }) {
  const t = useTranslations('inbox')
  const { answer } = useFetched<RequestAnswerBody>(`/api/requests/${encodeURIComponent(id)}`)
  if (!answer?.ok || displayStateOf(answer.value.request) === 'open') return null
  const { request, askerName, taskName } = answer.value
  return (
    <li>
      <Link href={pathTo('request', { requestId: request.id })} className="link">
        {t('leftDraft', { who: askerName, task: taskTitle(taskName), text: firstWords(questionText(request), 60) })}
      </Link>
    </li>
  )
}

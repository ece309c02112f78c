/** My unsent answers to requests that somebody else answered, or that ended. A lazy file. */
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { questionText, taskTitle } from '@/client/readersWords'
import { displayStateOf, getRequest } from '@/components/request'
import { firstWords } from '@/lib/format/plainText'
import type { RequestId } from '@/lib/mas/ids'
import type { RequestAnswerBody } from '@/lib/wire'

/** in: ids: the requests that have a draft and are not on this page */
export default function OrphanedDrafts({ ids }: { ids: readonly string[] }) {
  const t = useTranslations('inbox')
  const over = useEndedRequests(ids)
  if (over.length === 0) return null
  return (
    <section aria-label={t('leftDrafts')} className="mt-5 text-table">
      <h2 className="font-medium text-t2">{t('leftDrafts')}</h2>
      <ul className="mt-1 flex flex-col gap-0.5">
        {over.map(({ request, askerName, taskName }) => (
          <li key={request.id}>
            <Link href={pathTo('request', { requestId: request.id })} className="link">
              {t('leftDraft', {
                who: askerName,
                task: taskTitle(taskName),
                text: firstWords(questionText(request), 60),
              })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The requests of these that are over; each is fetched once. */
function useEndedRequests(ids: readonly string[]): RequestAnswerBody[] {
  const [known, setKnown] = useState<Readonly<Record<string, RequestAnswerBody | null>>>({})
  const missing = ids.filter((id) => known[id] === undefined).join(' ')
  useEffect(() => {
    // Joins the server: it knows requests that are in no list any more.
    if (missing === '') return
    let isWanted = true
    for (const id of missing.split(' ')) {
      void getRequest(id as RequestId).then((came) => {
        if (isWanted && (came.ok || came.refusal.kind !== 'unreachable'))
          setKnown((all) => ({ ...all, [id]: came.ok ? came.value : null }))
      })
    }
    return () => {
      isWanted = false
    }
  }, [missing])
  return ids.flatMap((id) => {
    const one = known[id]
    return one && displayStateOf(one.request) !== 'open' ? [one] : []
  })
}

/**
 * What I had begun to answer where somebody else was first, or the request ended: it waits here until I say what
 * becomes of it.
 */

import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraftPlaces } from '@/client'
import { Link, pathTo } from '@/client/nav'
import { displayStateOf, getRequest } from '@/components/request'
import { firstWords } from '@/lib/format/plainText'
import type { RequestId } from '@/lib/mas/ids'
import type { RequestAnswerBody } from '@/lib/wire'
import { requestsWithDrafts } from './rows'

/** in: shown: requests that stand on this page with their boxes */
export function OrphanedDrafts({ shown }: { shown: readonly string[] }) {
  const t = useTranslations('inbox')
  const places = useDraftPlaces()
  const ids = requestsWithDrafts(Object.keys(places)).filter((id) => !shown.includes(id))
  const over = useOver(ids)
  if (over.length === 0) return null
  return (
    <section aria-label={t('leftDrafts')} className="mt-5 text-table">
      <h2 className="font-medium text-t2">{t('leftDrafts')}</h2>
      <ul className="mt-1 flex flex-col gap-0.5">
        {over.map(({ request, askerName, taskName }) => (
          <li key={request.id}>
            <Link href={pathTo('request', { requestId: request.id })} className="link">
              {t('leftDraft', { who: askerName, task: taskName, text: firstWords(request.question, 60) })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Those of them that are over; asked for once each. */
function useOver(ids: readonly string[]): RequestAnswerBody[] {
  const [known, setKnown] = useState<Readonly<Record<string, RequestAnswerBody | null>>>({})
  const missing = ids.filter((id) => known[id] === undefined).join(' ')
  useEffect(() => {
    // Joins the server: it knows every request, also one that is in no list any more.
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

import { ArrowLeft } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRow, useRows, useViewStatus } from '@/client'
import { FilesElsewhere } from '@/client/knownFiles'
import { Link, navigate, pathTo } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { useApiQuery } from '@/client/queries'
import { taskTitle } from '@/client/readersWords'
import { RequestCard, type RequestShown, useNames } from '@/components/request'
import { useCardKeys } from '@/components/request/card/useCardKeys'
import { requestPath } from '@/components/request/commands'
import { PageHeading } from '@/components/ui/PageHeading'
import { ErrorState, Skeleton } from '@/components/ui/States'
import { asId, type RequestId } from '@/lib/mas/ids'
import type { RequestAnswerBody } from '@/lib/wire'
import { useLiveRequest } from './LiveRequest'
import { itemOf, openGroupsOf, successorOf } from './rows'

export default function RequestPage({ params, person }: ScreenProps) {
  const t = useTranslations()
  const namesOf = useNames()
  const id = params.requestId ?? ''
  const row = useRow('me', id)
  const rows = useRows('me')
  const { status } = useViewStatus('me')
  const list = useRef<HTMLDivElement>(null)
  useCardKeys(list)
  const known = row?.kind === 'request' ? row : null
  /** A row may leave while I write. */
  const [seen, setSeen] = useState<RequestShown | null>(null)
  useEffect(() => {
    if (known) setSeen(known)
  }, [known])
  const last = known ?? (seen?.request.id === id ? seen : null)
  // A settled request has no row of mine; the server knows every request, and its task.
  const isUnknown = status === 'open' && last === null
  const { data, error } = useApiQuery<RequestAnswerBody>(isUnknown ? requestPath(asId<RequestId>(id)) : null)
  const isMissing = error !== null
  const found = useMemo(() => (data ? bareRequest(data) : null), [data])
  const shown = useLiveRequest(last ?? found, person.agent_id)
  const number = shown?.request.number ?? null
  const isAsked = shown?.request.asked.includes(person.agent_id) === true
  const openNext = (): void => {
    const next = successorOf(openGroupsOf(rows), id)
    const nextRow =
      next === null || next === id ? null : rows.find((one) => one.kind === 'request' && itemOf(one) === next)
    navigate(nextRow ? pathTo('request', { requestId: nextRow.id }) : '/inbox')
  }
  return (
    <div data-scroll className="page-scroll pb-12">
      <div ref={list} className="page-column">
        <Link
          href="/inbox"
          className="mt-4 inline-flex items-center gap-1.5 text-table text-t2 hover:underline touch:mt-1 touch:h-11"
        >
          <ArrowLeft className="size-4" />
          {t('inbox.title')}
        </Link>
        <PageHeading
          className="pt-1 pb-3"
          title={
            shown
              ? [...(number === null ? [] : [t('request.number', { number })]), taskTitle(shown.taskName)]
              : [isMissing ? t('error.nothingHere') : t('inbox.title')]
          }
        >
          {shown
            ? number === null
              ? taskTitle(shown.taskName)
              : t('inbox.requestTitle', { number, task: taskTitle(shown.taskName) })
            : isMissing
              ? t('inbox.requestGone')
              : t('inbox.title')}
        </PageHeading>
        {data?.archived ? <p className="mb-2 text-meta text-t3">{t('inbox.archived')}</p> : null}
        <FilesElsewhere value={data?.opened === true}>
          {shown ? (
            <RequestCard
              key={id}
              shown={shown}
              place="list"
              isMine={isAsked || person.access === 'operator'}
              answersFor={isAsked ? undefined : namesOf(shown.asked.map(({ name }) => name))}
              onAnswered={openNext}
            />
          ) : isMissing ? (
            <ErrorState title={t('error.nothingHere')}>
              {t('error.nothingHereWhy')}{' '}
              <Link href="/inbox" className="link">
                {t('inbox.title')}
              </Link>
            </ErrorState>
          ) : (
            <Skeleton lines={5} className="px-0!" />
          )}
        </FilesElsewhere>
      </div>
    </div>
  )
}

/** A request without its task; names and stage come with the task's log. */
const bareRequest = ({ request, taskName, askerName }: RequestAnswerBody): RequestShown => ({
  request,
  taskName,
  asker: { id: request.asker, name: askerName, kind: 'llm', role: '', manager: false, access: 'none' },
  asked: [],
  stage: null,
  holdsUp: { agents: [], stage: false },
  part: null,
  changed: false,
  answeredBy: null,
})

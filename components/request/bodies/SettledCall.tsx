/** What a settled confirmation was about: what was proposed, what ran, and the difference. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Comparisons, TextViews } from '@/components/form/TextViews'
import { Button } from '@/components/ui/Button'
import { Skeleton } from '@/components/ui/States'
import type { ArgumentsAnswer } from '@/lib/wire'
import type { RequestShown } from '../shown'
import { ArgumentsView } from './ArgumentsView'
import { argumentText, changedArguments } from './editedCall'
import { useArguments } from './useArguments'

type Look = 'closed' | 'ran' | 'proposed'

export function SettledCall({ shown: { request, about } }: { shown: RequestShown }) {
  const t = useTranslations('request')
  const [look, setLook] = useState<Look>('closed')
  const isEdited = request.answer?.decision === 'approve_edited'
  const isRun = isEdited || request.answer?.decision === 'approve'
  const looks = [...(isRun ? (['ran'] as const) : []), ...(isRun && !isEdited ? [] : (['proposed'] as const))]
  if (request.call === null) return null
  return (
    <div className="mt-2 min-w-0 text-table">
      <p className="break-words">
        <span data-literal className="font-mono">
          {request.call.server}.{request.call.tool}
        </span>
        {about?.kind === 'call' ? <span className="text-t2"> · {about.text}</span> : null}
      </p>
      {isEdited || look !== 'closed' ? <Fetched request={request} look={look} isEdited={isEdited} /> : null}
      <div className="mt-1 -ml-2.5 flex flex-wrap gap-1">
        {looks.map((one) => (
          <Button
            key={one}
            look="quiet"
            aria-expanded={look === one}
            onClick={() => setLook(look === one ? 'closed' : one)}
          >
            {t(look === one ? 'settled.hide' : `settled.${one}`)}
          </Button>
        ))}
      </div>
    </div>
  )
}

type FetchedProps = { request: RequestShown['request']; look: Look; isEdited: boolean }

function Fetched({ request, look, isEdited }: FetchedProps) {
  const t = useTranslations('request')
  const { data: proposed, error } = useArguments(request)
  if (error !== null) return <p className="mt-1 text-t3">{t('settled.gone')}</p>
  if (proposed === undefined) return <Skeleton lines={2} className="px-0!" />
  const ran = proposed.ran ?? proposed
  const given = look === 'proposed' ? proposed : ran
  return (
    <>
      {isEdited && look === 'closed' ? <Difference proposed={proposed} ran={ran} /> : null}
      {look === 'closed' ? null : (
        <section
          aria-label={t(look === 'ran' ? 'settled.ranName' : 'settled.proposedName')}
          className="mt-1.5 rounded-control bg-s3 px-3 py-2"
        >
          <ArgumentsView given={given} />
        </section>
      )}
    </>
  )
}

function Difference({ proposed, ran }: { proposed: ArgumentsAnswer; ran: Pick<ArgumentsAnswer, 'json'> }) {
  const t = useTranslations('request')
  const changed = changedArguments(proposed.json, ran.json)
  if (changed.length === 0) return null
  return (
    <section aria-label={t('settled.difference')} className="mt-1.5 flex flex-col gap-2">
      {changed.map(({ name, before, after }) => (
        <div key={name} className="min-w-0">
          <p className="mb-0.5 text-meta text-t3">{t('settled.changed', { name: name || t('arguments') })}</p>
          <Comparisons value={() => [{ value: 'proposal', label: t('against.proposal'), name, before }]}>
            <TextViews label={name} text={after} place={name} start={['proposal']}>
              <p data-literal className="font-mono break-words whitespace-pre-wrap">
                {argumentText(after)}
              </p>
            </TextViews>
          </Comparisons>
        </div>
      ))}
    </section>
  )
}

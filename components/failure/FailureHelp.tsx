/** Why a step failed, in one plain sentence by its cause, and the one link to where that is mended. */
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { pathTo } from '@/client/nav'
import { LinkButton } from '@/components/ui/Button'
import type { FailureCause } from '@/lib/mas/steps/failureCause'

/**
 * agent   whose step it was
 * model   that was asked; null: none
 * server  of the tool; null: of a skill
 */
export type Failure = { cause: FailureCause; agent: string; model: string | null; server: string | null }

/** children: other ways on, beside the link */
export function FailureHelp({ failure, children }: { failure: Failure; children?: ReactNode }) {
  const t = useTranslations('failure')
  const isOperator = useMe()?.person.access === 'operator'
  const { cause, model, server } = failure
  const place = placeOf(failure)
  // Agents and models are set up by operators.
  const isSetUp = place?.act === 'otherModel' || place?.act === 'models'
  const mayGo = place !== null && (isOperator || !isSetUp)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5" data-cause={cause}>
      <p className="min-w-0 basis-full break-words text-t1">
        {t(`cause.${cause}`, { model: model ?? t('itsModel'), server: server ?? t('aTool') })}
        {isSetUp && !isOperator ? ` ${t('askOperator')}` : null}
      </p>
      {mayGo ? <LinkButton href={place.href}>{t(place.act)}</LinkButton> : null}
      {children}
    </div>
  )
}

type Place = { act: 'otherModel' | 'models' | 'tools' | 'files'; href: string }

/** out: null: nothing is to be mended, a person decided */
function placeOf({ cause, agent }: Failure): Place | null {
  switch (cause) {
    case 'format':
      return { act: 'otherModel', href: pathTo('agent', { agentId: agent }) }
    case 'key':
    case 'limit':
    case 'model':
      return { act: 'models', href: pathTo('settings', { page: 'models' }) }
    case 'tool':
      return { act: 'tools', href: pathTo('tools') }
    case 'file':
      return { act: 'files', href: pathTo('files') }
    case 'person':
      return null
    default:
      return cause satisfies never
  }
}

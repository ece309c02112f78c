import { useTranslations } from 'use-intl'
import { RunByHandLink } from '@/components/tools/RunByHandLink'
import type { RequestRecord } from '@/lib/mas/records'
import { SettledCall } from '../bodies/SettledCall'
import { InheritedDraft, ReassignedLine, TransferBar } from '../TransferBar'
import { AttemptList } from './AttemptLines'
import { ClaimLine } from './ClaimLine'
import type { LazyCardPartProps } from './LazyCardPart'
import { LateActions, LostRace } from './LostRace'

export default function LazyCardParts(props: LazyCardPartProps) {
  switch (props.part) {
    case 'transfer':
      return <TransferBar {...props} />
    case 'begun':
      return <InheritedDraft {...props} />
    case 'byHand':
      return <ByHandInstead {...props} />
    case 'claim':
      return <ClaimLine {...props} />
    case 'reassigned':
      return <ReassignedLine {...props} />
    case 'attempts':
      return <AttemptList {...props} />
    case 'settled':
      return <SettledCall {...props} />
    case 'late':
      return <LateActions {...props} />
    case 'lost':
      return <LostRace {...props} />
  }
}

type ByHandInsteadProps = { id: RequestRecord['id']; call: NonNullable<RequestRecord['call']>; isEdited: boolean }

/** A withdrawn call cannot be approved; a person with the right can run the same tool by hand. */
export function ByHandInstead({ id, call: { server, tool }, isEdited }: ByHandInsteadProps) {
  const t = useTranslations('tools')
  return (
    <div className="mt-2">
      <RunByHandLink server={server} tool={tool} like={{ request: id, isEdited }} label={t('byHandThese')} />
    </div>
  )
}

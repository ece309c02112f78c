import type { ComponentProps, ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import { RunByHandLink } from '@/components/tools/RunByHandLink'
import type { RequestRecord } from '@/lib/mas/records'
import { SettledPlan } from '../bodies/PlanView'
import { SettledCall } from '../bodies/SettledCall'
import { InheritedDraft, ReassignedLine, TransferBar } from '../TransferBar'
import { AttemptList } from './AttemptLines'
import { ClaimLine } from './ClaimLine'
import { LateActions, LostRace } from './LostRace'

const PARTS = {
  transfer: TransferBar,
  draft: InheritedDraft,
  byHand: ByHandInstead,
  claim: ClaimLine,
  reassigned: ReassignedLine,
  attempts: AttemptList,
  settled: SettledCall,
  plan: SettledPlan,
  late: LateActions,
  lost: LostRace,
}

type PartName = keyof typeof PARTS
/** The name of a part with its props. */
export type LazyCardPartProps = {
  [Part in PartName]: { part: Part } & ComponentProps<(typeof PARTS)[Part]>
}[PartName]

export default function LazyCardParts({ part, ...props }: LazyCardPartProps) {
  // The compiler does not see that a name and its props belong together.
  const Part = PARTS[part] as ComponentType<typeof props>
  return <Part {...props} />
}

type ByHandInsteadProps = { id: RequestRecord['id']; call: NonNullable<RequestRecord['call']>; isEdited: boolean }

/** A withdrawn call cannot be approved; a person with the right can run the same tool by hand. */
function ByHandInstead({ id, call: { server, tool }, isEdited }: ByHandInsteadProps) {
  const t = useTranslations('tools')
  return (
    <div className="mt-2">
      <RunByHandLink server={server} tool={tool} like={{ request: id, isEdited }} label={t('byHandThese')} />
    </div>
  )
}

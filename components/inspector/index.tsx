/** The inspector of the record in `?inspect=<StateID>`, beside any screen. */
import type { ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import type { InspectorProps } from '@/client/nav/screenProps'
import { ErrorState } from '@/components/ui/States'
import { UUID } from '@/lib/wire/views'
import { AgentDetails } from './AgentDetails'
import { MessageDetails } from './MessageDetails'
import type { DetailsProps } from './Record'
import { StepDetails } from './StepDetails'
import { StageDetails, TaskDetails } from './TaskDetails'

const DETAILS = {
  StepState: StepDetails,
  TaskState: TaskDetails,
  StageState: StageDetails,
  LLMAgent: AgentDetails,
  HumanAgent: AgentDetails,
  OutsideAgent: AgentDetails,
  Message: MessageDetails,
} satisfies Record<string, ComponentType<DetailsProps>>
type Inspected = { prefix: keyof typeof DETAILS; id: string }

const isPrefix = (text: string): text is Inspected['prefix'] => Object.hasOwn(DETAILS, text)

/** The record that `?inspect=` names; an id without a prefix is a step's. Null when it is no StateID. */
export function readStateId(text: string): Inspected | null {
  const at = text.indexOf('_')
  const prefix = at < 0 ? 'StepState' : text.slice(0, at)
  const id = text.slice(at + 1)
  return isPrefix(prefix) && UUID.test(id) ? { prefix, id } : null
}

export default function Inspector({ inspect, tab, onClose }: InspectorProps) {
  const t = useTranslations('inspector')
  const named = readStateId(inspect)
  if (named === null) return <ErrorState title={t('gone')}>{t('goneWhy')}</ErrorState>
  const Details = DETAILS[named.prefix]
  // Keyed by record, so that its tabs and choices are reset.
  return <Details key={named.id} id={named.id} tab={tab} onClose={onClose} />
}

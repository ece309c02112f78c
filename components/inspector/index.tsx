/** The inspector of the record in `?inspect=<StateID>`, beside any screen. */
import type { ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import type { InspectorProps } from '@/components/shell/screenTypes'
import { ErrorState } from '@/components/ui/States'
import { UUID } from '@/lib/wire/views'
import { AgentDetails } from './AgentDetails'
import { MessageDetails } from './MessageDetails'
import { StepDetails } from './StepDetails'
import { type DetailsProps, StageDetails, TaskDetails } from './TaskDetails'

type InspectedKind = 'step' | 'task' | 'stage' | 'agent' | 'message'
type Inspected = { kind: InspectedKind; id: string }

const KINDS: Record<string, InspectedKind> = {
  StepState: 'step',
  TaskState: 'task',
  StageState: 'stage',
  LLMAgent: 'agent',
  HumanAgent: 'agent',
  OutsideAgent: 'agent',
  Message: 'message',
}

const DETAILS: Record<InspectedKind, ComponentType<DetailsProps>> = {
  step: StepDetails,
  task: TaskDetails,
  stage: StageDetails,
  agent: AgentDetails,
  message: MessageDetails,
}

/** The record that `?inspect=` names; an id without a prefix is a step's. Null when it is no StateID. */
export function readStateId(text: string): Inspected | null {
  const at = text.indexOf('_')
  const prefix = text.slice(0, Math.max(0, at))
  const kind = at < 0 ? 'step' : Object.hasOwn(KINDS, prefix) ? KINDS[prefix] : undefined
  const id = text.slice(at + 1)
  return kind && UUID.test(id) ? { kind, id } : null
}

export default function Inspector({ inspect, tab, onClose }: InspectorProps) {
  const t = useTranslations('inspector')
  const named = readStateId(inspect)
  if (named === null) return <ErrorState title={t('gone')}>{t('goneWhy')}</ErrorState>
  const Details = DETAILS[named.kind]
  // Keyed by record, so that its tabs and choices are reset.
  return <Details key={named.id} id={named.id} tab={tab} onClose={onClose} />
}

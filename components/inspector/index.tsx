/** The inspector of the record in `?inspect=<StateID>`, beside any screen. */
import { useTranslations } from 'use-intl'
import type { InspectorProps } from '@/components/shell/screenTypes'
import { ErrorState } from '@/components/ui/States'
import { UUID } from '@/lib/wire/views'
import { AgentDetails } from './AgentDetails'
import { MessageDetails } from './MessageDetails'
import { StepDetails } from './StepDetails'
import { StageDetails, TaskDetails } from './TaskDetails'

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
  // Keyed by record, so that its tabs and choices are reset.
  switch (named?.kind) {
    case 'step':
      return <StepDetails key={named.id} stepId={named.id} tab={tab} />
    case 'task':
      return <TaskDetails key={named.id} id={named.id} tab={tab} onClose={onClose} />
    case 'stage':
      return <StageDetails key={named.id} id={named.id} tab={tab} onClose={onClose} />
    case 'agent':
      return <AgentDetails key={named.id} id={named.id} tab={tab} onClose={onClose} />
    case 'message':
      return <MessageDetails key={named.id} id={named.id} tab={tab} onClose={onClose} />
    case undefined:
      return <ErrorState title={t('gone')}>{t('goneWhy')}</ErrorState>
  }
}

/** The inspector of the record in `?inspect=<StateID>`, beside any screen. */
import { useTranslations } from 'use-intl'
import type { InspectorProps } from '@/components/shell/screenTypes'
import { ErrorState } from '@/components/ui/States'
import { AgentDetails } from './AgentDetails'
import { MessageDetails } from './MessageDetails'
import { StepDetails } from './StepDetails'
import { readStateId } from './stateId'
import { StageDetails, TaskDetails } from './TaskDetails'

export default function Inspector({ inspect, tab, onClose }: InspectorProps) {
  const t = useTranslations('inspector')
  const named = readStateId(inspect)
  // Keyed by record, so that its tabs and choices start anew.
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

/** The inspector of a step: every tab, failed, running, waiting for a person. */
import { StepDetails } from '@/components/inspector/StepDetails'
import { idOf, type StepName } from '../fixtures/steps'
import { Specimen } from '../Specimen'

const SHOWN: readonly { state: string; step: StepName; tab: string }[] = [
  { state: 'Summary', step: 'done', tab: 'summary' },
  { state: 'Summary, failed', step: 'failed', tab: 'summary' },
  { state: 'Prompt', step: 'done', tab: 'prompt' },
  { state: 'Response', step: 'done', tab: 'response' },
  { state: 'Tool, approved by a person', step: 'tool', tab: 'tool' },
  { state: 'Tool, failed', step: 'toolFailed', tab: 'tool' },
  { state: 'Tool, waits', step: 'waiting', tab: 'tool' },
  { state: 'Cost', step: 'done', tab: 'cost' },
]

export default function InspectorTabs() {
  return SHOWN.map(({ state, step, tab }) => (
    <Specimen key={state} name={`StepInspector · ${state}`}>
      <div className="flex h-[30rem] w-[25rem] max-w-full flex-col border border-line">
        <StepDetails id={idOf(step)} tab={tab} />
      </div>
    </Specimen>
  ))
}

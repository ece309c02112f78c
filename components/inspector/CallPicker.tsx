/** Which call of the model is shown, where a step made several: an answer was repaired, or a call failed. */
import { useTranslations } from 'use-intl'
import { Select } from '@/components/ui/fields/Choice'
import type { ModelCall, StepRecord } from '@/lib/mas/records'

type CallPickerProps = { step: StepRecord; call: ModelCall; onChoose: (id: string) => void }

export function CallPicker({ step, call, onChoose }: CallPickerProps) {
  const t = useTranslations('inspector')
  if (step.calls.length < 2) return null
  return (
    <Select
      label={t('call')}
      isLabelHidden
      value={call.id}
      onChange={onChoose}
      options={step.calls.map((one, at) => ({
        value: one.id,
        label: t('callOf', { number: at + 1, count: step.calls.length, outcome: t(`outcome.${one.outcome}`) }),
      }))}
    />
  )
}

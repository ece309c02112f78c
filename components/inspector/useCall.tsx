/** Which call of the model is shown, where a step made several: an answer was repaired, or a call failed. */
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Select } from '@/components/ui/fields/Choice'
import type { ModelCall, StepRecord } from '@/lib/mas/records'

/** out: call: the chosen one, else the last; undefined: there was none. picker: its choice, where there is one */
export function useCall({ calls }: StepRecord): { call: ModelCall | undefined; isChosen: boolean; picker: ReactNode } {
  const t = useTranslations('inspector')
  const [chosen, setChosen] = useState<string | null>(null)
  const call = calls.find((one) => one.id === chosen) ?? calls.at(-1)
  const picker =
    call === undefined || calls.length < 2 ? null : (
      <Select
        label={t('call')}
        isLabelHidden
        value={call.id}
        onChange={setChosen}
        options={calls.map((one, at) => ({
          value: one.id,
          label: t('callOf', { number: at + 1, count: calls.length, outcome: t(`outcome.${one.outcome}`) }),
        }))}
      />
    )
  return { call, isChosen: chosen !== null, picker }
}

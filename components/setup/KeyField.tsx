/** A key that is typed: its field, and how it is kept by the server. */
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { ApiResult } from '@/client/api'
import { TextField } from '@/components/ui/fields/TextField'
import type { ModelPreset } from '@/lib/mas/setup/modelPresets'
import type { KeyRef } from '@/lib/mas/setup/setupRecords'
import type { SetupKeyAnswer } from '@/lib/wire'
import { fileOriginOf, keepKey } from './setupCalls'

type KeyFieldProps = {
  value: string
  preset?: ModelPreset | undefined
  current: KeyRef | null
  isSet: (variable: string) => boolean
  label?: string
  onChange: (value: string) => void
}

/** The key in dots. It is no password of this page: a browser is not to offer to remember it. */
export function KeyField({ value, preset, current, isSet, label, onChange }: KeyFieldProps) {
  const t = useTranslations('setup')
  const variable = preset?.variable ?? null
  const hint =
    current !== null
      ? 'env' in current
        ? t('key.ofVariable', { variable: current.env })
        : t('key.kept')
      : variable !== null && isSet(variable)
        ? t('key.variableSet', { variable })
        : preset?.isLocal
          ? t('key.none')
          : t('key.hint')
  return (
    <TextField
      label={label ?? t('key.label')}
      hint={hint}
      value={value}
      autoComplete="off"
      spellCheck={false}
      data-1p-ignore
      className="[-webkit-text-security:disc]"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** Keeps a typed key once for an address; the same again is the same id. */
export function useKeptKey(): (typed: string, address: string) => Promise<ApiResult<SetupKeyAnswer>> {
  const last = useRef<{ typed: string; origin: string | null; answer: ApiResult<SetupKeyAnswer> } | null>(null)
  return async (typed, address) => {
    const origin = fileOriginOf(address)
    const isSame = last.current?.typed === typed && last.current.origin === origin && last.current.answer.ok
    if (last.current === null || !isSame) last.current = { typed, origin, answer: await keepKey(typed, address) }
    return last.current.answer
  }
}

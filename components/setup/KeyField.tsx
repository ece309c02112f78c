/** A key that is typed: its field, and how it is kept by the server. */
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { TextField } from '@/components/ui/fields/TextField'
import type { ModelPreset } from '@/lib/mas/modelPresets'
import { fileOriginOf, type KeyRef, keepKey } from './setupCalls'

export type KeyNow = { ok: true; key: KeyRef | null } | { ok: false; why: string }

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
export function useKeptKey(): (typed: string, address: string, unanswered: string) => Promise<KeyNow> {
  const last = useRef<{ typed: string; origin: string | null; stored: string } | null>(null)
  return async (typed, address, unanswered) => {
    const origin = fileOriginOf(address)
    if (last.current?.typed === typed && last.current.origin === origin)
      return { ok: true, key: { stored: last.current.stored } }
    const answer = await keepKey(typed, address)
    if (!answer.ok) return { ok: false, why: answer.fault.error === 'NO_ANSWER' ? unanswered : answer.fault.message }
    last.current = { typed, origin, stored: answer.value.stored }
    return { ok: true, key: { stored: answer.value.stored } }
  }
}

/** A time zone: the browser's list searches while one types; any name that this machine knows can be typed. */
import { useId, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isTimeZone, timeZones } from '@/lib/format/timeZones'
import { TextField } from './TextField'

type ZoneFieldProps = {
  label: string
  isLabelHidden?: boolean
  /** '': none is chosen; `fallback` counts. */
  value: string
  fallback: string
  hint: string
  /** Called with '' and with names of time zones only. */
  onChange: (zone: string) => void
}

export function ZoneField({ label, isLabelHidden, value, fallback, hint, onChange }: ZoneFieldProps) {
  const t = useTranslations('common')
  const list = useId()
  const zones = useMemo(timeZones, [])
  /** What is typed while it names no time zone; null: nothing. */
  const [typed, setTyped] = useState<string | null>(null)
  // Nothing is wrong yet while somebody types.
  const [isTyping, setIsTyping] = useState(false)
  const change = (text: string): void => {
    const isFit = text === '' || isTimeZone(text)
    setTyped(isFit ? null : text)
    if (isFit && text !== value) onChange(text)
  }
  return (
    <>
      <TextField
        label={label}
        isLabelHidden={isLabelHidden}
        list={list}
        value={typed ?? value}
        placeholder={fallback}
        autoComplete="off"
        spellCheck={false}
        hint={hint}
        error={typed === null || isTyping ? null : t('noZone', { zone: typed })}
        onFocus={() => setIsTyping(true)}
        onBlur={() => setIsTyping(false)}
        onChange={(event) => change(event.target.value)}
      />
      <datalist id={list}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}

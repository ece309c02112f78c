/** The text filter of a list: `?q=` of the address, and the key `/` while it is shown. */
import { useRef } from 'react'
import { setSearch, useSearchParam } from '@/client/nav'
import { useKey } from '@/components/shell/keys/keyboard'
import { TextField } from './TextField'

export function FilterBox({ label }: { label: string }) {
  const box = useRef<HTMLInputElement>(null)
  const text = useSearchParam('q') ?? ''
  useKey('/', label, () => box.current?.focus())
  return (
    <TextField
      ref={box}
      type="search"
      label={label}
      isLabelHidden
      placeholder={label}
      value={text}
      // Typing adds no entries to the history.
      onChange={({ target }) => setSearch({ q: target.value === '' ? null : target.value }, { replace: true })}
    />
  )
}

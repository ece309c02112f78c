/** The filters of a list, in the address: its text, `?q=`, with the key `/` while it is shown, and choices. */
import { type ComponentProps, useRef } from 'react'
import { setSearch, useSearchParam } from '@/client/nav'
import { useKey } from '@/components/shell/keys/keyboard'
import { OptionalSelect } from './Choice'
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

type FilterSelectProps = Omit<ComponentProps<typeof OptionalSelect<string>>, 'onChange' | 'isLabelHidden'> & {
  /** The parameter of the address. */
  name: string
}

/** A filter of a list by one of several values, which is kept in the address. */
export const FilterSelect = ({ name, ...select }: FilterSelectProps) => (
  <OptionalSelect<string>
    {...select}
    isLabelHidden
    onChange={(next) => setSearch({ [name]: next }, { replace: true })}
  />
)

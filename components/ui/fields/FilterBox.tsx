/** The filters of a list, in the address: its text, `?q=`, with the key `/` while it is shown, and choices. */
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { useAction } from '@/client/actions/keyboard'
import { setSearch, useSearchParam } from '@/client/nav'
import { OptionalSelect, Select } from './Choice'
import { TextField } from './TextField'

export function FilterBox({ label }: { label: string }) {
  const box = useRef<HTMLInputElement>(null)
  const text = useSearchParam('q') ?? ''
  useAction('search', 'filter', { label, run: () => box.current?.focus() })
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

export function FilterHead<State extends string>({
  label,
  state,
  children,
}: {
  label: string
  state: { label: string; value: State; options: readonly { value: State; label: string }[] }
  children?: ReactNode
}) {
  const change = (next: Record<string, string | null>): void => setSearch(next, { replace: true })
  return (
    <search className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 px-5 pb-3 max-md:px-4">
      <span className="w-70 max-w-full max-md:w-36 max-md:grow">
        <FilterBox label={label} />
      </span>
      <Select
        {...state}
        isLabelHidden
        className="w-36"
        onChange={(next) => change({ state: next === 'all' ? null : next })}
      />
      {children}
    </search>
  )
}

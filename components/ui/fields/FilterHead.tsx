import type { ReactNode } from 'react'
import { setSearch } from '@/client/nav'
import { Select } from './Choice'
import { FilterBox } from './FilterBox'

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

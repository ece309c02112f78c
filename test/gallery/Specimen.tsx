/**
 * One part in one state: its name, and the part without effect on the server.
 *
 * Names of parts and states are the code's own, the same in every language.
 */
import type { ReactNode, SyntheticEvent } from 'react'
import { cx } from '@/components/ui/cx'

const stop = (event: SyntheticEvent): void => {
  event.preventDefault()
  event.stopPropagation()
}

/** `isWide`: over the whole width of the family; otherwise two stand side by side where there is room. */
export function Specimen({ name, isWide = false, children }: { name: string; isWide?: boolean; children: ReactNode }) {
  return (
    <section
      aria-label={name}
      onClickCapture={stop}
      onSubmitCapture={stop}
      className={cx('flex min-w-0 flex-col gap-1', isWide && 'col-span-full')}
    >
      <p lang="en" className="font-mono text-meta text-t3">
        {name}
      </p>
      <div className="@container/main relative min-w-0">{children}</div>
    </section>
  )
}

/** Small ones in a row. */
export const SpecimenRow = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-2">{children}</div>
)

import type { ReactNode } from 'react'

type ScrolledProps = { as?: 'section' | 'pre' | 'div'; label?: string; className: string; children: ReactNode }

/** A part that scrolls by itself, so keys must reach it. label: the name of its region. */
export const Scrolled = ({ as: Tag = 'section', label, ...rest }: ScrolledProps) => (
  <Tag {...rest} tabIndex={0} aria-label={label} />
)

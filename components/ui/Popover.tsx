/**
 * A small panel beside what opened it, and the tooltip.
 *
 * Keys, focus and placing are radix-ui's.
 */
import { Popover as RadixPopover, Tooltip as RadixTooltip } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from './cx'
import { keepIfMovedOn } from './focusAfter'

/** A panel with role dialog named `label`. Esc and a press outside close it; the focus goes back to the trigger. */
export function Popover({
  label,
  trigger,
  children,
  isOpen,
  onOpenChange,
  align = 'start',
  className,
}: {
  label: string
  trigger: ReactNode
  children: ReactNode
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  align?: 'start' | 'center' | 'end'
  className?: string
}) {
  return (
    <RadixPopover.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={keepIfMovedOn}
          className={cx(
            'z-popover max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-1rem)] animate-pop overflow-y-auto rounded-card border border-line bg-s2 p-3 shadow-overlay',
            className,
          )}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  )
}

/** Words beside an icon on hover and focus. The trigger keeps its own name: a tooltip is never the only place of a fact. */
export function Tooltip({
  text,
  children,
  side = 'top',
}: {
  text: string
  children: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
}) {
  return (
    <RadixTooltip.Provider delayDuration={500} skipDelayDuration={200}>
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content
            side={side}
            sideOffset={6}
            className="z-popover max-w-80 rounded-control bg-blocked-b px-2 py-1 text-meta text-blocked"
          >
            {text}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  )
}

import { Popover as RadixPopover } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from '../cx'
import { keepIfMovedOn } from './focusAfter'

type PopoverProps = {
  label: string
  trigger: ReactNode
  children: ReactNode
  /** Left out: it is open from its first drawing on, for its button was pressed before it was loaded. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  align?: 'start' | 'center' | 'end'
  className?: string
}

/** A panel with role dialog named `label`. Esc and a press outside close it; the focus returns to the trigger. */
export function Popover({ label, trigger, children, isOpen, onOpenChange, align = 'start', className }: PopoverProps) {
  return (
    <RadixPopover.Root defaultOpen open={isOpen} onOpenChange={onOpenChange}>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={keepIfMovedOn}
          className={cx(
            'z-popover max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-1rem)] animate-pop',
            'overflow-y-auto rounded-card border border-line bg-s2 p-3 shadow-overlay',
            className,
          )}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  )
}

import { Popover as RadixPopover } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from '../cx'
import { keepIfMovedOn } from './focusAfter'
import { useLayer } from './layer'

export type PopoverLook = { label: string; align?: 'start' | 'center' | 'end'; className?: string }

type PopoverBodyProps = PopoverLook & {
  trigger: ReactNode
  children: ReactNode
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

export default function PopoverBody(props: PopoverBodyProps) {
  const { label, trigger, children, isOpen, onOpenChange, align = 'start', className } = props
  const layer = useLayer()
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
            layer,
            'max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-1rem)] animate-pop',
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

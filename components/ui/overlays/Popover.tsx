import { cloneElement, type ReactElement, type ReactNode, useState } from 'react'
import { PopoverBody } from '../lazy'
import { FromPress } from '../lazyPart'
import type { TriggerProps } from './Menu'
import type { PopoverLook } from './PopoverBody'

type PopoverProps = PopoverLook & {
  /** A button, or a component that passes its props on to one. */
  trigger: ReactElement<TriggerProps>
  /** What is in it: a lazy part. */
  content: (onClose: () => void) => ReactNode
}

/**
 * A panel with role dialog named `label`, opened by `trigger`. Esc and a press outside close it; the focus returns to the
 * trigger.
 */
export function Popover({ content, ...look }: PopoverProps) {
  const [isPressed, setPressed] = useState(false)
  const [isOpen, setOpen] = useState(false)
  return (
    <FromPress
      part={PopoverBody}
      partProps={{ ...look, isOpen, onOpenChange: setOpen, children: content(() => setOpen(false)) }}
      isPressed={isPressed}
      onLost={() => {
        setPressed(false)
        setOpen(false)
      }}
      button={cloneElement(look.trigger, {
        'aria-haspopup': 'dialog',
        'aria-expanded': isOpen,
        onClick: () => {
          setPressed(true)
          setOpen(true)
        },
      })}
    />
  )
}

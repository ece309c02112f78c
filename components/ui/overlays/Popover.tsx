import { cloneElement, type ReactElement, useState } from 'react'
import { popoverBody } from '../lazy'
import { type LazyPart, useLazy } from '../lazyFile'
import type { TriggerProps } from './Menu'
import type { PopoverLook } from './PopoverBody'

type PopoverProps<Props extends object> = PopoverLook & {
  /** A button, or a component that passes its props on to one. */
  trigger: ReactElement<TriggerProps>
  /** What is in it; the same at every render. */
  file: LazyPart<Props & { onClose: () => void }>
  partProps: Props
}

/**
 * A panel with role dialog named `label`, opened by `trigger`. Esc and a press outside close it; the focus returns to the
 * trigger.
 */
export function Popover<Props extends object>({ file, partProps, ...look }: PopoverProps<Props>) {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const body = useLazy(popoverBody, isOpen, close)
  const part = useLazy(file, isOpen, close)
  if (body && part)
    return (
      <body.default {...look} isOpen={isOpen} onOpenChange={setOpen}>
        <part.default {...partProps} onClose={close} />
      </body.default>
    )
  return cloneElement(look.trigger, {
    'aria-haspopup': 'dialog',
    'aria-expanded': isOpen,
    onClick: () => setOpen(true),
  })
}

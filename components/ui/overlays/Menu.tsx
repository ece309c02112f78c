import { Ellipsis } from 'lucide-react'
import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode, useState } from 'react'
import type { ActionId } from '@/client/actions/actionTable'
import { IconButton } from '../Button'
import { MenuBody } from '../lazy'
import { FromPress } from '../lazyPart'

export type MenuEntry =
  | {
      kind?: undefined
      label: string
      icon?: ReactNode
      onSelect: () => void
      isDanger?: boolean
      isDisabled?: boolean
      reason?: string
      /** It changes or asks for something as it is now: off at a moment. */
      isAct?: boolean
    }
  /** An action of the table, with its icon and the reader's key. label: in place of its words; onSelect: does it for what the menu is of */
  | { kind: 'action'; action: ActionId; label?: string; onSelect: () => void; isAct?: boolean }
  | { kind: 'link'; label: string; icon?: ReactNode; href: string; isAct?: boolean }
  | {
      kind: 'choice'
      isAct?: boolean
      label: string
      value: string
      options: readonly { value: string; label: string; icon?: ReactNode; lang?: string }[]
      onChange: (value: string) => void
    }
  | { kind: 'line' }

/** Of any button. */
export type TriggerProps = {
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void
  onKeyDown?: (event: KeyboardEvent<HTMLButtonElement>) => void
  onPointerEnter?: () => void
  onFocus?: () => void
  'aria-haspopup'?: 'menu' | 'dialog'
  'aria-expanded'?: boolean
}

export type MenuProps = {
  label: string
  /** A Button or IconButton, or a component that passes its props on to one; left out: three dots. */
  trigger?: ReactElement<TriggerProps>
  /** null: left out. */
  entries: readonly (MenuEntry | null)[]
  align?: 'start' | 'end'
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

/** A menu opened by `trigger`. Its name is `label`. */
export function Menu(props: MenuProps) {
  const { label, onOpenChange } = props
  const trigger: ReactElement<TriggerProps> = props.trigger ?? <IconButton icon={<Ellipsis />} label={label} />
  const [isOwnOpen, setOwnOpen] = useState(false)
  const [isByKey, setByKey] = useState(false)
  const isOpen = props.isOpen ?? isOwnOpen
  const change = (next: boolean): void => {
    setOwnOpen(next)
    onOpenChange?.(next)
  }
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  const fetchAhead = (): void => void MenuBody.load().catch(() => undefined)
  const button = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    onPointerEnter: fetchAhead,
    onFocus: fetchAhead,
    onClick: (event) => {
      trigger.props.onClick?.(event)
      // Enter and Space fire a click without a pointer.
      setByKey(event.detail === 0)
      change(true)
    },
    onKeyDown: (event) => {
      trigger.props.onKeyDown?.(event)
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      event.currentTarget.click()
    },
  })
  return (
    <FromPress
      part={MenuBody}
      partProps={{ ...props, trigger, isOpen, onOpenChange: change, isByKey }}
      isPressed={wasOpen}
      onLost={() => {
        setWasOpen(false)
        change(false)
      }}
      button={button}
    />
  )
}

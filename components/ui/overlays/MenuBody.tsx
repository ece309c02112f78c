import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type FocusEvent, type MouseEvent, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useActionLook } from '@/client/actions/actionLook'
import type { ActionId } from '@/client/actions/actionTable'
import { useMoment } from '@/client/moment'
import { navigate, useHrefHere } from '@/client/nav'
import { menuRef } from '@/client/pageUse'
import { cx } from '../cx'
import { keepIfMovedOn } from './focusAfter'
import { useLayer } from './layer'
import type { MenuEntry, MenuProps } from './Menu'

const ITEM = cx(
  'flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-2.5 text-table outline-none',
  'data-highlighted:bg-hover data-disabled:cursor-default data-disabled:text-t3 touch:min-h-11',
  '[&>svg]:size-4 [&>svg]:text-t3',
)

/** A link of the menu goes by `onSelect`, which an event that was prevented before would not reach. */
const stayOnPage = (event: MouseEvent): void => {
  if (event.target instanceof Element && event.target.closest('a') !== null) event.preventDefault()
}

/** The content of an entry that is an action. */
export function ActionEntry({ action, label }: { action: ActionId; label?: string }) {
  const look = useActionLook()(action, null)
  return (
    <>
      {look.icon ? <look.icon /> : null}
      <span className="grow">{label ?? look.label}</span>
      {look.key === '' ? null : <kbd className="font-mono text-meta text-t3">{look.key}</kbd>}
    </>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  const t = useTranslations('common')
  const hrefHere = useHrefHere()
  const isOff = useMoment() !== null && entry.kind !== 'line' && entry.isAct === true
  const off = isOff ? { disabled: true, title: t('atMoment'), 'aria-description': t('atMoment') } : null
  switch (entry.kind) {
    case 'line':
      return <DropdownMenu.Separator className="my-1 border-t border-line" />
    case 'link':
      return (
        <DropdownMenu.Item asChild className={ITEM} onSelect={() => navigate(hrefHere(entry.href))} {...off}>
          <a href={hrefHere(entry.href)}>
            {entry.icon}
            {entry.label}
          </a>
        </DropdownMenu.Item>
      )
    case undefined:
      return (
        <DropdownMenu.Item
          className={cx(ITEM, entry.isDanger && 'text-failed')}
          disabled={entry.isDisabled}
          title={entry.reason}
          aria-description={entry.reason}
          onSelect={entry.onSelect}
          {...off}
        >
          {entry.icon}
          <span className="grow">{entry.label}</span>
        </DropdownMenu.Item>
      )
    case 'action':
      return (
        <DropdownMenu.Item className={ITEM} onSelect={entry.onSelect} {...off}>
          <ActionEntry action={entry.action} label={entry.label} />
        </DropdownMenu.Item>
      )
    case 'choice':
      return (
        <DropdownMenu.Group>
          <DropdownMenu.Label className="px-2.5 pt-1.5 pb-0.5 text-meta text-t3">{entry.label}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup value={entry.value} onValueChange={entry.onChange}>
            {entry.options.map((one) => (
              <DropdownMenu.RadioItem key={one.value} value={one.value} className={ITEM} {...off}>
                <span aria-hidden className="grid size-4 place-items-center">
                  <DropdownMenu.ItemIndicator>
                    <Check className="size-3.5 text-accent" />
                  </DropdownMenu.ItemIndicator>
                </span>
                {one.icon}
                <span lang={one.lang}>{one.label}</span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Group>
      )
  }
}

function keyOf(entry: MenuEntry, at: number): string {
  switch (entry.kind) {
    case 'line':
      return `line-${at}`
    case 'action':
      return entry.action
    default:
      return entry.label
  }
}

export default function MenuBody({
  label,
  trigger,
  entries,
  align = 'end',
  isOpen,
  onOpenChange,
  isByKey,
}: MenuProps & {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** The first press was a key: the first entry gets the focus, as radix-ui does for every later one. */
  isByKey: boolean
}) {
  const layer = useLayer()
  const isFirst = useRef(true)
  const goToFirst = (event: FocusEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget || !isFirst.current) return
    isFirst.current = false
    if (isByKey) event.currentTarget.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')?.focus()
  }
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={onOpenChange} modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          ref={menuRef}
          onClick={stayOnPage}
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onFocus={goToFirst}
          onCloseAutoFocus={keepIfMovedOn}
          className={cx(
            layer,
            'max-h-(--radix-dropdown-menu-content-available-height) min-w-44 animate-pop',
            'overflow-y-auto rounded-card border border-line bg-s2 p-1 shadow-overlay',
          )}
        >
          {entries.map((entry, at) => entry && <Entry key={keyOf(entry, at)} entry={entry} />)}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
